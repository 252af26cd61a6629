package org.ibidem.port;

import static org.ibidem.port.Layouts.BYTE;
import static org.ibidem.port.Layouts.CHAR;
import static org.ibidem.port.Layouts.DOUBLE;
import static org.ibidem.port.Layouts.FLOAT;
import static org.ibidem.port.Layouts.INT;
import static org.ibidem.port.Layouts.LONG;
import static org.ibidem.port.Layouts.SHORT;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.ibidem.buffer.Frame;
import org.ibidem.buffer.Run;
import org.jspecify.annotations.Nullable;

/// A message being written, piece by piece, straight into the memory of the network. Unbounded in
/// size: what is written goes out as the driver's frames fill, and may be read there before
/// [#finish].
///
/// Reads must match the writes. Unless the port's type is `unchecked`, the message carries a tag
/// for up to six values of any kinds or a run of one kind, and for each array, and the reader
/// checks.
///
/// One message per send port is live at a time. [#finish] sends it; [#close] without finish
/// abandons it: the receiver is told and nothing of it counts. Where there is no room to tell it,
/// that is done before the next message; [#close] does not wait. Not for two threads at once.
public final class WriteMessage extends RunWriter implements AutoCloseable {
    private static final byte[] NO_BYTES = {};

    private final ObjectCoder.Writing objects;

    /// That were given so far.
    long tickets;

    WriteMessage(SendPort port, PortType type, ObjectCoder coder) {
        super(port, type);
        this.objects = coder.writing(this);
    }

    @Override
    void forget() {
        super.forget();
        objects.missed();
    }

    @Override
    void abandoned() {
        objects.abandoned();
    }

    /// The port is connected to nobody.
    void forgetPeers() {
        objects.forget();
    }

    /// Hands over what was written so far, so that the receiver can read it now. Waits until it is
    /// on the network. The message stays open.
    public WriteMessage flush() {
        sync(send());
        return this;
    }

    /// Starts sending what was written so far, without waiting until it is sent.
    ///
    /// @return a ticket for [#sync]; tickets of one port increase from 1 on, and after 2^31 - 1
    ///   they begin again
    public int send() {
        try {
            split();
        } catch (InternalError e) {
            throw cut(e);
        }
        return (int) (tickets++ % Integer.MAX_VALUE) + 1;
    }

    /// Waits until what was written before [#send] gave this ticket is on the network. Arrays and
    /// buffers may be changed earlier, as soon as their write returns: they are copied then.
    public void sync(int ticket) {
        check();
        if (ticket < 1 || ticket > tickets) {
            throw new IllegalArgumentException("no such ticket: " + ticket);
        }
        port.room.push();
    }

    /// Forgets the objects written so far: those that follow are written whole, even if they are
    /// the same.
    public WriteMessage reset() {
        check();
        objects.reset();
        return this;
    }

    /// Ends the message and sends it. Blocks while the receiver does not keep up.
    ///
    /// @return the bytes of the whole message, tags included
    /// @throws ConnectionLost when the connection broke: the receiver has not got the message
    ///   whole; with several receivers it names those, and the others have got the message
    public long finish() {
        try {
            objects.end();
            return finish(0);
        } catch (InternalError e) {
            throw cut(e);
        }
    }

    /// Ends the message and keeps it back with what follows, until [SendPort#flush], a later finish
    /// or a full buffer: aggregation for many small messages, and over sockets for a stream of
    /// large ones, too (768 KiB leave together).
    ///
    /// @return the bytes of the whole message, tags included
    public long finishHeld() {
        try {
            objects.end();
            return finish(Frame.HOLD);
        } catch (InternalError e) {
            throw cut(e);
        }
    }

    /// Gives the message up when it is not finished; does nothing after [#finish].
    @Override
    public void close() {
        if (live && port.turn().isMine()) { // else it is the next one by now, of another thread
            abandon();
        }
    }

    /// Writes 1 byte: 0 or 1.
    public WriteMessage writeBoolean(boolean value) {
        var f = frame;
        long at = f.position;
        int before = row;
        if ((open & (1 << Run.BOOLEAN)) == 0 || before >= FULL || at > f.limit - 1) {
            at = start(Run.BOOLEAN);
            before = row;
        }
        f.memory.set(BYTE, at, (byte) (value ? 1 : 0));
        f.position = at + 1;
        row = (before << 4 | Run.IN_ROW | Run.BOOLEAN) & inRow;
        return this;
    }

    /// Writes 1 byte.
    public WriteMessage writeByte(byte value) {
        var f = frame;
        long at = f.position;
        int before = row;
        if ((open & (1 << Run.BYTE)) == 0 || before >= FULL || at > f.limit - 1) {
            at = start(Run.BYTE);
            before = row;
        }
        f.memory.set(BYTE, at, value);
        f.position = at + 1;
        row = (before << 4 | Run.IN_ROW | Run.BYTE) & inRow;
        return this;
    }

    /// Writes 2 bytes.
    public WriteMessage writeShort(short value) {
        var f = frame;
        long at = f.position;
        int before = row;
        if ((open & (1 << Run.SHORT)) == 0 || before >= FULL || at > f.limit - 2) {
            at = start(Run.SHORT);
            before = row;
        }
        f.memory.set(SHORT, at, value);
        f.position = at + 2;
        row = (before << 4 | Run.IN_ROW | Run.SHORT) & inRow;
        return this;
    }

    /// Writes 2 bytes: a UTF-16 code unit.
    public WriteMessage writeChar(char value) {
        var f = frame;
        long at = f.position;
        int before = row;
        if ((open & (1 << Run.CHAR)) == 0 || before >= FULL || at > f.limit - 2) {
            at = start(Run.CHAR);
            before = row;
        }
        f.memory.set(CHAR, at, value);
        f.position = at + 2;
        row = (before << 4 | Run.IN_ROW | Run.CHAR) & inRow;
        return this;
    }

    /// Writes 4 bytes.
    public WriteMessage writeInt(int value) {
        var f = frame;
        long at = f.position;
        int before = row;
        if ((open & (1 << Run.INT)) == 0 || before >= FULL || at > f.limit - 4) {
            at = start(Run.INT);
            before = row;
        }
        f.memory.set(INT, at, value);
        f.position = at + 4;
        row = (before << 4 | Run.IN_ROW | Run.INT) & inRow;
        return this;
    }

    /// Writes 8 bytes.
    public WriteMessage writeLong(long value) {
        var f = frame;
        long at = f.position;
        int before = row;
        if ((open & (1 << Run.LONG)) == 0 || before >= FULL || at > f.limit - 8) {
            at = start(Run.LONG);
            before = row;
        }
        f.memory.set(LONG, at, value);
        f.position = at + 8;
        row = (before << 4 | Run.IN_ROW | Run.LONG) & inRow;
        return this;
    }

    /// Writes 4 bytes (IEEE 754 binary32).
    public WriteMessage writeFloat(float value) {
        var f = frame;
        long at = f.position;
        int before = row;
        if ((open & (1 << Run.FLOAT)) == 0 || before >= FULL || at > f.limit - 4) {
            at = start(Run.FLOAT);
            before = row;
        }
        f.memory.set(FLOAT, at, value);
        f.position = at + 4;
        row = (before << 4 | Run.IN_ROW | Run.FLOAT) & inRow;
        return this;
    }

    /// Writes 8 bytes (IEEE 754 binary64).
    public WriteMessage writeDouble(double value) {
        var f = frame;
        long at = f.position;
        int before = row;
        if ((open & (1 << Run.DOUBLE)) == 0 || before >= FULL || at > f.limit - 8) {
            at = start(Run.DOUBLE);
            before = row;
        }
        f.memory.set(DOUBLE, at, value);
        f.position = at + 8;
        row = (before << 4 | Run.IN_ROW | Run.DOUBLE) & inRow;
        return this;
    }

    /// Writes all elements.
    public WriteMessage writeArray(byte[] array) {
        return writeArray(array, 0, array.length);
    }

    /// Writes `count` elements from `offset`.
    public WriteMessage writeArray(byte[] array, int offset, int count) {
        Objects.checkFromIndexSize(offset, count, array.length);
        elements(Run.BYTE, array, offset, count, false);
        return this;
    }

    /// Writes all elements.
    public WriteMessage writeArray(short[] array) {
        return writeArray(array, 0, array.length);
    }

    /// Writes `count` elements from `offset`.
    public WriteMessage writeArray(short[] array, int offset, int count) {
        Objects.checkFromIndexSize(offset, count, array.length);
        elements(Run.SHORT, array, offset, count, false);
        return this;
    }

    /// Writes all elements.
    public WriteMessage writeArray(char[] array) {
        return writeArray(array, 0, array.length);
    }

    /// Writes `count` elements from `offset`.
    public WriteMessage writeArray(char[] array, int offset, int count) {
        Objects.checkFromIndexSize(offset, count, array.length);
        elements(Run.CHAR, array, offset, count, false);
        return this;
    }

    /// Writes all elements.
    public WriteMessage writeArray(int[] array) {
        return writeArray(array, 0, array.length);
    }

    /// Writes `count` elements from `offset`.
    public WriteMessage writeArray(int[] array, int offset, int count) {
        Objects.checkFromIndexSize(offset, count, array.length);
        elements(Run.INT, array, offset, count, false);
        return this;
    }

    /// Writes all elements.
    public WriteMessage writeArray(long[] array) {
        return writeArray(array, 0, array.length);
    }

    /// Writes `count` elements from `offset`.
    public WriteMessage writeArray(long[] array, int offset, int count) {
        Objects.checkFromIndexSize(offset, count, array.length);
        elements(Run.LONG, array, offset, count, false);
        return this;
    }

    /// Writes all elements.
    public WriteMessage writeArray(float[] array) {
        return writeArray(array, 0, array.length);
    }

    /// Writes `count` elements from `offset`.
    public WriteMessage writeArray(float[] array, int offset, int count) {
        Objects.checkFromIndexSize(offset, count, array.length);
        elements(Run.FLOAT, array, offset, count, false);
        return this;
    }

    /// Writes all elements.
    public WriteMessage writeArray(double[] array) {
        return writeArray(array, 0, array.length);
    }

    /// Writes `count` elements from `offset`.
    public WriteMessage writeArray(double[] array, int offset, int count) {
        Objects.checkFromIndexSize(offset, count, array.length);
        elements(Run.DOUBLE, array, offset, count, false);
        return this;
    }

    /// Writes all elements, 1 byte each: 0 or 1.
    public WriteMessage writeArray(boolean[] array) {
        return writeArray(array, 0, array.length);
    }

    /// Writes `count` elements from `offset`, 1 byte each: 0 or 1.
    public WriteMessage writeArray(boolean[] array, int offset, int count) {
        Objects.checkFromIndexSize(offset, count, array.length);
        booleans(array, offset, count);
        return this;
    }

    /// Writes what remains in `bytes`, and moves its position to its limit. Read as an array of
    /// bytes.
    public WriteMessage write(ByteBuffer bytes) {
        var source = MemorySegment.ofBuffer(bytes);
        write(source, 0, source.byteSize());
        bytes.position(bytes.limit());
        return this;
    }

    /// Writes `count` bytes of `source` from `offset`. Read as an array of bytes.
    ///
    /// @throws IllegalStateException when `source` was closed, perhaps meanwhile; the message is
    ///   given up then, as with the next two
    /// @throws WrongThreadException when it is another thread's alone
    /// @throws InternalError when it is mapped from a file that was cut short
    public WriteMessage write(MemorySegment source, long offset, long count) {
        Objects.checkFromIndexSize(offset, count, source.byteSize());
        try {
            beginArray(Run.ARRAY | Run.BYTE, count);
            wholly(source, offset, count);
            endArray();
        } catch (InternalError e) { // of memory that was cut short
            if (live) {
                abandon();
            }
            throw e;
        }
        return this;
    }

    /// Writes a string, or null: its length in bytes, then the bytes in UTF-8. Unpaired surrogates
    /// become `?`.
    public WriteMessage writeString(@Nullable String value) {
        var bytes = value == null ? NO_BYTES : value.getBytes(StandardCharsets.UTF_8);
        beginString(value == null ? Run.NO_STRING : bytes.length);
        elements(Run.BYTE, bytes, 0, bytes.length, true);
        return this;
    }

    /// Writes an object graph, by the serializer of the port's type. An object that was written
    /// into this message before is not written again: the reader gets the same one.
    ///
    /// @throws ObjectRefused when the port's type carries no objects, or an object in the graph
    ///   cannot be sent
    public WriteMessage writeObject(@Nullable Object graph) {
        check();
        objects.write(graph);
        return this;
    }
}
