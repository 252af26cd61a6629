package mpi;

import java.lang.foreign.MemorySegment;
import mpjbuf.Buffer;
import org.ibidem.mpj.ErrorClass;
import org.ibidem.mpj.Fault;
import org.ibidem.mpj.data.Kind;
import org.ibidem.mpj.data.Packed;
import org.ibidem.mpj.data.Part;

/// Pack and Unpack.
final class Packing {
    private static final String INTO = "buffer to pack into";
    private static final String FROM = "buffer to unpack from";

    private Packing() {}

    static int size(int count, Datatype type) {
        Fault.unless(count >= 0, ErrorClass.COUNT, "a count of " + count);
        Fault.unless(
                Datatype.checked(type).shape().kind() != Kind.OBJECT,
                ErrorClass.TYPE,
                "objects have no size before they are packed");
        long one = type.byteSize();
        Fault.unless(
                one == 0 || count <= Integer.MAX_VALUE / one,
                ErrorClass.COUNT,
                "what is packed takes less than 2 GiB");
        return (int) (count * one);
    }

    static int pack(Part part, byte[] into, int position) {
        return (int) Packed.pack(part, MemorySegment.ofArray(Fault.given(into, INTO)), position);
    }

    static int pack(Part part, Buffer into, int position) {
        int end = (int) Packed.pack(part, Fault.given(into, INTO).memory(), position);
        into.setSize(Math.max(into.getSize(), end));
        return end;
    }

    static int unpack(byte[] from, int position, Part part) {
        return (int) Packed.unpack(MemorySegment.ofArray(Fault.given(from, FROM)), position, part);
    }

    static int unpack(Buffer from, int position, Part part) {
        return (int) Packed.unpack(Fault.given(from, FROM).memory(), position, part);
    }
}
