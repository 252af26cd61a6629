/// Divide and conquer: what a spawned call costs, what processes bring, and whom to steal from.
@NullMarked
package org.ibidem.lab.bench.satin;

import org.jspecify.annotations.NullMarked;
