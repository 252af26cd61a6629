/// MPI for Java below the package `mpi`: [org.ibidem.mpj.device], what messages travel by;
/// [org.ibidem.mpj.data], what is in them; [org.ibidem.mpj.collective], what all do together.
@NullMarked
package org.ibidem.mpj;

import org.jspecify.annotations.NullMarked;
