/// The sockets of `java.net` over VLinks, for programs that know nothing of them.
///
/// [Sockets] puts itself in the place of the JDK's `SocketImpl` (JEP 353 left that way open): rules
/// say which destinations are reached by Ibidem and which ports are listened on by it, and all else
/// goes to the JDK's own implementation. Installed by a Java agent, or by `ibidem run --sockets`.
@NullMarked
package org.ibidem.personality.sockets;

import org.jspecify.annotations.NullMarked;
