package org.ibidem.port;

import static org.ibidem.port.Layouts.BYTE;
import static org.ibidem.port.Layouts.CHAR;
import static org.ibidem.port.Layouts.DOUBLE;
import static org.ibidem.port.Layouts.FIRST;
import static org.ibidem.port.Layouts.FLOAT;
import static org.ibidem.port.Layouts.INT;
import static org.ibidem.port.Layouts.LONG;
import static org.ibidem.port.Layouts.SHORT;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.ibidem.buffer.Frame;
import org.jspecify.annotations.Nullable;

/// A message being written, piece by piece, straight into the memory of the network. Unbounded in
/// size: what is written goes out as the driver's frames fill, and may be read there before
/// [#finish].
///
/// Values are little-endian and unaligned. Arrays are written without their length: the reader says
/// how much it reads. A value never lies in two frames.
///
/// One message per send port is live at a time. [#finish] sends it; [#close] without finish
/// abandons it: the receiver is told and nothing of it counts. Not for two threads at once.
public final class WriteMessage implements AutoCloseable {
    private final SendPort port;
    private final Frame frame;
    private boolean open;

    /// The connection ended under the message: all it can do is be closed.
    private boolean lost;

    /// Bytes in frames committed already, and where the payload of the frame in hand began.
    private long committed;

    private long from;

    /// The limit of the room that is left for the next message, hidden from a writer that goes on
    /// after finish.
    private long roomLimit;

    WriteMessage(SendPort port) {
        this.port = port;
        this.frame = new Frame();
    }

    /// Begins, in the room the last message left or in new room.
    void begin() {
        var f = frame;
        f.limit = roomLimit;
        if (f.limit - f.position < FIRST) {
            port.claim(f, FIRST);
        }
        from = f.position;
        committed = 0;
        open = true;
    }

    /// The connection changed: room of the old one must not be used.
    void forget() {
        frame.empty();
        from = 0;
        roomLimit = 0;
        lost = open;
    }

    /// The only slow path of the primitives: hands the full frame over and gets the next.
    private long more() {
        check();
        var f = frame;
        committed += f.position - from;
        port.commit(f, Frame.MORE);
        from = f.position; // whoever gives up in the claim must not count these bytes again
        if (f.limit - f.position < FIRST) {
            port.claim(f, FIRST);
            from = f.position;
        }
        return f.position;
    }

    private void check() {
        if (!open) {
            throw new IllegalStateException("the message is finished; get a new one from the port");
        }
        if (lost) {
            close();
            throw new ConnectionLost("the connection was lost before this message was finished");
        }
    }

    /// Bytes written so far, headers of layers not counted.
    public long bytesWritten() {
        return open ? committed + frame.position - from : committed;
    }

    /// Hands over what was written so far, so that the receiver can read it now. The message stays
    /// open.
    public WriteMessage flush() {
        more();
        port.push();
        return this;
    }

    /// Ends the message and sends it. Blocks while the receiver does not keep up.
    ///
    /// @return the bytes of the whole message
    /// @throws ConnectionLost when the connection broke; the receiver then has not got the message
    ///   whole
    public long finish() {
        check();
        long size = end();
        long sent = 0;
        try {
            if (!port.commit(frame, 0)) {
                port.push();
            }
            sent = size;
        } finally {
            over(sent);
        }
        return size;
    }

    /// Ends the message and keeps it back with what follows, until [SendPort#flush], a later finish
    /// or a full buffer: aggregation for many small messages.
    ///
    /// @return the bytes of the whole message
    public long finishHeld() {
        check();
        long size = end();
        long sent = 0;
        try {
            port.commit(frame, Frame.HOLD);
            sent = size;
        } finally {
            over(sent);
        }
        return size;
    }

    private long end() {
        long size = committed + frame.position - from;
        committed = size;
        open = false;
        return size;
    }

    /// Hides the room that is left from whoever goes on writing, and lets the next message begin.
    private void over(long size) {
        roomLimit = frame.limit;
        frame.limit = 0;
        port.finished(size);
    }

    /// Gives the message up when it is not finished; does nothing after [#finish].
    @Override
    public void close() {
        if (!open) {
            return;
        }
        open = false;
        frame.position = from;
        try {
            if (committed > 0 && !lost) {
                port.abandon(frame);
            }
        } finally {
            lost = false;
            over(0);
        }
    }

    /// Writes 1 byte: 0 or 1.
    public WriteMessage writeBoolean(boolean value) {
        return writeByte((byte) (value ? 1 : 0));
    }

    /// Writes 1 byte.
    public WriteMessage writeByte(byte value) {
        var f = frame;
        long at = f.position;
        if (at > f.limit - 1) {
            at = more();
        }
        f.memory.set(BYTE, at, value);
        f.position = at + 1;
        return this;
    }

    /// Writes 2 bytes.
    public WriteMessage writeShort(short value) {
        var f = frame;
        long at = f.position;
        if (at > f.limit - 2) {
            at = more();
        }
        f.memory.set(SHORT, at, value);
        f.position = at + 2;
        return this;
    }

    /// Writes 2 bytes: a UTF-16 code unit.
    public WriteMessage writeChar(char value) {
        var f = frame;
        long at = f.position;
        if (at > f.limit - 2) {
            at = more();
        }
        f.memory.set(CHAR, at, value);
        f.position = at + 2;
        return this;
    }

    /// Writes 4 bytes.
    public WriteMessage writeInt(int value) {
        var f = frame;
        long at = f.position;
        if (at > f.limit - 4) {
            at = more();
        }
        f.memory.set(INT, at, value);
        f.position = at + 4;
        return this;
    }

    /// Writes 8 bytes.
    public WriteMessage writeLong(long value) {
        var f = frame;
        long at = f.position;
        if (at > f.limit - 8) {
            at = more();
        }
        f.memory.set(LONG, at, value);
        f.position = at + 8;
        return this;
    }

    /// Writes 4 bytes (IEEE 754 binary32).
    public WriteMessage writeFloat(float value) {
        var f = frame;
        long at = f.position;
        if (at > f.limit - 4) {
            at = more();
        }
        f.memory.set(FLOAT, at, value);
        f.position = at + 4;
        return this;
    }

    /// Writes 8 bytes (IEEE 754 binary64).
    public WriteMessage writeDouble(double value) {
        var f = frame;
        long at = f.position;
        if (at > f.limit - 8) {
            at = more();
        }
        f.memory.set(DOUBLE, at, value);
        f.position = at + 8;
        return this;
    }

    /// Writes all elements, without the length.
    public WriteMessage writeArray(byte[] array) {
        return writeArray(array, 0, array.length);
    }

    /// Writes `count` elements from `offset`.
    public WriteMessage writeArray(byte[] array, int offset, int count) {
        Objects.checkFromIndexSize(offset, count, array.length);
        var f = frame;
        long at = f.position;
        int done = 0;
        while (done < count) {
            int some = (int) Math.min(count - done, f.limit - at);
            if (some <= 0) {
                at = more();
                continue;
            }
            MemorySegment.copy(array, offset + done, f.memory, BYTE, at, some);
            at += some;
            f.position = at;
            done += some;
        }
        return this;
    }

    /// Writes all elements, without the length.
    public WriteMessage writeArray(short[] array) {
        return writeArray(array, 0, array.length);
    }

    /// Writes `count` elements from `offset`.
    public WriteMessage writeArray(short[] array, int offset, int count) {
        Objects.checkFromIndexSize(offset, count, array.length);
        var f = frame;
        long at = f.position;
        int done = 0;
        while (done < count) {
            int some = (int) Math.min(count - done, (f.limit - at) >> 1);
            if (some <= 0) {
                at = more();
                continue;
            }
            MemorySegment.copy(array, offset + done, f.memory, SHORT, at, some);
            at += 2L * some;
            f.position = at;
            done += some;
        }
        return this;
    }

    /// Writes all elements, without the length.
    public WriteMessage writeArray(char[] array) {
        return writeArray(array, 0, array.length);
    }

    /// Writes `count` elements from `offset`.
    public WriteMessage writeArray(char[] array, int offset, int count) {
        Objects.checkFromIndexSize(offset, count, array.length);
        var f = frame;
        long at = f.position;
        int done = 0;
        while (done < count) {
            int some = (int) Math.min(count - done, (f.limit - at) >> 1);
            if (some <= 0) {
                at = more();
                continue;
            }
            MemorySegment.copy(array, offset + done, f.memory, CHAR, at, some);
            at += 2L * some;
            f.position = at;
            done += some;
        }
        return this;
    }

    /// Writes all elements, without the length.
    public WriteMessage writeArray(int[] array) {
        return writeArray(array, 0, array.length);
    }

    /// Writes `count` elements from `offset`.
    public WriteMessage writeArray(int[] array, int offset, int count) {
        Objects.checkFromIndexSize(offset, count, array.length);
        var f = frame;
        long at = f.position;
        int done = 0;
        while (done < count) {
            int some = (int) Math.min(count - done, (f.limit - at) >> 2);
            if (some <= 0) {
                at = more();
                continue;
            }
            MemorySegment.copy(array, offset + done, f.memory, INT, at, some);
            at += 4L * some;
            f.position = at;
            done += some;
        }
        return this;
    }

    /// Writes all elements, without the length.
    public WriteMessage writeArray(long[] array) {
        return writeArray(array, 0, array.length);
    }

    /// Writes `count` elements from `offset`.
    public WriteMessage writeArray(long[] array, int offset, int count) {
        Objects.checkFromIndexSize(offset, count, array.length);
        var f = frame;
        long at = f.position;
        int done = 0;
        while (done < count) {
            int some = (int) Math.min(count - done, (f.limit - at) >> 3);
            if (some <= 0) {
                at = more();
                continue;
            }
            MemorySegment.copy(array, offset + done, f.memory, LONG, at, some);
            at += 8L * some;
            f.position = at;
            done += some;
        }
        return this;
    }

    /// Writes all elements, without the length.
    public WriteMessage writeArray(float[] array) {
        return writeArray(array, 0, array.length);
    }

    /// Writes `count` elements from `offset`.
    public WriteMessage writeArray(float[] array, int offset, int count) {
        Objects.checkFromIndexSize(offset, count, array.length);
        var f = frame;
        long at = f.position;
        int done = 0;
        while (done < count) {
            int some = (int) Math.min(count - done, (f.limit - at) >> 2);
            if (some <= 0) {
                at = more();
                continue;
            }
            MemorySegment.copy(array, offset + done, f.memory, FLOAT, at, some);
            at += 4L * some;
            f.position = at;
            done += some;
        }
        return this;
    }

    /// Writes all elements, without the length.
    public WriteMessage writeArray(double[] array) {
        return writeArray(array, 0, array.length);
    }

    /// Writes `count` elements from `offset`.
    public WriteMessage writeArray(double[] array, int offset, int count) {
        Objects.checkFromIndexSize(offset, count, array.length);
        var f = frame;
        long at = f.position;
        int done = 0;
        while (done < count) {
            int some = (int) Math.min(count - done, (f.limit - at) >> 3);
            if (some <= 0) {
                at = more();
                continue;
            }
            MemorySegment.copy(array, offset + done, f.memory, DOUBLE, at, some);
            at += 8L * some;
            f.position = at;
            done += some;
        }
        return this;
    }

    /// Writes all elements, 1 byte each.
    public WriteMessage writeArray(boolean[] array) {
        return writeArray(array, 0, array.length);
    }

    /// Writes `count` elements from `offset`, 1 byte each.
    public WriteMessage writeArray(boolean[] array, int offset, int count) {
        Objects.checkFromIndexSize(offset, count, array.length);
        for (int i = offset; i < offset + count; i++) {
            writeBoolean(array[i]);
        }
        return this;
    }

    /// Writes what remains in `bytes`, as it is, and moves its position to its limit.
    public WriteMessage write(ByteBuffer bytes) {
        var source = MemorySegment.ofBuffer(bytes);
        write(source, 0, source.byteSize());
        bytes.position(bytes.limit());
        return this;
    }

    /// Writes `count` bytes of `source` from `offset`, as they are.
    public WriteMessage write(MemorySegment source, long offset, long count) {
        Objects.checkFromIndexSize(offset, count, source.byteSize());
        var f = frame;
        long at = f.position;
        long done = 0;
        while (done < count) {
            long some = Math.min(count - done, f.limit - at);
            if (some <= 0) {
                at = more();
                continue;
            }
            MemorySegment.copy(source, offset + done, f.memory, at, some);
            at += some;
            f.position = at;
            done += some;
        }
        return this;
    }

    /// Writes a string: 4 bytes of length, then its UTF-8 form; unpaired surrogates become `?`.
    public WriteMessage writeString(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        return writeInt(utf8.length).writeArray(utf8, 0, utf8.length);
    }

    /// Writes an object graph, by the serializer of the port's type.
    ///
    /// @throws ObjectRefused when the port's type carries no objects or the graph cannot be
    ///   serialized; the message should be abandoned then
    public WriteMessage writeObject(@Nullable Object graph) {
        check();
        port.objects().write(graph, this);
        return this;
    }
}
