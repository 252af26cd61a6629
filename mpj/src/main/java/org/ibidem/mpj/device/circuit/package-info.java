/// The device over a circuit: MPI messages between processes, over whatever network there is
/// between two of them.
///
/// Messages up to a limit leave at once (*eager*); larger ones, and those for which the receiver
/// has no memory left, say that they are there and leave when they are asked for (*rendezvous*), so
/// that they go straight to where they are wanted. Format: `docs/wire/mpj.md`.
@NullMarked
package org.ibidem.mpj.device.circuit;

import org.jspecify.annotations.NullMarked;
