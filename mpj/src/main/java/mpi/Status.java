package mpi;

import org.ibidem.mpj.data.Kind;
import org.ibidem.mpj.device.Envelope;

/// What became of a request.
public class Status {
    /// Who sent it, as a rank; [MPI#ANY_SOURCE] of an empty one.
    public int source;

    /// Its tag; [MPI#ANY_TAG] of an empty one.
    public int tag;

    /// Where its request stood in the array; [MPI#UNDEFINED] where there was none.
    public int index;

    /// How many elements of its basic type it had.
    public int count;

    /// The same.
    public int numEls;

    /// How many bytes they took.
    public int countInBytes;

    private final int type;
    private final long bytes;
    private final boolean cancelled;

    /// An empty one.
    public Status() {
        this(MPI.ANY_SOURCE, MPI.ANY_TAG, 0, 0, false);
    }

    private Status(int source, int tag, int type, long bytes, boolean cancelled) {
        this.source = source;
        this.tag = tag;
        this.type = type;
        this.bytes = bytes;
        this.cancelled = cancelled;
        this.countInBytes = (int) Math.min(Integer.MAX_VALUE, bytes);
        this.count = (int) Math.min(Integer.MAX_VALUE, bytes / Kind.of(type).sizeOrOne());
        this.numEls = count;
    }

    /// What came of nobody.
    static Status ofNobody() {
        return new Status(MPI.PROC_NULL, MPI.ANY_TAG, 0, 0, false);
    }

    static Status undefined() {
        Status status = new Status();
        status.index = MPI.UNDEFINED;
        return status;
    }

    /// @param source as a rank
    static Status of(Envelope envelope, int source) {
        return envelope.cancelled()
                ? new Status(MPI.ANY_SOURCE, MPI.ANY_TAG, 0, 0, true)
                : new Status(source, envelope.tag(), envelope.type(), envelope.bytes(), false);
    }

    Status at(int index) {
        this.index = index;
        return this;
    }

    /// How many of a datatype it had, or [MPI#UNDEFINED] when that is no whole number.
    public int Get_count(Datatype datatype) {
        long size = guarded(datatype);
        if (size == 0) {
            return bytes == 0 ? 0 : MPI.UNDEFINED;
        }
        return bytes % size == 0 && bytes / size <= Integer.MAX_VALUE
                ? (int) (bytes / size)
                : MPI.UNDEFINED;
    }

    /// How many elements of the datatype's basic type it had, or [MPI#UNDEFINED] when it was of
    /// another.
    public int Get_elements(Datatype datatype) {
        long _ = guarded(datatype);
        int size = datatype.shape().kind().sizeOrOne();
        return bytes % size == 0 && bytes / size <= Integer.MAX_VALUE
                ? (int) (bytes / size)
                : MPI.UNDEFINED;
    }

    private long guarded(Datatype datatype) {
        try {
            return Datatype.checked(datatype).byteSize();
        } catch (org.ibidem.mpj.Fault e) {
            throw World.failure("Get_count", e);
        }
    }

    /// Whether its request was cancelled.
    public boolean Test_cancelled() {
        return cancelled;
    }

    /// The number of its basic type, 0 of an empty one.
    int type() {
        return type;
    }

    /// Nothing: memory frees itself.
    public void free() {}

    /// As [#free].
    public void Free() {}
}
