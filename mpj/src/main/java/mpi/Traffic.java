package mpi;

import org.ibidem.mpj.ErrorClass;
import org.ibidem.mpj.Fault;
import org.ibidem.mpj.data.Copy;
import org.ibidem.mpj.device.Device;
import org.ibidem.mpj.device.DeviceFailed;
import org.ibidem.mpj.device.Envelope;
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
        Device device = comm.live().device();
        checkSent(args.tag());
        Outgoing message = args.outgoing();
        if (args.peer() == MPI.PROC_NULL) {
            return null;
        }
        int to = comm.peer(args.peer());
        return switch (mode) {
            case STANDARD, READY -> device.isend(message, to, args.tag(), comm.context());
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

    void send(String call, Mode mode, Args args) {
        try {
            var request = begin(mode, args);
            if (request != null && request.test() == null) {
                comm.live().watch().await(request, comm, call, args);
            }
        } catch (Fault | DeviceFailed e) {
            throw comm.failure(call, e);
        }
    }

    Request isend(String call, Mode mode, Args args) {
        try {
            return Request.ofSend(comm, begin(mode, args));
        } catch (Fault | DeviceFailed e) {
            throw comm.failure(call, e);
        }
    }

    Status recv(Args args) {
        try {
            var request = receive(args);
            return request == null ? Status.ofNobody() : comm.status(request.await());
        } catch (Fault | DeviceFailed e) {
            throw comm.failure("Recv", e);
        }
    }

    Request irecv(Args args) {
        try {
            return Request.ofReceive(comm, receive(args));
        } catch (Fault | DeviceFailed e) {
            throw comm.failure("Irecv", e);
        }
    }

    Status sendrecv(Args out, Args in) {
        try {
            var receive = receive(in);
            var send = begin(Mode.STANDARD, out);
            Status status = receive == null ? Status.ofNobody() : comm.status(receive.await());
            if (send != null) {
                send.await();
            }
            return status;
        } catch (Fault | DeviceFailed e) {
            throw comm.failure("Sendrecv", e);
        }
    }

    Status replace(Args out, int from, int tag) {
        try {
            Device device = comm.live().device();
            checkSent(out.tag());
            int to = out.peer() == MPI.PROC_NULL ? MPI.PROC_NULL : comm.peer(out.peer());
            Copy copy = new Copy(out.outgoing());
            var receive =
                    receive(
                            new Args(
                                    out.buffer(),
                                    out.offset(),
                                    out.count(),
                                    out.type(),
                                    from,
                                    tag));
            var send =
                    to == MPI.PROC_NULL ? null : device.isend(copy, to, out.tag(), comm.context());
            Status status = receive == null ? Status.ofNobody() : comm.status(receive.await());
            if (send != null) {
                send.await();
            }
            return status;
        } catch (Fault | DeviceFailed e) {
            throw comm.failure("Sendrecv_replace", e);
        }
    }

    Status probe(int from, int tag) {
        try {
            Device device = comm.live().device();
            int source = source(from);
            int wanted = tag(tag);
            return from == MPI.PROC_NULL
                    ? Status.ofNobody()
                    : comm.status(device.probe(source, wanted, comm.context()));
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
            Envelope found = device.iprobe(source, wanted, comm.context());
            return found == null ? null : comm.status(found);
        } catch (Fault | DeviceFailed e) {
            throw comm.failure("Iprobe", e);
        }
    }
}
