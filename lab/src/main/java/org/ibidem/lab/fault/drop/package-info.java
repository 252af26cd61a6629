/// Frames that get lost: the filter `drop`.
@NullMarked
package org.ibidem.lab.fault.drop;

import org.jspecify.annotations.NullMarked;
