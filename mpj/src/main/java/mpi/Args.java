package mpi;

import mpjbuf.Buffer;
import org.ibidem.mpj.ErrorClass;
import org.ibidem.mpj.Fault;
import org.ibidem.mpj.data.Part;
import org.ibidem.mpj.device.Incoming;
import org.ibidem.mpj.device.Outgoing;
import org.jspecify.annotations.Nullable;

/// The arguments of a call that sends or receives.
///
/// @param buffer an array, or a [Buffer] of what was packed
/// @param offset where it begins
/// @param count copies of the datatype
/// @param type of them
/// @param peer a rank
/// @param tag of the message
record Args(
        @Nullable Object buffer,
        int offset,
        int count,
        @Nullable Datatype type,
        int peer,
        int tag) {
    Outgoing outgoing() {
        return buffer instanceof Buffer packed
                ? packed(packed).outgoing(count)
                : Datatype.part(buffer, offset, count, type).outgoing();
    }

    Incoming incoming() {
        return buffer instanceof Buffer packed
                ? packed(packed).incoming(count)
                : Datatype.part(buffer, offset, count, type).incoming();
    }

    @SuppressWarnings("ReferenceEquality") // it is a constant
    private Buffer packed(Buffer packed) {
        Fault.unless(
                type == MPI.PACKED,
                ErrorClass.TYPE,
                "an mpjbuf.Buffer is sent and received as MPI.PACKED");
        Fault.unless(count >= 0, ErrorClass.COUNT, "a count of " + count);
        return packed;
    }

    /// For who keeps it: so the one of a call that does not wait needs no memory.
    Args copy() {
        return new Args(buffer, offset, count, type, peer, tag);
    }

    /// Refuses what cannot be sent or received; nothing is written for that.
    void check() {
        if (buffer instanceof Buffer packed) {
            Buffer _ = packed(packed);
        } else {
            Part _ = Datatype.part(buffer, offset, count, type);
        }
    }
}
