/// Frames whose bits flip: the filter `corrupt`.
@NullMarked
package org.ibidem.lab.fault.corrupt;

import org.jspecify.annotations.NullMarked;
