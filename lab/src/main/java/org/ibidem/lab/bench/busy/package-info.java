/// Programs that wait for each other again and again, on a machine with fewer cores than processes.
@NullMarked
package org.ibidem.lab.bench.busy;

import org.jspecify.annotations.NullMarked;
