/// Remote calls: ours over shared memory and TCP, and those of the JDK, from one process to
/// another.
@NullMarked
package org.ibidem.lab.bench.rmi;

import org.jspecify.annotations.NullMarked;
