package org.ibidem.port;

import static org.ibidem.port.Layouts.BYTE;
import static org.ibidem.port.Layouts.CHAR;
import static org.ibidem.port.Layouts.DOUBLE;
import static org.ibidem.port.Layouts.FLOAT;
import static org.ibidem.port.Layouts.INT;
import static org.ibidem.port.Layouts.LONG;
import static org.ibidem.port.Layouts.SHORT;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.ibidem.buffer.Run;
import org.jspecify.annotations.Nullable;

/// A message being read, piece by piece, straight out of the memory of the network.
///
/// Reads match the writes, in kind and order: a value for a value, an array for an array (in pieces
/// if wanted). Unless the port's type is `unchecked`, one that does not match throws
/// [ReadMismatch], which names both kinds and the place, and leaves the message where it was.
///
/// May be read before the sender has finished it: a read waits for what is not there yet. One
/// message per receive port is live at a time. [#close] ends it and skips what was not read. Not
/// for two threads at once.
public final class ReadMessage extends GraphReader implements AutoCloseable {
    private static final int STRING_PART = 64 << 10;

    ReadMessage(ReceivePort port, PortType type) {
        super(port, type);
    }

    /// Who sent it.
    public Origin origin() {
        return live().origin;
    }

    /// The port that received it.
    public ReceivePort port() {
        return port;
    }

    /// Whether the next message of the same sender is here whole already: who does something for
    /// each may do it for several at once. Costs next to nothing.
    ///
    /// @return false: that says nothing
    public boolean isFollowed() {
        return size() >= 0 && port.isFollowed();
    }

    /// Ends the message: skips what was not read, waiting for its end, and lets the port receive
    /// the next.
    ///
    /// @throws MessageAbandoned when the sender gave it up; what was read of it must not be used
    @Override
    public void close() {
        var from = input;
        if (live && from != null) {
            long size = 0;
            try {
                size = skip();
            } finally {
                from.objects.end();
                port.finished(this, size);
            }
        }
    }

    /// Reads 1 byte: whether it is not 0.
    public boolean readBoolean() {
        var f = frame;
        long at = f.position;
        int here = kinds;
        if (((here ^ (Run.IN_ROW | Run.BOOLEAN) << 28) & looked) != 0 || at > end - 1) {
            at = need(Run.BOOLEAN);
            here = kinds;
        }
        byte value = f.memory.get(BYTE, at);
        f.position = at + 1;
        kinds = Integer.rotateLeft(here, 4);
        return value != 0;
    }

    /// Reads 1 byte.
    public byte readByte() {
        var f = frame;
        long at = f.position;
        int here = kinds;
        if (((here ^ (Run.IN_ROW | Run.BYTE) << 28) & looked) != 0 || at > end - 1) {
            at = need(Run.BYTE);
            here = kinds;
        }
        byte value = f.memory.get(BYTE, at);
        f.position = at + 1;
        kinds = Integer.rotateLeft(here, 4);
        return value;
    }

    /// Reads 2 bytes.
    public short readShort() {
        var f = frame;
        long at = f.position;
        int here = kinds;
        if (((here ^ (Run.IN_ROW | Run.SHORT) << 28) & looked) != 0 || at > end - 2) {
            at = need(Run.SHORT);
            here = kinds;
        }
        short value = f.memory.get(SHORT, at);
        f.position = at + 2;
        kinds = Integer.rotateLeft(here, 4);
        return value;
    }

    /// Reads 2 bytes: a UTF-16 code unit.
    public char readChar() {
        var f = frame;
        long at = f.position;
        int here = kinds;
        if (((here ^ (Run.IN_ROW | Run.CHAR) << 28) & looked) != 0 || at > end - 2) {
            at = need(Run.CHAR);
            here = kinds;
        }
        char value = f.memory.get(CHAR, at);
        f.position = at + 2;
        kinds = Integer.rotateLeft(here, 4);
        return value;
    }

    /// Reads 4 bytes.
    public int readInt() {
        var f = frame;
        long at = f.position;
        int here = kinds;
        if (((here ^ (Run.IN_ROW | Run.INT) << 28) & looked) != 0 || at > end - 4) {
            at = need(Run.INT);
            here = kinds;
        }
        int value = f.memory.get(INT, at);
        f.position = at + 4;
        kinds = Integer.rotateLeft(here, 4);
        return value;
    }

    /// Reads 8 bytes.
    public long readLong() {
        var f = frame;
        long at = f.position;
        int here = kinds;
        if (((here ^ (Run.IN_ROW | Run.LONG) << 28) & looked) != 0 || at > end - 8) {
            at = need(Run.LONG);
            here = kinds;
        }
        long value = f.memory.get(LONG, at);
        f.position = at + 8;
        kinds = Integer.rotateLeft(here, 4);
        return value;
    }

    /// Reads 4 bytes (IEEE 754 binary32).
    public float readFloat() {
        var f = frame;
        long at = f.position;
        int here = kinds;
        if (((here ^ (Run.IN_ROW | Run.FLOAT) << 28) & looked) != 0 || at > end - 4) {
            at = need(Run.FLOAT);
            here = kinds;
        }
        float value = f.memory.get(FLOAT, at);
        f.position = at + 4;
        kinds = Integer.rotateLeft(here, 4);
        return value;
    }

    /// Reads 8 bytes (IEEE 754 binary64).
    public double readDouble() {
        var f = frame;
        long at = f.position;
        int here = kinds;
        if (((here ^ (Run.IN_ROW | Run.DOUBLE) << 28) & looked) != 0 || at > end - 8) {
            at = need(Run.DOUBLE);
            here = kinds;
        }
        double value = f.memory.get(DOUBLE, at);
        f.position = at + 8;
        kinds = Integer.rotateLeft(here, 4);
        return value;
    }

    /// Reads as many elements as the array has.
    public ReadMessage readArray(byte[] array) {
        return readArray(array, 0, array.length);
    }

    /// Reads `count` elements to `offset`.
    public ReadMessage readArray(byte[] array, int offset, int count) {
        Objects.checkFromIndexSize(offset, count, array.length);
        elements(array, offset, count, Run.BYTE);
        return this;
    }

    /// Reads as many elements as the array has.
    public ReadMessage readArray(short[] array) {
        return readArray(array, 0, array.length);
    }

    /// Reads `count` elements to `offset`.
    public ReadMessage readArray(short[] array, int offset, int count) {
        Objects.checkFromIndexSize(offset, count, array.length);
        elements(array, offset, count, Run.SHORT);
        return this;
    }

    /// Reads as many elements as the array has.
    public ReadMessage readArray(char[] array) {
        return readArray(array, 0, array.length);
    }

    /// Reads `count` elements to `offset`.
    public ReadMessage readArray(char[] array, int offset, int count) {
        Objects.checkFromIndexSize(offset, count, array.length);
        elements(array, offset, count, Run.CHAR);
        return this;
    }

    /// Reads as many elements as the array has.
    public ReadMessage readArray(int[] array) {
        return readArray(array, 0, array.length);
    }

    /// Reads `count` elements to `offset`.
    public ReadMessage readArray(int[] array, int offset, int count) {
        Objects.checkFromIndexSize(offset, count, array.length);
        elements(array, offset, count, Run.INT);
        return this;
    }

    /// Reads as many elements as the array has.
    public ReadMessage readArray(long[] array) {
        return readArray(array, 0, array.length);
    }

    /// Reads `count` elements to `offset`.
    public ReadMessage readArray(long[] array, int offset, int count) {
        Objects.checkFromIndexSize(offset, count, array.length);
        elements(array, offset, count, Run.LONG);
        return this;
    }

    /// Reads as many elements as the array has.
    public ReadMessage readArray(float[] array) {
        return readArray(array, 0, array.length);
    }

    /// Reads `count` elements to `offset`.
    public ReadMessage readArray(float[] array, int offset, int count) {
        Objects.checkFromIndexSize(offset, count, array.length);
        elements(array, offset, count, Run.FLOAT);
        return this;
    }

    /// Reads as many elements as the array has.
    public ReadMessage readArray(double[] array) {
        return readArray(array, 0, array.length);
    }

    /// Reads `count` elements to `offset`.
    public ReadMessage readArray(double[] array, int offset, int count) {
        Objects.checkFromIndexSize(offset, count, array.length);
        elements(array, offset, count, Run.DOUBLE);
        return this;
    }

    /// Reads as many elements as the array has.
    public ReadMessage readArray(boolean[] array) {
        return readArray(array, 0, array.length);
    }

    /// Reads `count` elements to `offset`.
    public ReadMessage readArray(boolean[] array, int offset, int count) {
        Objects.checkFromIndexSize(offset, count, array.length);
        array(Run.ARRAY | Run.BOOLEAN, count);
        for (int done = 0; done < count; ) {
            int some = (int) Math.min(count - done, here());
            for (int i = 0; i < some; i++) {
                array[offset + done + i] = frame.memory.get(BYTE, frame.position + i) != 0;
            }
            took(some);
            done += some;
        }
        return this;
    }

    /// Reads elements of an array of such primitives.
    void elements(Object array, int offset, int count, int primitive) {
        int wanted = Run.ARRAY | primitive;
        var f = frame;
        long whole = whole(wanted, count);
        if (whole >= 0) {
            Layouts.read(primitive, f.memory, whole, array, offset, count);
            return;
        }
        array(wanted, count);
        for (int done = 0; done < count; ) {
            int some = (int) Math.min(count - done, (end - f.position) >> Run.shift(wanted));
            if (some <= 0) {
                if (f.position == f.limit) {
                    requireMore(Run.name(wanted));
                    next(); // here, so that few methods lie between the user's and the system's
                }
                nextPart();
                continue;
            }
            Layouts.read(primitive, f.memory, f.position, array, offset + done, some);
            took(some);
            done += some;
        }
    }

    /// Fills what remains in `bytes` and moves its position to its limit.
    public ReadMessage read(ByteBuffer bytes) {
        var target = MemorySegment.ofBuffer(bytes);
        read(target, 0, target.byteSize());
        bytes.position(bytes.limit());
        return this;
    }

    /// Reads `count` bytes, written as an array of bytes or from a buffer, to `offset` of `target`.
    public ReadMessage read(MemorySegment target, long offset, long count) {
        Objects.checkFromIndexSize(offset, count, target.byteSize());
        array(Run.ARRAY | Run.BYTE, count);
        for (long done = 0; done < count; ) {
            long some = Math.min(count - done, here());
            MemorySegment.copy(frame.memory, frame.position, target, offset + done, some);
            took(some);
            done += some;
        }
        return this;
    }

    /// Reads a string that [WriteMessage#writeString] wrote; null if that was null. Memory is taken
    /// as its bytes arrive, not as its length says.
    public @Nullable String readString() {
        return string();
    }

    private @Nullable String string() {
        long length = stringLength();
        if (length == Run.NO_STRING) {
            return null;
        }
        if (length < 0 || length > Integer.MAX_VALUE) {
            throw new ReadMismatch(
                    "a string of " + length + " bytes was read: no string was written there");
        }
        var part = new byte[(int) Math.min(length, STRING_PART)];
        if (part.length == length) {
            string(part, part.length);
            return new String(part, StandardCharsets.UTF_8);
        }
        var all = new ByteArrayOutputStream(part.length);
        for (long rest = length; rest > 0; rest -= part.length) {
            int some = (int) Math.min(rest, part.length);
            string(part, some);
            all.write(part, 0, some);
        }
        return all.toString(StandardCharsets.UTF_8);
    }

    private void string(byte[] into, int count) {
        for (int done = 0; done < count; ) {
            int some = (int) Math.min(count - done, here());
            copy(into, done, some);
            took(some);
            done += some;
        }
    }

    /// Reads an object graph, by the serializer of the port's type; only classes the port allows
    /// are read. An array or a string that was written as such may be read as an object, too.
    ///
    /// @throws ObjectRefused when the port's type carries no objects, a class is not allowed, or
    ///   the bytes are no graph
    public @Nullable Object readObject() {
        var objects = live().objects;
        return objects.read(this);
    }
}
