/// Frames that come late: the filter `delay`.
@NullMarked
package org.ibidem.lab.fault.delay;

import org.jspecify.annotations.NullMarked;
