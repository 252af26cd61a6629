/// From samples to what people read: deciles, tables, JSON, verdicts and pictures.
@NullMarked
package org.ibidem.lab.bench.figures;

import org.jspecify.annotations.NullMarked;
