/// Programs of sockets that know nothing of Ibidem: servers and clients, each the `main` of a JVM
/// of its own, run by the JDK's sockets or by ours ([docs/programs.md](docs/programs.md)).
///
/// A server says `listening on PORT`. A client checks what it gets, then says how long one exchange
/// took: `NANOS n`.
@NullMarked
package org.ibidem.lab.programs;

import org.jspecify.annotations.NullMarked;
