/// What benchmarks do with the parts of `sor`, which nobody else can reach.
@NullMarked
package org.ibidem.apps.sor;

import org.jspecify.annotations.NullMarked;
