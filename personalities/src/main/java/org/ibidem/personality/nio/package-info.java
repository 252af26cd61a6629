/// The selectable channels of `java.nio` over VLinks, for programs that know nothing of them.
///
/// [IbidemSelectorProvider] takes the place of the JDK's provider. Its channels become VLinks when
/// they are connected or accepted, where the rules of `sockets` say so, and are the JDK's
/// otherwise; its [Selector][java.nio.channels.Selector] waits for both, and for the JDK's own
/// pipes and datagram channels.
@NullMarked
package org.ibidem.personality.nio;

import org.jspecify.annotations.NullMarked;
