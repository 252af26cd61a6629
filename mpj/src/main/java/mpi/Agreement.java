package mpi;

import org.ibidem.Visible;
import org.ibidem.mpj.ErrorClass;
import org.ibidem.mpj.Fault;
import org.ibidem.mpj.collective.Movement;
import org.ibidem.mpj.collective.Team;
import org.ibidem.mpj.data.Part;

/// Whether all call the same collective operation with the same root: asked before each, in debug
/// mode.
final class Agreement {
    private static final int CONTEXT = 2;
    private static final int LENGTH = 64;

    private Agreement() {}

    static void check(Comm comm, String call, int root) {
        if (!comm.live().debug()) {
            return;
        }
        Team team = comm.team(CONTEXT);
        String mine = root < 0 ? call : call + " with root " + root;
        char[] all = new char[LENGTH * team.size()];
        char[] own = new char[LENGTH];
        mine.getChars(0, mine.length(), own, 0);
        Movement.allgather(
                team,
                Part.of(own, 0, LENGTH, MPI.CHAR.shape()),
                rank -> Part.of(all, rank * LENGTH, LENGTH, MPI.CHAR.shape()));
        for (int rank = 0; rank < team.size(); rank++) {
            String other = new String(all, rank * LENGTH, LENGTH).trim();
            if (!other.equals(mine)) {
                throw new Fault(
                        ErrorClass.OTHER,
                        "collective calls do not match: rank "
                                + rank
                                + " called "
                                + Visible.of(other)
                                + ", rank "
                                + team.rank()
                                + " "
                                + mine);
            }
        }
    }
}
