package mpi;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import mpjbuf.Buffer;
import org.ibidem.mpj.ErrorClass;
import org.ibidem.mpj.Fault;
import org.ibidem.mpj.collective.Team;
import org.ibidem.mpj.device.Device;
import org.ibidem.mpj.device.DeviceFailed;
import org.ibidem.mpj.device.Envelope;
import org.jspecify.annotations.Nullable;

/// A group of processes that exchange messages no other communicator sees.
public class Comm {
    static final int NO_ROOT = -1;
    private static final int COLLECTIVE = 1;

    /// Its group, of an [Intercomm] the local one. Not to be changed.
    public Group group;

    private final @Nullable World world;
    private final int[] local;
    private final int[] remote;
    final LastCall last; // the world's
    private final int context;
    private final int rank;

    /// The rank of each process, or [MPI#ANY_SOURCE].
    private final int[] ranks;

    private final Map<Integer, Object> attributes = new ConcurrentHashMap<>();
    private final Traffic traffic = new Traffic(this);
    private volatile Errhandler handler;
    private volatile boolean freed;

    /// @param world null before [MPI#Init]
    /// @param local the members of this process's group, by rank
    /// @param remote those that messages are exchanged with, by rank
    /// @param context the first of [World#CONTEXTS]
    Comm(@Nullable World world, int[] local, int[] remote, int context, Errhandler handler) {
        this.world = world;
        this.last = world == null ? LastCall.NONE : world.last();
        this.local = local;
        this.remote = remote;
        this.context = context;
        this.handler = handler;
        this.group = new Group(local, world == null ? MPI.UNDEFINED : world.device().id());
        this.rank = group.Rank();
        this.ranks = Group.ranks(remote);
        World.made(this, world);
    }

    /// The world, while this may be used.
    final World live() {
        World mine = world;
        if (mine == null) {
            throw new Fault(ErrorClass.OTHER, "MPI.Init has not been called");
        }
        Fault.unless(!mine.isFinished(), ErrorClass.OTHER, "MPI.Finalize has been called");
        Fault.unless(!freed, ErrorClass.COMM, "the communicator has been freed");
        return mine;
    }

    final Device device() {
        return live().device();
    }

    final int context() {
        return context;
    }

    final int[] local() {
        return local;
    }

    final int[] remote() {
        return remote;
    }

    final Traffic traffic() {
        return traffic;
    }

    final Errhandler handler() {
        return handler;
    }

    /// The local group, in a context of its own.
    final Team team(int which) {
        return new Team(device(), local, rank, context + which);
    }

    final Team team() {
        return team(COLLECTIVE);
    }

    /// The process of a rank.
    final int peer(int of) {
        if (of < 0 || of >= remote.length) {
            throw new Fault(
                    ErrorClass.RANK,
                    "there is no rank " + of + " in a communicator of " + remote.length);
        }
        return remote[of];
    }

    final Status status(Envelope envelope) {
        int from = envelope.source();
        return Status.of(envelope, from < 0 || from >= ranks.length ? MPI.ANY_SOURCE : ranks[from]);
    }

    /// What is thrown; does not return where errors are fatal.
    final RuntimeException failure(String call, RuntimeException cause) {
        MPIException failure = World.exception(rank < 0 ? call : call + " on rank " + rank, cause);
        last.failed(call);
        World mine = world;
        if (mine != null && handler.fatal) {
            mine.ending().end(failure.Get_error_class(), failure);
        }
        return failure;
    }

    /// Does it, and hands an error to the handler.
    final <T extends @Nullable Object> T guarded(String call, Work<T> work) {
        try {
            live();
            return work.done();
        } catch (Fault | DeviceFailed e) {
            throw failure(call, e);
        }
    }

    /// The same of what others take part in: it is this process's last call.
    final <T extends @Nullable Object> T noted(String call, int root, Work<T> work) {
        return guarded(
                call,
                () -> {
                    long word = last.begin(Call.of(call), LastCall.peer(remote, root), -1);
                    try {
                        T done = work.done();
                        last.over(word);
                        return done;
                    } catch (RuntimeException | Error e) { // also what a user's Op throws
                        last.failed(call);
                        throw e;
                    }
                });
    }

    /// How many processes are in its (local) group.
    public int Size() {
        return guarded("Size", () -> local.length);
    }

    /// This process's rank in it.
    public int Rank() {
        return guarded("Rank", () -> rank);
    }

    /// Its (local) group.
    public Group Group() {
        return guarded("Group", () -> group);
    }

    /// [MPI#IDENT], [MPI#CONGRUENT] of equal groups, [MPI#SIMILAR] when the order differs, or
    /// [MPI#UNEQUAL].
    @SuppressWarnings("ReferenceEquality") // it is asked for
    public static int Compare(@Nullable Comm comm1, @Nullable Comm comm2) {
        if (comm1 == null || comm2 == null) {
            throw World.failure("Compare", new Fault(ErrorClass.COMM, "the communicator is null"));
        }
        if (comm1 == comm2) {
            return MPI.IDENT;
        }
        int local = Group.compare(comm1.local, comm2.local);
        int remote = Group.compare(comm1.remote, comm2.remote);
        if (comm1.Test_inter() != comm2.Test_inter()
                || local == MPI.UNEQUAL
                || remote == MPI.UNEQUAL) {
            return MPI.UNEQUAL;
        }
        return local == MPI.IDENT && remote == MPI.IDENT ? MPI.CONGRUENT : MPI.SIMILAR;
    }

    /// It is used no more; operations that have begun come to their end.
    @SuppressWarnings("ReferenceEquality") // these, and not their like
    public void Free() {
        guarded(
                "Free",
                () -> {
                    World mine = live();
                    Fault.unless(
                            this != mine.all() && this != mine.self(),
                            ErrorClass.COMM,
                            "COMM_WORLD and COMM_SELF cannot be freed");
                    freed = true;
                    return this;
                });
    }

    /// Whether it has been freed.
    public boolean Is_null() {
        return freed;
    }

    /// Whether it is an [Intercomm].
    public boolean Test_inter() {
        return false;
    }

    /// Two groups, each with a leader in this communicator, become an [Intercomm]. All of both call
    /// it.
    ///
    /// @param local_comm this process's group
    /// @param local_leader a rank in that
    /// @param remote_leader the other's leader, a rank in this communicator; only leaders need it
    /// @param tag of the messages of the leaders
    public Intercomm Create_intercomm(
            Comm local_comm, int local_leader, int remote_leader, int tag) {
        return noted(
                "Create_intercomm",
                NO_ROOT,
                () -> Bridge.between(this, local_comm, local_leader, remote_leader, tag));
    }

    /// The value of an attribute, or null. [MPI#TAG_UB], [MPI#HOST], [MPI#IO] and
    /// [MPI#WTIME_IS_GLOBAL] have one from the beginning.
    public @Nullable Object Attr_get(int keyval) {
        return guarded(
                "Attr_get", () -> attributes.getOrDefault(keyval, MPI.PREDEFINED.get(keyval)));
    }

    /// Gives an attribute a value. Copies of the communicator do not have it.
    public void Attr_put(int keyval, Object value) {
        guarded(
                "Attr_put",
                () -> {
                    Fault.unless(
                            !MPI.PREDEFINED.containsKey(keyval),
                            ErrorClass.ARG,
                            "the attribute " + keyval + " is predefined");
                    return attributes.put(keyval, Fault.given(value, "value of the attribute"));
                });
    }

    /// Takes an attribute's value away.
    public void Attr_delete(int keyval) {
        guarded(
                "Attr_delete",
                () -> {
                    Fault.unless(
                            attributes.containsKey(keyval),
                            ErrorClass.ARG,
                            "there is no attribute " + keyval);
                    return attributes.remove(keyval);
                });
    }

    /// What becomes of errors, from now on; communicators made of this one inherit it.
    public void Errorhandler_set(Errhandler errhandler) {
        handler = Errhandler.given(errhandler, this);
    }

    /// What becomes of errors.
    public Errhandler Errorhandler_get() {
        return handler;
    }

    /// Sends; returns when the buffer may be changed.
    public void Send(Object buf, int offset, int count, Datatype datatype, int dest, int tag) {
        traffic.send(Call.SEND, Mode.STANDARD, new Args(buf, offset, count, datatype, dest, tag));
    }

    /// Sends; returns when its receive has begun.
    public void Ssend(Object buf, int offset, int count, Datatype datatype, int dest, int tag) {
        traffic.send(
                Call.SSEND, Mode.SYNCHRONOUS, new Args(buf, offset, count, datatype, dest, tag));
    }

    /// Sends by way of the attached buffer; returns at once.
    public void Bsend(Object buf, int offset, int count, Datatype datatype, int dest, int tag) {
        traffic.send(Call.BSEND, Mode.BUFFERED, new Args(buf, offset, count, datatype, dest, tag));
    }

    /// Sends to whom has posted the receive; as [#Send].
    public void Rsend(Object buf, int offset, int count, Datatype datatype, int dest, int tag) {
        traffic.send(Call.RSEND, Mode.READY, new Args(buf, offset, count, datatype, dest, tag));
    }

    /// Begins a [#Send].
    public Request Isend(Object buf, int offset, int count, Datatype datatype, int dest, int tag) {
        return traffic.isend(
                Call.ISEND, Mode.STANDARD, new Args(buf, offset, count, datatype, dest, tag));
    }

    /// Begins a [#Bsend].
    public Request Ibsend(Object buf, int offset, int count, Datatype datatype, int dest, int tag) {
        return traffic.isend(
                Call.IBSEND, Mode.BUFFERED, new Args(buf, offset, count, datatype, dest, tag));
    }

    /// Begins an [#Ssend].
    public Request Issend(Object buf, int offset, int count, Datatype datatype, int dest, int tag) {
        return traffic.isend(
                Call.ISSEND, Mode.SYNCHRONOUS, new Args(buf, offset, count, datatype, dest, tag));
    }

    /// Begins an [#Rsend].
    public Request Irsend(Object buf, int offset, int count, Datatype datatype, int dest, int tag) {
        return traffic.isend(
                Call.IRSEND, Mode.READY, new Args(buf, offset, count, datatype, dest, tag));
    }

    /// Receives.
    public Status Recv(Object buf, int offset, int count, Datatype datatype, int source, int tag) {
        return traffic.recv(new Args(buf, offset, count, datatype, source, tag));
    }

    /// Begins a [#Recv].
    public Request Irecv(
            Object buf, int offset, int count, Datatype datatype, int source, int tag) {
        return traffic.irecv(new Args(buf, offset, count, datatype, source, tag));
    }

    /// What a receive would get now, or null.
    public @Nullable Status Iprobe(int source, int tag) {
        return traffic.iprobe(source, tag);
    }

    /// Waits until a receive would get something.
    public Status Probe(int source, int tag) {
        return traffic.probe(source, tag);
    }

    /// A [#Send] that can be started again and again.
    public Prequest Send_init(
            Object buf, int offset, int count, Datatype datatype, int dest, int tag) {
        return new Prequest(this, Mode.STANDARD, new Args(buf, offset, count, datatype, dest, tag));
    }

    /// A [#Bsend] that can be started again and again.
    public Prequest Bsend_init(
            Object buf, int offset, int count, Datatype datatype, int dest, int tag) {
        return new Prequest(this, Mode.BUFFERED, new Args(buf, offset, count, datatype, dest, tag));
    }

    /// An [#Ssend] that can be started again and again.
    public Prequest Ssend_init(
            Object buf, int offset, int count, Datatype datatype, int dest, int tag) {
        return new Prequest(
                this, Mode.SYNCHRONOUS, new Args(buf, offset, count, datatype, dest, tag));
    }

    /// An [#Rsend] that can be started again and again.
    public Prequest Rsend_init(
            Object buf, int offset, int count, Datatype datatype, int dest, int tag) {
        return new Prequest(this, Mode.READY, new Args(buf, offset, count, datatype, dest, tag));
    }

    /// A [#Recv] that can be started again and again.
    public Prequest Recv_init(
            Object buf, int offset, int count, Datatype datatype, int source, int tag) {
        return new Prequest(this, null, new Args(buf, offset, count, datatype, source, tag));
    }

    /// Sends and receives at once.
    public Status Sendrecv(
            Object sendbuf,
            int sendoffset,
            int sendcount,
            Datatype sendtype,
            int dest,
            int sendtag,
            Object recvbuf,
            int recvoffset,
            int recvcount,
            Datatype recvtype,
            int source,
            int recvtag) {
        return traffic.sendrecv(
                new Args(sendbuf, sendoffset, sendcount, sendtype, dest, sendtag),
                new Args(recvbuf, recvoffset, recvcount, recvtype, source, recvtag));
    }

    /// Sends and receives into what was sent.
    public Status Sendrecv_replace(
            Object buf,
            int offset,
            int count,
            Datatype datatype,
            int dest,
            int sendtag,
            int source,
            int recvtag) {
        return traffic.replace(
                new Args(buf, offset, count, datatype, dest, sendtag), source, recvtag);
    }

    /// Bytes that so many take when packed. Objects have no size before they are written: they are
    /// refused with [MPI#ERR_TYPE].
    public int Pack_size(int incount, Datatype datatype) {
        return guarded("Pack_size", () -> Packing.size(incount, datatype));
    }

    /// Packs behind what is packed already.
    ///
    /// @param position where to
    /// @return where the next goes to
    public int Pack(
            Object inbuf, int offset, int incount, Datatype datatype, byte[] outbuf, int position) {
        return guarded(
                "Pack",
                () ->
                        Packing.pack(
                                Datatype.part(inbuf, offset, incount, datatype), outbuf, position));
    }

    /// The same, into a buffer.
    public int Pack(
            Object inbuf, int offset, int incount, Datatype datatype, Buffer outbuf, int position) {
        return guarded(
                "Pack",
                () ->
                        Packing.pack(
                                Datatype.part(inbuf, offset, incount, datatype), outbuf, position));
    }

    /// Unpacks the next.
    ///
    /// @param position where from
    /// @return where the next after it is
    public int Unpack(
            byte[] inbuf,
            int position,
            Object outbuf,
            int offset,
            int outcount,
            Datatype datatype) {
        return guarded(
                "Unpack",
                () ->
                        Packing.unpack(
                                inbuf,
                                position,
                                Datatype.part(outbuf, offset, outcount, datatype)));
    }

    /// The same, out of a buffer.
    public int Unpack(
            Buffer inbuf,
            int position,
            Object outbuf,
            int offset,
            int outcount,
            Datatype datatype) {
        return guarded(
                "Unpack",
                () ->
                        Packing.unpack(
                                inbuf,
                                position,
                                Datatype.part(outbuf, offset, outcount, datatype)));
    }

    /// [MPI#CART], [MPI#GRAPH] or [MPI#UNDEFINED].
    public int Topo_test() {
        return guarded("Topo_test", () -> MPI.UNDEFINED);
    }

    /// Ends the job.
    ///
    /// @param errorcode what this process exits with: its last 8 bits, and 1 where these are 0
    public void Abort(int errorcode) {
        guarded(
                "Abort",
                () -> {
                    live().ending()
                            .end(
                                    errorcode,
                                    new MPIException(
                                            "rank " + rank + " called Abort(" + errorcode + ")"));
                    return this;
                });
    }

    /// A communicator of the same group, with contexts of its own; all of it call it.
    @Override
    @SuppressWarnings({
        "MissingSuperCall",
        "CloneMethod"
    }) // part of the API, and no copy of an object
    public Object clone() {
        return guarded(
                "clone",
                () -> {
                    throw new Fault(ErrorClass.COMM, "a communicator of no kind cannot be copied");
                });
    }
}
