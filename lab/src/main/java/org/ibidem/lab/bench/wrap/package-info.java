/// Programs as they are against the same under `ibidem wrap`.
@NullMarked
package org.ibidem.lab.bench.wrap;

import org.jspecify.annotations.NullMarked;
