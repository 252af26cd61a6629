/// Remote calls: ours over shared memory and TCP, those of the JDK and of gRPC, from one process to
/// another.
@NullMarked
package org.ibidem.lab.bench.rmi;

import org.jspecify.annotations.NullMarked;
