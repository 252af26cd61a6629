/// Object serialization measured: ours against what else there is, and against loops written by
/// hand for the very classes. One process for each contestant, turn by turn.
@NullMarked
package org.ibidem.lab.bench.serial;

import org.jspecify.annotations.NullMarked;
