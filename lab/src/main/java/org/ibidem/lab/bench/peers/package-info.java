/// Who takes part in benchmarks: one small file each. `docs/bench/adding.md` says how to add one.
@NullMarked
package org.ibidem.lab.bench.peers;

import org.jspecify.annotations.NullMarked;
