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
import org.ibidem.buffer.Frame;
import org.jspecify.annotations.Nullable;

/// A message being read, piece by piece, straight out of the memory of the network; reads match the
/// writes, in kind and order.
///
/// May be read before the sender has finished it: a read waits for what is not there yet. One
/// message per receive port is live at a time. [#close] ends it and skips what was not read. Not
/// for two threads at once.
public final class ReadMessage implements AutoCloseable {
    private final ReceivePort port;
    private final Frame frame;
    private @Nullable Input input;

    /// Bytes in frames wholly read already, and where the payload of the frame in hand began.
    private long consumed;

    private long from;

    ReadMessage(ReceivePort port) {
        this.port = port;
        this.frame = new Frame();
    }

    Frame frame() {
        return frame;
    }

    /// The first frame is in hand.
    void begin(Input origin) {
        input = origin;
        consumed = 0;
        from = frame.position;
    }

    /// Who sent it.
    public Origin origin() {
        return live().origin();
    }

    /// Bytes read so far.
    public long bytesRead() {
        return consumed + frame.position - from;
    }

    private Input live() {
        var mine = input;
        if (mine == null) {
            throw new IllegalStateException(
                    "the message is closed; receive the next from the port");
        }
        return mine;
    }

    /// The only slow path of the primitives: the frame in hand holds fewer than `bytes` unread
    /// bytes.
    private long need(int bytes) {
        var f = frame;
        while (f.limit - f.position < bytes) {
            nextFrame(bytes);
        }
        return f.position;
    }

    private void nextFrame(int wanted) {
        var mine = live();
        var f = frame;
        if (f.position != f.limit) {
            throw new ReadMismatch(
                    "a value of "
                            + wanted
                            + " bytes was read at byte "
                            + bytesRead()
                            + " of the message, where only "
                            + (f.limit - f.position)
                            + " were written together: reads must match the writes in kind and order");
        }
        if ((f.flags & Frame.MORE) == 0) {
            throw new ReadMismatch(
                    "the message ends after "
                            + bytesRead()
                            + " bytes, and "
                            + wanted
                            + " more were to be read");
        }
        consumed += f.position - from;
        f.empty();
        from = 0;
        port.next(mine, f);
        from = f.position;
        if ((f.flags & Frame.ABANDONED) != 0) {
            f.flags = 0;
            throw new MessageAbandoned(mine.origin());
        }
    }

    /// Ends the message: skips what was not read, waiting for its end, and lets the port receive
    /// the next.
    @Override
    public void close() {
        var mine = input;
        if (mine == null) {
            return;
        }
        var f = frame;
        try {
            while ((f.flags & Frame.MORE) != 0) {
                consumed += f.limit - from;
                f.empty();
                from = 0;
                port.next(mine, f);
                from = f.position;
            }
        } finally {
            long size = consumed + f.limit - from;
            input = null;
            f.empty();
            f.flags = 0;
            consumed = 0;
            from = 0;
            port.finished(size);
        }
    }

    /// Reads 1 byte: whether it is not 0.
    public boolean readBoolean() {
        return readByte() != 0;
    }

    /// Reads 1 byte.
    public byte readByte() {
        var f = frame;
        long at = f.position;
        if (at > f.limit - 1) {
            at = need(1);
        }
        byte value = f.memory.get(BYTE, at);
        f.position = at + 1;
        return value;
    }

    /// Reads 2 bytes.
    public short readShort() {
        var f = frame;
        long at = f.position;
        if (at > f.limit - 2) {
            at = need(2);
        }
        short value = f.memory.get(SHORT, at);
        f.position = at + 2;
        return value;
    }

    /// Reads 2 bytes: a UTF-16 code unit.
    public char readChar() {
        var f = frame;
        long at = f.position;
        if (at > f.limit - 2) {
            at = need(2);
        }
        char value = f.memory.get(CHAR, at);
        f.position = at + 2;
        return value;
    }

    /// Reads 4 bytes.
    public int readInt() {
        var f = frame;
        long at = f.position;
        if (at > f.limit - 4) {
            at = need(4);
        }
        int value = f.memory.get(INT, at);
        f.position = at + 4;
        return value;
    }

    /// Reads 8 bytes.
    public long readLong() {
        var f = frame;
        long at = f.position;
        if (at > f.limit - 8) {
            at = need(8);
        }
        long value = f.memory.get(LONG, at);
        f.position = at + 8;
        return value;
    }

    /// Reads 4 bytes (IEEE 754 binary32).
    public float readFloat() {
        var f = frame;
        long at = f.position;
        if (at > f.limit - 4) {
            at = need(4);
        }
        float value = f.memory.get(FLOAT, at);
        f.position = at + 4;
        return value;
    }

    /// Reads 8 bytes (IEEE 754 binary64).
    public double readDouble() {
        var f = frame;
        long at = f.position;
        if (at > f.limit - 8) {
            at = need(8);
        }
        double value = f.memory.get(DOUBLE, at);
        f.position = at + 8;
        return value;
    }

    /// Reads as many elements as the array has.
    public ReadMessage readArray(byte[] array) {
        return readArray(array, 0, array.length);
    }

    /// Reads `count` elements to `offset`.
    public ReadMessage readArray(byte[] array, int offset, int count) {
        Objects.checkFromIndexSize(offset, count, array.length);
        var f = frame;
        long at = f.position;
        int done = 0;
        while (done < count) {
            int some = (int) Math.min(count - done, f.limit - at);
            if (some <= 0) {
                at = need(1);
                continue;
            }
            MemorySegment.copy(f.memory, BYTE, at, array, offset + done, some);
            at += some;
            f.position = at;
            done += some;
        }
        return this;
    }

    /// Reads as many elements as the array has.
    public ReadMessage readArray(short[] array) {
        return readArray(array, 0, array.length);
    }

    /// Reads `count` elements to `offset`.
    public ReadMessage readArray(short[] array, int offset, int count) {
        Objects.checkFromIndexSize(offset, count, array.length);
        var f = frame;
        long at = f.position;
        int done = 0;
        while (done < count) {
            int some = (int) Math.min(count - done, (f.limit - at) >> 1);
            if (some <= 0) {
                at = need(2);
                continue;
            }
            MemorySegment.copy(f.memory, SHORT, at, array, offset + done, some);
            at += 2L * some;
            f.position = at;
            done += some;
        }
        return this;
    }

    /// Reads as many elements as the array has.
    public ReadMessage readArray(char[] array) {
        return readArray(array, 0, array.length);
    }

    /// Reads `count` elements to `offset`.
    public ReadMessage readArray(char[] array, int offset, int count) {
        Objects.checkFromIndexSize(offset, count, array.length);
        var f = frame;
        long at = f.position;
        int done = 0;
        while (done < count) {
            int some = (int) Math.min(count - done, (f.limit - at) >> 1);
            if (some <= 0) {
                at = need(2);
                continue;
            }
            MemorySegment.copy(f.memory, CHAR, at, array, offset + done, some);
            at += 2L * some;
            f.position = at;
            done += some;
        }
        return this;
    }

    /// Reads as many elements as the array has.
    public ReadMessage readArray(int[] array) {
        return readArray(array, 0, array.length);
    }

    /// Reads `count` elements to `offset`.
    public ReadMessage readArray(int[] array, int offset, int count) {
        Objects.checkFromIndexSize(offset, count, array.length);
        var f = frame;
        long at = f.position;
        int done = 0;
        while (done < count) {
            int some = (int) Math.min(count - done, (f.limit - at) >> 2);
            if (some <= 0) {
                at = need(4);
                continue;
            }
            MemorySegment.copy(f.memory, INT, at, array, offset + done, some);
            at += 4L * some;
            f.position = at;
            done += some;
        }
        return this;
    }

    /// Reads as many elements as the array has.
    public ReadMessage readArray(long[] array) {
        return readArray(array, 0, array.length);
    }

    /// Reads `count` elements to `offset`.
    public ReadMessage readArray(long[] array, int offset, int count) {
        Objects.checkFromIndexSize(offset, count, array.length);
        var f = frame;
        long at = f.position;
        int done = 0;
        while (done < count) {
            int some = (int) Math.min(count - done, (f.limit - at) >> 3);
            if (some <= 0) {
                at = need(8);
                continue;
            }
            MemorySegment.copy(f.memory, LONG, at, array, offset + done, some);
            at += 8L * some;
            f.position = at;
            done += some;
        }
        return this;
    }

    /// Reads as many elements as the array has.
    public ReadMessage readArray(float[] array) {
        return readArray(array, 0, array.length);
    }

    /// Reads `count` elements to `offset`.
    public ReadMessage readArray(float[] array, int offset, int count) {
        Objects.checkFromIndexSize(offset, count, array.length);
        var f = frame;
        long at = f.position;
        int done = 0;
        while (done < count) {
            int some = (int) Math.min(count - done, (f.limit - at) >> 2);
            if (some <= 0) {
                at = need(4);
                continue;
            }
            MemorySegment.copy(f.memory, FLOAT, at, array, offset + done, some);
            at += 4L * some;
            f.position = at;
            done += some;
        }
        return this;
    }

    /// Reads as many elements as the array has.
    public ReadMessage readArray(double[] array) {
        return readArray(array, 0, array.length);
    }

    /// Reads `count` elements to `offset`.
    public ReadMessage readArray(double[] array, int offset, int count) {
        Objects.checkFromIndexSize(offset, count, array.length);
        var f = frame;
        long at = f.position;
        int done = 0;
        while (done < count) {
            int some = (int) Math.min(count - done, (f.limit - at) >> 3);
            if (some <= 0) {
                at = need(8);
                continue;
            }
            MemorySegment.copy(f.memory, DOUBLE, at, array, offset + done, some);
            at += 8L * some;
            f.position = at;
            done += some;
        }
        return this;
    }

    /// Reads as many elements as the array has, 1 byte each.
    public ReadMessage readArray(boolean[] array) {
        return readArray(array, 0, array.length);
    }

    /// Reads `count` elements to `offset`, 1 byte each.
    public ReadMessage readArray(boolean[] array, int offset, int count) {
        Objects.checkFromIndexSize(offset, count, array.length);
        for (int i = offset; i < offset + count; i++) {
            array[i] = readBoolean();
        }
        return this;
    }

    /// Fills what remains in `bytes` and moves its position to its limit.
    public ReadMessage read(ByteBuffer bytes) {
        var target = MemorySegment.ofBuffer(bytes);
        read(target, 0, target.byteSize());
        bytes.position(bytes.limit());
        return this;
    }

    /// Reads `count` bytes to `offset` of `target`.
    public ReadMessage read(MemorySegment target, long offset, long count) {
        Objects.checkFromIndexSize(offset, count, target.byteSize());
        var f = frame;
        long at = f.position;
        long done = 0;
        while (done < count) {
            long some = Math.min(count - done, f.limit - at);
            if (some <= 0) {
                at = need(1);
                continue;
            }
            MemorySegment.copy(f.memory, at, target, offset + done, some);
            at += some;
            f.position = at;
            done += some;
        }
        return this;
    }

    /// Reads a string that [WriteMessage#writeString] wrote. Memory is taken as its bytes arrive,
    /// not as its length says.
    public String readString() {
        int length = readInt();
        if (length < 0) {
            throw new ReadMismatch(
                    "a string of " + length + " bytes was read: no string was written there");
        }
        var part = new byte[Math.min(length, STRING_PART)];
        if (part.length == length) {
            readArray(part, 0, length);
            return new String(part, StandardCharsets.UTF_8);
        }
        var all = new ByteArrayOutputStream(part.length);
        for (int left = length; left > 0; left -= Math.min(left, part.length)) {
            int some = Math.min(left, part.length);
            readArray(part, 0, some);
            all.write(part, 0, some);
        }
        return all.toString(StandardCharsets.UTF_8);
    }

    private static final int STRING_PART = 64 << 10;

    /// Reads an object graph, by the serializer of the port's type; only classes the port allows
    /// are read.
    ///
    /// @throws ObjectRefused when the port's type carries no objects, a class is not allowed, or
    ///   the bytes are no graph
    public @Nullable Object readObject() {
        live();
        return port.objects().read(this);
    }
}
