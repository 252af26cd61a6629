/// The benchmarks that duels are fought over: who against whom, at what, and with what aims.
@NullMarked
package org.ibidem.lab.bench.suite;

import org.jspecify.annotations.NullMarked;
