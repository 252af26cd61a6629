package mpi;

import org.ibidem.mpj.ErrorClass;
import org.ibidem.mpj.Fault;
import org.ibidem.mpj.data.Copy;
import org.ibidem.mpj.device.Begun;
import org.ibidem.mpj.device.Device;
import org.ibidem.mpj.device.DeviceFailed;
import org.ibidem.mpj.device.Envelope;
import org.ibidem.mpj.device.Incoming;
import org.ibidem.mpj.device.Outgoing;
import org.jspecify.annotations.Nullable;

/// Point-to-point messages of one communicator.
final class Traffic {
    private final Comm comm;

    Traffic(Comm comm) {
        this.comm = comm;
    }

    /// Begins to send; answers null when nobody receives it.
    org.ibidem.mpj.device.@Nullable Request begin(Mode mode, Args args) {
        return begin(mode, args, false);
    }

    /// @param now whether a message that can leave at once needs no request: the answer is null,
    ///   too
    private org.ibidem.mpj.device.@Nullable Request begin(Mode mode, Args args, boolean now) {
        Device device = comm.live().device();
        checkSent(args.tag());
        Outgoing message = args.outgoing();
        if (args.peer() == MPI.PROC_NULL) {
            return null;
        }
        int to = comm.peer(args.peer());
        return switch (mode) {
            case STANDARD, READY ->
                    now && device.sendsNow(message, to, args.tag(), comm.context())
                            ? null
                            : device.isend(message, to, args.tag(), comm.context());
            case SYNCHRONOUS -> device.issend(message, to, args.tag(), comm.context());
            case BUFFERED -> comm.live().attached().send(message, to, args.tag(), comm.context());
        };
    }

    /// Begins to receive; answers null when nobody sends it.
    org.ibidem.mpj.device.@Nullable Request receive(Args args) {
        Device device = comm.live().device();
        int from = source(args.peer());
        int tag = tag(args.tag());
        return args.peer() == MPI.PROC_NULL
                ? null
                : device.irecv(args.incoming(), from, tag, comm.context());
    }

    private Status received(Args args) {
        Device device = comm.live().device();
        int from = source(args.peer());
        int tag = tag(args.tag());
        return args.peer() == MPI.PROC_NULL
                ? Status.ofNobody()
                : comm.status(device.recv(args.incoming(), from, tag, comm.context()));
    }

    /// The process of a rank, or whoever.
    private int source(int rank) {
        return rank == MPI.ANY_SOURCE ? Device.ANY : rank == MPI.PROC_NULL ? rank : comm.peer(rank);
    }

    private static void checkSent(int tag) {
        if (tag < 0) {
            throw new Fault(
                    ErrorClass.TAG,
                    "a message cannot have the tag "
                            + (tag == MPI.ANY_TAG
                                    ? "MPI.ANY_TAG, which only receives take: send it with 0 or more"
                                    : tag));
        }
    }

    private static int tag(int tag) {
        if (tag < 0 && tag != MPI.ANY_TAG) {
            throw new Fault(
                    ErrorClass.TAG,
                    "no message has the tag " + tag + ", which is not MPI.ANY_TAG either");
        }
        return tag == MPI.ANY_TAG ? Device.ANY : tag;
    }

    /// Refuses what [#begin] and [#receive] would refuse for its arguments.
    ///
    /// @param mode null when it receives
    void check(@Nullable Mode mode, Args args) {
        World _ = comm.live();
        if (mode == null) {
            int _ = source(args.peer());
            int _ = tag(args.tag());
        } else {
            checkSent(args.tag());
        }
        if (mode != null || args.peer() != MPI.PROC_NULL) {
            args.check();
        }
        if (mode != null && args.peer() != MPI.PROC_NULL) {
            int _ = comm.peer(args.peer());
        }
    }

    /// It is this process's last call.
    private long note(LastCall last, Call call, Args args) {
        return last.begin(call, LastCall.peer(comm.remote(), args.peer()), args.tag());
    }

    void send(Call call, Mode mode, Args args) {
        try {
            LastCall last = comm.last;
            long word = note(last, call, args);
            var request = begin(mode, args, true);
            if (request != null && request.test() == null) {
                comm.live().watch().await(request, comm, call.name, args.copy());
            }
            last.over(word);
        } catch (Fault | DeviceFailed e) {
            throw comm.failure(call.name, e);
        }
    }

    Request isend(Call call, Mode mode, Args args) {
        try {
            LastCall last = comm.last;
            long word = note(last, call, args);
            Request begun = Request.ofSend(comm, begin(mode, args), word);
            last.over(word);
            return begun;
        } catch (Fault | DeviceFailed e) {
            throw comm.failure(call.name, e);
        }
    }

    /// Begins a persistent one.
    ///
    /// @param mode null when it receives
    void start(Prequest request, @Nullable Mode mode, Args args) {
        LastCall last = comm.last;
        long word = note(last, mode == null ? Call.START_RECV : Call.START_SEND, args);
        request.begin(mode == null ? receive(args) : begin(mode, args), word);
        last.over(word);
    }

    Status recv(Args args) {
        try {
            LastCall last = comm.last;
            long word = note(last, Call.RECV, args);
            Status status = received(args);
            last.over(word);
            return status;
        } catch (Fault | DeviceFailed e) {
            throw comm.failure("Recv", e);
        }
    }

    Request irecv(Args args) {
        try {
            LastCall last = comm.last;
            long word = note(last, Call.IRECV, args);
            Request begun = Request.ofReceive(comm, receive(args), word);
            last.over(word);
            return begun;
        } catch (Fault | DeviceFailed e) {
            throw comm.failure("Irecv", e);
        }
    }

    Status sendrecv(Args out, Args in) {
        try {
            LastCall last = comm.last;
            long sent = note(last, Call.ISEND, out);
            long received = note(last, Call.IRECV, in);
            last.begin(Call.SENDRECV, received);
            Posting posting = posting(in);
            try (Begun begun = new Begun()) {
                var send = begin(Mode.STANDARD, out); // first: it may be refused
                if (send != null) {
                    begun.sends(send);
                }
                return both(Call.SENDRECV, posting.post(begun), received, send, sent);
            }
        } catch (Fault | DeviceFailed e) {
            throw comm.failure("Sendrecv", e);
        }
    }

    /// Waits for both, and tells what it waits for. Once the message is received the call is as
    /// good as done, so that an interrupt only ends it where it can be as if it had not been.
    private Status both(
            Call call,
            org.ibidem.mpj.device.@Nullable Request receive,
            long received,
            org.ibidem.mpj.device.@Nullable Request send,
            long sent) {
        LastCall last = comm.last;
        long word = last.begin(call, received);
        Status status = receive == null ? Status.ofNobody() : comm.status(Begun.await(receive));
        if (send != null) {
            word = last.begin(call, sent);
            Envelope _ = receive == null ? Begun.await(send) : Begun.awaitEnd(send);
        }
        last.over(word);
        return status;
    }

    /// A receive whose arguments are right, and that is not posted yet.
    private interface Posting {
        org.ibidem.mpj.device.@Nullable Request post(Begun begun);
    }

    private Posting posting(Args args) {
        Device device = comm.live().device();
        int from = source(args.peer());
        int tag = tag(args.tag());
        if (args.peer() == MPI.PROC_NULL) {
            return _ -> null;
        }
        Incoming into = args.incoming();
        return begun -> begun.receives(device.irecv(into, from, tag, comm.context()));
    }

    Status replace(Args out, int from, int tag) {
        try {
            Device device = comm.live().device();
            checkSent(out.tag());
            int to = out.peer() == MPI.PROC_NULL ? MPI.PROC_NULL : comm.peer(out.peer());
            Copy copy = new Copy(out.outgoing());
            Args in = new Args(out.buffer(), out.offset(), out.count(), out.type(), from, tag);
            LastCall last = comm.last;
            long sent = note(last, Call.ISEND, out);
            long received = note(last, Call.IRECV, in);
            last.begin(Call.SENDRECV_REPLACE, received);
            Posting posting = posting(in);
            try (Begun begun = new Begun()) {
                var send =
                        to == MPI.PROC_NULL
                                ? null
                                : begun.sends(device.isend(copy, to, out.tag(), comm.context()));
                return both(Call.SENDRECV_REPLACE, posting.post(begun), received, send, sent);
            }
        } catch (Fault | DeviceFailed e) {
            throw comm.failure("Sendrecv_replace", e);
        }
    }

    Status probe(int from, int tag) {
        try {
            Device device = comm.live().device();
            int source = source(from);
            int wanted = tag(tag);
            if (from == MPI.PROC_NULL) {
                return Status.ofNobody();
            }
            LastCall last = comm.last;
            long word = last.begin(Call.PROBE, LastCall.peer(comm.remote(), from), tag);
            Status status = comm.status(device.probe(source, wanted, comm.context()));
            last.over(word);
            return status;
        } catch (Fault | DeviceFailed e) {
            throw comm.failure("Probe", e);
        }
    }

    @Nullable Status iprobe(int from, int tag) {
        try {
            Device device = comm.live().device();
            int source = source(from);
            int wanted = tag(tag);
            if (from == MPI.PROC_NULL) {
                return Status.ofNobody();
            }
            LastCall last = comm.last;
            long word = last.begin(Call.IPROBE, LastCall.peer(comm.remote(), from), tag);
            Envelope found = device.iprobe(source, wanted, comm.context());
            last.over(word);
            return found == null ? null : comm.status(found);
        } catch (Fault | DeviceFailed e) {
            throw comm.failure("Iprobe", e);
        }
    }
}
