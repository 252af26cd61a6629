/// Frames that come twice: the filter `duplicate`.
@NullMarked
package org.ibidem.lab.fault.duplicate;

import org.jspecify.annotations.NullMarked;
