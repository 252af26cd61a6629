/// Frames that may be ever smaller while the link is in use: the filter `shrink`.
@NullMarked
package org.ibidem.lab.seam.shrink;

import org.jspecify.annotations.NullMarked;
