/// Devices: what an MPI program's messages travel by.
///
/// A device moves bytes between numbered processes and matches receives with messages. One stands
/// over the circuits of `core`, one over the threads of a JVM; each is a [DeviceProvider].
@NullMarked
package org.ibidem.mpj.device;

import org.jspecify.annotations.NullMarked;
