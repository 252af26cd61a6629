/// The device `smpdev`: the processes of an MPI program are threads of one JVM, and a message is
/// copied from the sender's array to the receiver's by whichever of them comes second.
@NullMarked
package org.ibidem.mpj.device.threads;

import org.jspecify.annotations.NullMarked;
