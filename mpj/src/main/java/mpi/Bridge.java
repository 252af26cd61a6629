package mpi;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.ibidem.mpj.ErrorClass;
import org.ibidem.mpj.Fault;
import org.ibidem.mpj.collective.Movement;
import org.ibidem.mpj.collective.Team;
import org.ibidem.mpj.data.Part;
import org.ibidem.mpj.device.Device;
import org.ibidem.mpj.device.Request;
import org.jspecify.annotations.Nullable;

/// What two groups agree on by their leaders.
final class Bridge {
    private static final int CONTEXT = 3;

    private Bridge() {}

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
        int[] told = new int[2 + peer.device().size()];
        if (team.rank() == localLeader) {
            told = exchange(peer, team, remoteLeader, tag);
        }
        Movement.broadcast(team, MPI.ints(told), localLeader);
        int[] remote = Arrays.copyOfRange(told, 2, 2 + told[1]);
        Fault.unless(
                Arrays.stream(remote)
                        .noneMatch(one -> Group.isSubset(new int[] {one}, team.members())),
                ErrorClass.COMM,
                "the groups of an Intercomm have no member in common");
        return new Intercomm(peer.live(), team.members(), remote, told[0], peer.handler());
    }

    /// What the leaders tell each other: a context (the greater one is taken), how many they are
    /// and who.
    private static int[] exchange(Comm peer, Team team, int remoteLeader, int tag) {
        Device device = peer.device();
        Fault.unless(tag >= 0, ErrorClass.TAG, "a message cannot have the tag " + tag);
        int to = peer.peer(remoteLeader);
        int[] mine = new int[2 + device.size()];
        int[] theirs = mine.clone();
        mine[0] = peer.live().newContext();
        mine[1] = team.size();
        System.arraycopy(team.members(), 0, mine, 2, team.size());
        Request receive =
                device.irecv(MPI.ints(theirs).incoming(), to, tag, peer.context() + CONTEXT);
        Request send = device.isend(MPI.ints(mine).outgoing(), to, tag, peer.context() + CONTEXT);
        receive.await();
        send.await();
        theirs[0] = Math.max(mine[0], theirs[0]);
        return theirs;
    }

    /// The first ranks of both groups agree: on a context, and on what each says.
    ///
    /// @return the context, what this group said and what the other did
    static int[] agree(Intercomm comm, int said) {
        Team team = comm.team();
        int[] agreed = new int[3];
        if (team.rank() == 0) {
            Device device = comm.device();
            int[] mine = {comm.live().newContext(), said};
            int[] theirs = new int[2];
            int to = comm.remote()[0];
            Request receive =
                    device.irecv(MPI.ints(theirs).incoming(), to, 0, comm.context() + CONTEXT);
            Request send = device.isend(MPI.ints(mine).outgoing(), to, 0, comm.context() + CONTEXT);
            receive.await();
            send.await();
            agreed = new int[] {Math.max(mine[0], theirs[0]), said, theirs[1]};
        }
        Part all = MPI.ints(agreed);
        Movement.broadcast(team, all, 0);
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
