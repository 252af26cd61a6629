/// Madeleine: messages packed and unpacked piece by piece, with modes that say when each is read
/// and when it is there (Aumage et al., *Madeleine II: a portable and efficient communication
/// library for high-performance cluster computing*, 2000).
@NullMarked
package org.ibidem.personality.madeleine;

import org.jspecify.annotations.NullMarked;
