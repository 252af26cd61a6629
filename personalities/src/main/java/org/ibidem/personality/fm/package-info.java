/// Fast Messages 2.0: messages in pieces, a handler for each, and flow control by the receiver
/// (Lauria, Pakin, Chien, *Efficient layering for high speed communication: Fast Messages 2.x*,
/// 1998).
@NullMarked
package org.ibidem.personality.fm;

import org.jspecify.annotations.NullMarked;
