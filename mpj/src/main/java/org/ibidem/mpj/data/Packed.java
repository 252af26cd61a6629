package org.ibidem.mpj.data;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ibidem.mpj.ErrorClass;
import org.ibidem.mpj.Fault;
import org.ibidem.mpj.device.Envelope;
import org.ibidem.mpj.device.Incoming;
import org.ibidem.mpj.device.Outgoing;

/// Parts one behind the other in memory. Primitives lie there as on the way; in front of objects
/// are two ints, the bytes of their static and of their dynamic section.
public final class Packed {
    /// Ints as they lie there.
    public static final ValueLayout.OfInt INTS = Kind.INTS;

    private static final int HEADER = 2 * Integer.BYTES;

    private Packed() {}

    /// Writes a part.
    ///
    /// @return where the next goes to
    public static long pack(Part part, MemorySegment into, long at) {
        Fault.unless(at >= 0, ErrorClass.ARG, "a position of " + at);
        if (part.shape().kind() != Kind.OBJECT) {
            room(into, at, part.bytes());
            part.store(into, at);
            return at + part.bytes();
        }
        Outgoing message = part.outgoing();
        int size = Math.toIntExact(message.bytes() + message.objects());
        room(into, at, (long) HEADER + size);
        write(message, size, into, at);
        return at + HEADER + size;
    }

    /// Objects, packed alone.
    public static byte[] objects(Part part) {
        Outgoing message = part.outgoing();
        int size = Math.toIntExact(message.bytes() + message.objects());
        byte[] bytes = new byte[HEADER + size];
        write(message, size, MemorySegment.ofArray(bytes), 0);
        return bytes;
    }

    private static void write(Outgoing message, int size, MemorySegment into, long at) {
        into.set(Kind.INTS, at, (int) message.bytes());
        into.set(Kind.INTS, at + Integer.BYTES, (int) message.objects());
        message.write(into, at + HEADER, size);
    }

    private static void room(MemorySegment into, long at, long bytes) {
        if (bytes > into.byteSize() - at) {
            throw new Fault(
                    ErrorClass.BUFFER,
                    "packing takes "
                            + bytes
                            + " bytes at "
                            + at
                            + " of a buffer of "
                            + into.byteSize());
        }
    }

    /// Reads a part.
    ///
    /// @return where the next is
    public static long unpack(MemorySegment from, long at, Part part) {
        Fault.unless(at >= 0, ErrorClass.ARG, "a position of " + at);
        Kind kind = part.shape().kind();
        if (kind != Kind.OBJECT) {
            there(from, at, part.bytes());
            return at + read(from, at, part, new int[] {(int) part.bytes(), 0});
        }
        there(from, at, HEADER);
        int[] sections = {from.get(Kind.INTS, at), from.get(Kind.INTS, at + Integer.BYTES)};
        Fault.unless(
                sections[0] >= 0 && sections[1] >= 0,
                ErrorClass.TYPE,
                "there are no objects at " + at);
        there(from, at + HEADER, (long) sections[0] + sections[1]);
        return at + HEADER + read(from, at + HEADER, part, sections);
    }

    private static long read(MemorySegment from, long at, Part part, int[] sections) {
        int type = part.shape().kind().code();
        Incoming into = part.incoming();
        long wanted =
                into.begin(new Envelope(0, 0, 0, 0, type, sections[0], sections[1], false, false));
        if (wanted > 0) {
            into.read(from, at, (int) wanted);
        }
        into.end();
        return (long) sections[0] + sections[1];
    }

    private static void there(MemorySegment from, long at, long bytes) {
        if (bytes > from.byteSize() - at) {
            throw new Fault(
                    ErrorClass.TRUNCATE,
                    "unpacking takes "
                            + bytes
                            + " bytes at "
                            + at
                            + " of a buffer of "
                            + from.byteSize());
        }
    }
}
