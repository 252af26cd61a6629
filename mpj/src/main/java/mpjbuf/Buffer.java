package mpjbuf;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.ibidem.mpj.ErrorClass;
import org.ibidem.mpj.Fault;
import org.ibidem.mpj.data.Packed;
import org.ibidem.mpj.data.Part;
import org.ibidem.mpj.data.Shape;
import org.ibidem.mpj.device.Incoming;
import org.ibidem.mpj.device.Outgoing;
import org.jspecify.annotations.Nullable;

/// A message of two sections: a static one of so many bytes, for what [mpi.Comm#Pack] packs and for
/// primitives; and a dynamic one that grows, for objects. It is sent and received as
/// [mpi.MPI#PACKED], both sections at once.
///
/// Values are also written by themselves, a **section header** in front of those of one type; after
/// [#commit] they are read in the same order:
///
/// ```java
/// buffer.putSectionHeader(Type.INT);
/// buffer.write(numbers, 0, 10);
/// buffer.putSectionHeader(Type.OBJECT);
/// buffer.write(objects, 0, 2);
/// buffer.commit();
/// ```
public class Buffer {
    /// Bytes of a section header.
    public static final int SECTION_OVERHEAD = 8;

    private final RawBuffer memory;
    private byte[] dynamic = {};
    private int size;
    private int position;
    private int objects;

    /// Where the header of the section is that is being written.
    private int header;

    private @Nullable Type section;
    private int left;

    /// Room for so many bytes.
    public Buffer(int capacity) {
        this(BufferFactory.create(capacity), 0, capacity);
    }

    /// In this memory.
    ///
    /// @param offset not used: there is nothing in front of messages
    /// @param size not used: all of the memory serves
    public Buffer(RawBuffer memory, int offset, int size) {
        this.memory = memory;
    }

    /// All of its static section's memory.
    public MemorySegment memory() {
        return MemorySegment.ofArray(memory.bytes());
    }

    /// How many bytes of the static section are used.
    public int getSize() {
        return size;
    }

    /// So many bytes of the static section are used.
    public void setSize(int bytes) {
        size = bytes;
    }

    /// How many bytes the static section has room for.
    public int getCapacity() {
        return memory.getCapacity();
    }

    /// The memory of the static section.
    public RawBuffer getStaticBuffer() {
        return memory;
    }

    /// The dynamic section.
    public byte[] getDynamicBuffer() {
        return dynamic.clone();
    }

    /// Makes this the dynamic section.
    public void setDynamicBuffer(byte[] bytes) {
        dynamic = bytes.clone();
    }

    /// Both sections are empty, to be written.
    public void clear() {
        size = 0;
        position = 0;
        objects = 0;
        section = null;
        dynamic = new byte[0];
    }

    /// All is written: from now on it is read, from its beginning.
    public void commit() {
        position = 0;
        objects = 0;
        section = null;
    }

    /// Nothing: memory frees itself.
    public void free() {}

    /// What follows is of this type.
    public void putSectionHeader(Type type) throws BufferException {
        if (SECTION_OVERHEAD > getCapacity() - size) {
            throw new BufferException(
                    "no room for a section header in a buffer of " + getCapacity() + " bytes");
        }
        section = type;
        header = size;
        left = 0;
        size += SECTION_OVERHEAD;
        memory().set(Packed.INTS, header, type.getCode());
        memory().set(Packed.INTS, header + Integer.BYTES, 0);
    }

    /// Of what type the values are that follow.
    public Type getSectionHeader() throws BufferException {
        if (SECTION_OVERHEAD > size - position) {
            throw new BufferException("the buffer has come to its end");
        }
        Type type = Type.getType(memory().get(Packed.INTS, position));
        section = type;
        left = memory().get(Packed.INTS, position + Integer.BYTES);
        position += SECTION_OVERHEAD;
        return type;
    }

    /// How many values of this section were not read.
    public int getSectionSize() {
        return left;
    }

    private void expect(Type type) throws BufferException {
        if (section != type) {
            throw new BufferException(
                    "a value of "
                            + type
                            + " in "
                            + (section == null ? "no section" : "a section of " + section));
        }
    }

    private static Part part(Type type, Object array, int offset, int count) {
        return Part.of(array, offset, count, Shape.of(type.kind(), 1));
    }

    private void put(Type type, Object array, int offset, int count) throws BufferException {
        expect(type);
        try {
            if (type == Type.OBJECT) {
                byte[] more = Packed.objects(part(type, array, offset, count));
                int before = dynamic.length;
                dynamic = Arrays.copyOf(dynamic, Math.addExact(before, more.length));
                System.arraycopy(more, 0, dynamic, before, more.length);
            } else {
                size = (int) Packed.pack(part(type, array, offset, count), memory(), size);
            }
        } catch (Fault e) {
            throw new BufferException(e.getMessage(), e);
        }
        left += count;
        memory().set(Packed.INTS, header + Integer.BYTES, left);
    }

    private void take(Type type, Object array, int offset, int count) throws BufferException {
        expect(type);
        if (count > left) {
            throw new BufferException("the section has " + left + " values left, not " + count);
        }
        try {
            if (type == Type.OBJECT) {
                objects =
                        (int)
                                Packed.unpack(
                                        MemorySegment.ofArray(dynamic),
                                        objects,
                                        part(type, array, offset, count));
            } else {
                position =
                        (int) Packed.unpack(memory(), position, part(type, array, offset, count));
            }
        } catch (Fault e) {
            throw new BufferException(e.getMessage(), e);
        }
        left -= count;
    }

    private void pick(Type type, Object array, int[] indexes) throws BufferException {
        Object picked = type.kind().make(indexes.length);
        for (int i = 0; i < indexes.length; i++) {
            System.arraycopy(array, indexes[i], picked, i, 1);
        }
        put(type, picked, 0, indexes.length);
    }

    private void spread(Type type, Object array, int[] indexes) throws BufferException {
        Object read = type.kind().make(indexes.length);
        take(type, read, 0, indexes.length);
        for (int i = 0; i < indexes.length; i++) {
            System.arraycopy(read, i, array, indexes[i], 1);
        }
    }

    private static int[] some(int[] indexes, int offset, int count) {
        return Arrays.copyOfRange(indexes, offset, offset + count);
    }

    /// As a message: the first bytes of the static section, and the dynamic one.
    public Outgoing outgoing(int bytes) {
        Fault.unless(
                bytes <= getCapacity(),
                ErrorClass.BUFFER,
                "the buffer has " + getCapacity() + " bytes, and " + bytes + " are to be sent");
        return new Sections.Sent(memory(), bytes, MemorySegment.ofArray(dynamic));
    }

    /// As where a message is received into.
    ///
    /// @param bytes of the static section at most
    public Incoming incoming(int bytes) {
        return new Sections.Received(
                memory(),
                Math.min(bytes, getCapacity()),
                (came, section) -> {
                    clear();
                    size = came;
                    dynamic = section;
                });
    }

    /// Writes values behind each other.
    public void write(byte[] source, int offset, int count) throws BufferException {
        put(Type.BYTE, source, offset, count);
    }

    /// Reads values to behind each other.
    public void read(byte[] dest, int offset, int count) throws BufferException {
        take(Type.BYTE, dest, offset, count);
    }

    /// Writes the values at these indexes, so many from the offset on.
    public void gather(byte[] source, int count, int offset, int[] indexes) throws BufferException {
        pick(Type.BYTE, source, some(indexes, offset, count));
    }

    /// Reads values to these indexes, so many from the offset on.
    public void scatter(byte[] dest, int count, int offset, int[] indexes) throws BufferException {
        spread(Type.BYTE, dest, some(indexes, offset, count));
    }

    /// Writes values behind each other.
    public void write(short[] source, int offset, int count) throws BufferException {
        put(Type.SHORT, source, offset, count);
    }

    /// Reads values to behind each other.
    public void read(short[] dest, int offset, int count) throws BufferException {
        take(Type.SHORT, dest, offset, count);
    }

    /// Writes the values at these indexes, so many from the offset on.
    public void gather(short[] source, int count, int offset, int[] indexes)
            throws BufferException {
        pick(Type.SHORT, source, some(indexes, offset, count));
    }

    /// Reads values to these indexes, so many from the offset on.
    public void scatter(short[] dest, int count, int offset, int[] indexes) throws BufferException {
        spread(Type.SHORT, dest, some(indexes, offset, count));
    }

    /// Writes values behind each other.
    public void write(int[] source, int offset, int count) throws BufferException {
        put(Type.INT, source, offset, count);
    }

    /// Reads values to behind each other.
    public void read(int[] dest, int offset, int count) throws BufferException {
        take(Type.INT, dest, offset, count);
    }

    /// Writes the values at these indexes, so many from the offset on.
    public void gather(int[] source, int count, int offset, int[] indexes) throws BufferException {
        pick(Type.INT, source, some(indexes, offset, count));
    }

    /// Reads values to these indexes, so many from the offset on.
    public void scatter(int[] dest, int count, int offset, int[] indexes) throws BufferException {
        spread(Type.INT, dest, some(indexes, offset, count));
    }

    /// Writes values behind each other.
    public void write(long[] source, int offset, int count) throws BufferException {
        put(Type.LONG, source, offset, count);
    }

    /// Reads values to behind each other.
    public void read(long[] dest, int offset, int count) throws BufferException {
        take(Type.LONG, dest, offset, count);
    }

    /// Writes the values at these indexes, so many from the offset on.
    public void gather(long[] source, int count, int offset, int[] indexes) throws BufferException {
        pick(Type.LONG, source, some(indexes, offset, count));
    }

    /// Reads values to these indexes, so many from the offset on.
    public void scatter(long[] dest, int count, int offset, int[] indexes) throws BufferException {
        spread(Type.LONG, dest, some(indexes, offset, count));
    }

    /// Writes values behind each other.
    public void write(char[] source, int offset, int count) throws BufferException {
        put(Type.CHAR, source, offset, count);
    }

    /// Reads values to behind each other.
    public void read(char[] dest, int offset, int count) throws BufferException {
        take(Type.CHAR, dest, offset, count);
    }

    /// Writes the values at these indexes, so many from the offset on.
    public void gather(char[] source, int count, int offset, int[] indexes) throws BufferException {
        pick(Type.CHAR, source, some(indexes, offset, count));
    }

    /// Reads values to these indexes, so many from the offset on.
    public void scatter(char[] dest, int count, int offset, int[] indexes) throws BufferException {
        spread(Type.CHAR, dest, some(indexes, offset, count));
    }

    /// Writes values behind each other.
    public void write(float[] source, int offset, int count) throws BufferException {
        put(Type.FLOAT, source, offset, count);
    }

    /// Reads values to behind each other.
    public void read(float[] dest, int offset, int count) throws BufferException {
        take(Type.FLOAT, dest, offset, count);
    }

    /// Writes the values at these indexes, so many from the offset on.
    public void gather(float[] source, int count, int offset, int[] indexes)
            throws BufferException {
        pick(Type.FLOAT, source, some(indexes, offset, count));
    }

    /// Reads values to these indexes, so many from the offset on.
    public void scatter(float[] dest, int count, int offset, int[] indexes) throws BufferException {
        spread(Type.FLOAT, dest, some(indexes, offset, count));
    }

    /// Writes values behind each other.
    public void write(double[] source, int offset, int count) throws BufferException {
        put(Type.DOUBLE, source, offset, count);
    }

    /// Reads values to behind each other.
    public void read(double[] dest, int offset, int count) throws BufferException {
        take(Type.DOUBLE, dest, offset, count);
    }

    /// Writes the values at these indexes, so many from the offset on.
    public void gather(double[] source, int count, int offset, int[] indexes)
            throws BufferException {
        pick(Type.DOUBLE, source, some(indexes, offset, count));
    }

    /// Reads values to these indexes, so many from the offset on.
    public void scatter(double[] dest, int count, int offset, int[] indexes)
            throws BufferException {
        spread(Type.DOUBLE, dest, some(indexes, offset, count));
    }

    /// Writes values behind each other.
    public void write(boolean[] source, int offset, int count) throws BufferException {
        put(Type.BOOLEAN, source, offset, count);
    }

    /// Reads values to behind each other.
    public void read(boolean[] dest, int offset, int count) throws BufferException {
        take(Type.BOOLEAN, dest, offset, count);
    }

    /// Writes the values at these indexes, so many from the offset on.
    public void gather(boolean[] source, int count, int offset, int[] indexes)
            throws BufferException {
        pick(Type.BOOLEAN, source, some(indexes, offset, count));
    }

    /// Reads values to these indexes, so many from the offset on.
    public void scatter(boolean[] dest, int count, int offset, int[] indexes)
            throws BufferException {
        spread(Type.BOOLEAN, dest, some(indexes, offset, count));
    }

    /// Writes values behind each other.
    public void write(Object[] source, int offset, int count) throws BufferException {
        put(Type.OBJECT, source, offset, count);
    }

    /// Reads values to behind each other.
    public void read(Object[] dest, int offset, int count) throws BufferException {
        take(Type.OBJECT, dest, offset, count);
    }

    /// Writes the values at these indexes, so many from the offset on.
    public void gather(Object[] source, int count, int offset, int[] indexes)
            throws BufferException {
        pick(Type.OBJECT, source, some(indexes, offset, count));
    }

    /// Reads values to these indexes, so many from the offset on.
    public void scatter(Object[] dest, int count, int offset, int[] indexes)
            throws BufferException {
        spread(Type.OBJECT, dest, some(indexes, offset, count));
    }
}
