/// Frames that overtake each other: the filter `reorder`.
@NullMarked
package org.ibidem.lab.fault.reorder;

import org.jspecify.annotations.NullMarked;
