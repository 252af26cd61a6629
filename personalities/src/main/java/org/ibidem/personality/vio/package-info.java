/// Vio: blocking sockets over VLinks, for who does not want handlers (the *VIO* of PadicoTM).
///
/// What fails says it as the JDK's sockets do, in their exceptions; the exact cause is the cause.
@NullMarked
package org.ibidem.personality.vio;

import org.jspecify.annotations.NullMarked;
