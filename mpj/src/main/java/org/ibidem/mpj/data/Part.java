package org.ibidem.mpj.data;

import java.lang.foreign.MemorySegment;
import org.ibidem.mpj.ErrorClass;
import org.ibidem.mpj.Fault;
import org.ibidem.mpj.device.Incoming;
import org.ibidem.mpj.device.Outgoing;
import org.jspecify.annotations.Nullable;

/// Elements of an array: what a call of MPI sends from or receives into.
///
/// @param array of the shape's kind
/// @param offset of the first copy of the shape
/// @param count copies of the shape
/// @param shape how the elements of one copy lie
public record Part(Object array, int offset, int count, Shape shape) {
    /// Checks that all of it is there.
    ///
    /// @throws Fault when it is not
    public static Part of(@Nullable Object array, int offset, int count, Shape shape) {
        if (count < 0) {
            throw new Fault(ErrorClass.COUNT, "a count of " + count);
        }
        Kind kind = shape.kind();
        if (array == null) {
            Fault.unless(count == 0 || shape.size() == 0, ErrorClass.BUFFER, "the buffer is null");
            return new Part(kind.make(0), 0, 0, shape);
        }
        if (!kind.isArray(array)) {
            throw new Fault(
                    kind == Kind.NONE ? ErrorClass.TYPE : ErrorClass.BUFFER,
                    "the datatype is of "
                            + kind
                            + ", which takes "
                            + kind.arrayName()
                            + ", and the buffer is "
                            + array.getClass().getSimpleName());
        }
        Part part = new Part(array, offset, count, shape);
        part.check(kind.length(array));
        return part;
    }

    private void check(int length) {
        if (count == 0 || shape.runs() == 0) {
            return;
        }
        long far = (long) (count - 1) * shape.extent();
        long lowest = offset + shape.lowest() + Math.min(0, far);
        long highest = offset + shape.highest() + Math.max(0, far);
        if (lowest < 0 || highest > length) {
            throw new Fault(
                    ErrorClass.BUFFER,
                    "the buffer has "
                            + length
                            + " elements, and "
                            + count
                            + " of the datatype at offset "
                            + offset
                            + " reach from "
                            + lowest
                            + " to "
                            + (highest - 1));
        }
    }

    /// Another part of the same array with the same shape.
    public Part at(int where, int copies) {
        return of(array, where, copies, shape);
    }

    /// A part like it, of an array of its own: for what is received only to be worked on.
    public Part alike() {
        int far = (count - 1) * shape.extent();
        int before = count == 0 ? 0 : Math.min(0, far) + Math.min(0, shape.lowest());
        int behind = count == 0 ? 0 : Math.max(0, far) + Math.max(0, shape.highest());
        return new Part(shape.kind().make(behind - before), -before, count, shape);
    }

    /// How many elements it has.
    public long elements() {
        return (long) count * shape.size();
    }

    /// Bytes they take on the way; of objects the static section's.
    public long bytes() {
        return elements() * shape.kind().size();
    }

    /// As a message.
    public Outgoing outgoing() {
        return shape.kind() == Kind.OBJECT ? new ObjectMessage(this) : new ArrayMessage(this);
    }

    /// As where a message is received into.
    public Incoming incoming() {
        return shape.kind() == Kind.OBJECT ? new ObjectTarget(this) : new ArrayTarget(this);
    }

    /// Copies its elements to another part, as a message would: objects become other ones.
    public void copyTo(Part other) {
        if (elements() == 0) {
            return; // wherever it would begin
        }
        if (shape.kind() == other.shape.kind()
                && bytes() <= other.bytes()
                && shape.isDense()
                && other.shape.isDense()
                && shape.kind() != Kind.OBJECT) {
            System.arraycopy(array, offset, other.array, other.offset, Math.toIntExact(elements()));
            return;
        }
        Messages.copy(outgoing(), other.incoming());
    }

    /// What is done with runs of elements of two parts.
    public interface Pairs {
        /// So many elements from these indices.
        void run(int left, int right, int count);
    }

    /// Goes through the elements of two parts at once, as far as both have some.
    public static void pairs(Part left, Part right, Pairs each) {
        Walk one = new Walk(left);
        Walk other = new Walk(right);
        long elements = Math.min(left.elements(), right.elements());
        while (elements > 0) {
            int some = (int) Math.min(elements, Math.min(one.ahead(), other.ahead()));
            each.run(one.index(), other.index(), some);
            one.skip(some);
            other.skip(some);
            elements -= some;
        }
    }

    /// Where each of its elements is, in the order in which they travel.
    public int[] indices() {
        int[] all = new int[Math.toIntExact(elements())];
        Walk walk = new Walk(this);
        for (int i = 0; i < all.length; i++) {
            all[i] = walk.index();
            walk.skip(1);
        }
        return all;
    }

    /// Writes its elements to memory, objects not.
    void store(MemorySegment into, long at) {
        new Walk(this).store(into, at, Math.toIntExact(bytes()));
    }
}
