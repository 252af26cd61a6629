package mpi;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.ibidem.mpj.ErrorClass;
import org.ibidem.mpj.Fault;
import org.ibidem.mpj.collective.Movement;
import org.ibidem.mpj.collective.Team;
import org.ibidem.mpj.data.Part;
import org.ibidem.mpj.device.Begun;
import org.ibidem.mpj.device.Device;
import org.ibidem.mpj.device.Request;
import org.jspecify.annotations.Nullable;

/// What two groups agree on by their leaders.
///
/// @param peer what the leaders send each other messages over
/// @param team this process's group
/// @param leader its rank in that
/// @param to the process that leads the other group, as far as this process leads its own
/// @param tag of the leaders' messages
record Bridge(Comm peer, Team team, int leader, int to, int tag) {
    private static final int CONTEXT = 3;

    static Intercomm between(
            Comm peer, @Nullable Comm local, int localLeader, int remoteLeader, int tag) {
        if (local == null) {
            throw new Fault(ErrorClass.COMM, "the local communicator is null");
        }
        Agreement.check(local, "Create_intercomm", localLeader);
        Team team = local.team();
        Fault.unless(
                localLeader >= 0 && localLeader < team.size(),
                ErrorClass.RANK,
                "there is no rank " + localLeader + " in a communicator of " + team.size());
        boolean leads = team.rank() == localLeader;
        Fault.unless(!leads || tag >= 0, ErrorClass.TAG, "a message cannot have the tag " + tag);
        Bridge bridge =
                new Bridge(peer, team, localLeader, leads ? peer.peer(remoteLeader) : -1, tag);
        int[] told = new int[2 + peer.device().size()];
        if (leads) {
            told = bridge.members();
        }
        Movement.broadcast(team, MPI.ints(told), localLeader);
        int[] remote = Arrays.copyOfRange(told, 2, 2 + told[1]);
        Fault.unless(
                Arrays.stream(remote)
                        .noneMatch(one -> Group.isSubset(new int[] {one}, team.members())),
                ErrorClass.COMM,
                "the groups of an Intercomm have no member in common");
        int context = bridge.unused(told[0]);
        return new Intercomm(peer.live(), team.members(), remote, context, peer.handler());
    }

    /// What the leaders tell each other: a context, how many they are and who.
    private int[] members() {
        int[] mine = new int[2 + peer.device().size()];
        mine[0] = peer.live().newContext();
        mine[1] = team.size();
        System.arraycopy(team.members(), 0, mine, 2, team.size());
        int[] theirs = swap(mine);
        theirs[0] = greater(mine[0], theirs[0]);
        return theirs;
    }

    /// What this leader says to the other, and the other to this.
    private int[] swap(int[] mine) {
        Device device = peer.device();
        int context = peer.context() + CONTEXT;
        int[] theirs = mine.clone();
        try (Begun begun = new Begun()) {
            Request _ = begun.receives(device.irecv(MPI.ints(theirs).incoming(), to, tag, context));
            Request _ = begun.sends(device.isend(MPI.ints(mine).outgoing(), to, tag, context));
            begun.await();
        }
        return theirs;
    }

    /// Of two contexts, each given by [World#newContext], the greater one as it was given.
    private static int greater(int one, int other) {
        return Math.max(one, ~one) > Math.max(other, ~other) ? one : other;
    }

    /// The context that was given, unless it comes round and a process of the two groups still uses
    /// it: then another.
    private int unused(int given) {
        int[] agreed = {given};
        while (agreed[0] < 0) {
            int[] used = {peer.live().anyUses(team, ~agreed[0]) ? 1 : 0};
            if (team.rank() == leader) {
                boolean free = used[0] + swap(used)[0] == 0;
                agreed[0] = free ? ~agreed[0] : another();
            }
            Movement.broadcast(team, MPI.ints(agreed), leader);
        }
        return agreed[0];
    }

    private int another() {
        int[] mine = {peer.live().newContext()};
        return greater(mine[0], swap(mine)[0]);
    }

    /// The first ranks of both groups agree: on a context, and on what each says.
    ///
    /// @return the context, what this group said and what the other did
    static int[] agree(Intercomm comm, int said) {
        Team team = comm.team();
        Bridge bridge = new Bridge(comm, team, 0, comm.remote()[0], 0);
        int[] agreed = new int[3];
        if (team.rank() == 0) {
            int[] mine = {comm.live().newContext(), said};
            int[] theirs = bridge.swap(mine);
            agreed = new int[] {greater(mine[0], theirs[0]), said, theirs[1]};
        }
        Part all = MPI.ints(agreed);
        Movement.broadcast(team, all, 0);
        agreed[0] = bridge.unused(agreed[0]);
        return agreed;
    }

    static Intracomm merged(Intercomm comm, boolean high) {
        Agreement.check(comm, "Merge", -1);
        int[] agreed = agree(comm, high ? 1 : 0);
        int[] local = comm.local();
        int[] remote = comm.remote();
        boolean behind = agreed[1] == agreed[2] ? local[0] > remote[0] : agreed[1] > agreed[2];
        int[] members =
                IntStream.concat(
                                Arrays.stream(behind ? remote : local),
                                Arrays.stream(behind ? local : remote))
                        .toArray();
        return new Intracomm(comm.live(), members, agreed[0], comm.handler());
    }
}
