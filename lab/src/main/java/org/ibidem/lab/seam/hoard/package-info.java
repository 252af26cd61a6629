/// Bytes that stay until they are flushed: the filter `hoard`.
@NullMarked
package org.ibidem.lab.seam.hoard;

import org.jspecify.annotations.NullMarked;
