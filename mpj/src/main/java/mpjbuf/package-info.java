/// Buffers of what was packed, under the names that MPJ Express gives them.
@NullMarked
package mpjbuf;

import org.jspecify.annotations.NullMarked;
