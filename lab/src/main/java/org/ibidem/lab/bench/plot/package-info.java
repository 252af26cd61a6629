/// Pictures of what benchmarks wrote down.
@NullMarked
package org.ibidem.lab.bench.plot;

import org.jspecify.annotations.NullMarked;
