/// What the members of a communicator do together, by messages of one device and one context: data
/// moved by trees, rings and pairs, and reduced in the order of ranks.
@NullMarked
package org.ibidem.mpj.collective;

import org.jspecify.annotations.NullMarked;
