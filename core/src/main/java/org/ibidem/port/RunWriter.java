package org.ibidem.port;

import static org.ibidem.port.Layouts.FIRST;
import static org.ibidem.port.Layouts.LITTLE;

import java.lang.foreign.MemorySegment;
import org.ibidem.buffer.Frame;
import org.ibidem.buffer.Run;
import org.ibidem.link.LinkBroken;

/// The layer of a [WriteMessage] that knows where its bytes go: into frames, and within them into
/// runs. The values themselves are written above, so that each write inlines at the user's site.
abstract sealed class RunWriter extends FrameWriter permits WriteMessage {
    /// A row of primitives has no room for more, or there is none.
    static final int FULL = 1 << 24;

    /// The kinds of primitives, a bit each.
    private static final int PRIMITIVES = (1 << Run.ARRAY) - 1;

    /// Bytes copied at one go into memory that another core reads.
    private static final int PIECE = 1 << 10;

    /// What lies in the caches near the core when it is sent, mostly.
    private static final long NEAR = 256 << 10;

    /// The kinds that may be written at the frame's position without more ado, a bit each, as far
    /// as the row in hand has room.
    int open;

    /// A 1, and below it the kinds of the values of the row in hand, as [Run#writeRow] takes them;
    /// or [#FULL]: nothing is in hand. 0: a run, or no tags at all.
    int row;

    /// None of its bits while a run is in hand, else all.
    int inRow;

    private final boolean checked;
    private final boolean numbered;

    /// The kinds that the port's type carries, a bit each.
    private final int carried;

    /// Where the tag of the row or run in hand is (-1: there is none).
    private long tagAt = -1;

    /// Of a run, where its values begin, its kind and flags.
    private long valuesAt;

    private int kind;
    private int flags;

    private long number;

    RunWriter(SendPort port, PortType type) {
        super(port);
        this.checked = !type.has(Capability.UNCHECKED);
        this.numbered = type.has(Capability.NUMBERED);
        this.carried = type.data().kinds();
        forgetRun();
    }

    @Override
    final void forgetRun() {
        tagAt = -1;
        row = checked ? FULL : 0;
        inRow = checked ? -1 : 0;
        open = 0;
    }

    /// Begins a message, in the room the last one left or in new room.
    ///
    /// @param itsNumber where the port's type is numbered
    final void begin(long itsNumber) {
        try {
            if (frame.limit - frame.position < FIRST && !sink.claim(frame, FIRST)) {
                await(frame);
            }
            from = frame.position;
            committed = 0;
            if (numbered) {
                number = itsNumber;
                writeNumber(frame);
            }
        } catch (LinkBroken e) {
            throw port.lost(e);
        }
        live = true;
        open = carried & PRIMITIVES;
        if (checked) { // most messages begin with primitives
            var f = frame; // anew, and what is so already is set: the compiler knows it then
            tagAt = f.position;
            f.position += Run.TAG;
            row = 1;
            inRow = -1;
        }
    }

    private void writeNumber(Frame f) {
        if (checked) {
            Run.write(f.memory, f.position, Run.NUMBER, 1, 0);
            f.position += Run.TAG;
        }
        f.memory.set(LITTLE, f.position, number);
        f.position += Run.LENGTH;
    }

    /// The only slow path of the primitives: the run in hand is of another kind, or the frame is
    /// full. Answers where the value goes.
    final long start(int wanted) {
        require(wanted);
        if (!checked) {
            next();
            return frame.position;
        }
        boolean alike = isOnlyOf(wanted);
        endRun(0);
        if (frame.limit - frame.position < Run.TAG + Long.BYTES) {
            next();
        }
        if (alike) {
            beginRun(wanted, 0);
            open = 1 << wanted;
            return valuesAt;
        }
        tagAt = frame.position;
        row = 1;
        return tagAt + Run.TAG;
    }

    /// Whether what is in hand is a run of such primitives, or a row full of them, after which a
    /// run begins: it has no limit.
    private boolean isOnlyOf(int wanted) {
        return tagAt >= 0
                && (row == 0 ? kind == wanted : row == (FULL | (Run.IN_ROW | wanted) * 0x11_1111));
    }

    private void require(int wanted) {
        check();
        if ((carried >> wanted & 1) == 0) {
            throw new IllegalStateException(
                    "the type of "
                            + port
                            + " carries "
                            + port.type().data()
                            + ", no "
                            + Run.name(wanted)
                            + ": choose another with PortType.data or PortType.objects");
        }
    }

    /// Begins a run that is none of primitives, in the next frame where this one is full.
    private void begin(int wanted, int itsFlags) {
        if (frame.limit - frame.position < Run.TAG + Run.LENGTH + Long.BYTES) {
            next();
        }
        beginRun(wanted, itsFlags);
    }

    private void beginRun(int wanted, int itsFlags) {
        tagAt = frame.position;
        valuesAt = tagAt + Run.TAG;
        frame.position = valuesAt;
        kind = wanted;
        flags = itsFlags;
        row = 0;
        inRow = 0;
        open = 0;
    }

    private void endRun(int more) {
        if (tagAt < 0) {
            return;
        }
        if (row > 1) {
            Run.writeRow(frame.memory, tagAt, row);
        } else if (row == 1) {
            frame.position = tagAt; // nothing was written
        } else {
            long count = (frame.position - valuesAt) >> Run.shift(kind);
            Run.write(frame.memory, tagAt, kind, count, flags | more);
            open = carried & PRIMITIVES;
            inRow = checked ? -1 : 0;
        }
        tagAt = -1;
        row = checked ? FULL : 0;
    }

    /// Hands the full frame over and gets the next, where an array, string or object in hand goes
    /// on.
    final void next() {
        var f = frame;
        boolean goesOn = tagAt >= 0;
        endRun(goesOn && kind >= Run.OBJECT ? Run.UNFINISHED : 0);
        long some = f.position - from;
        committed += some;
        from = f.position; // these bytes must not be counted again
        try {
            if (some > 0) { // else there was no room when it was asked for last
                sink.commit(f, Frame.MORE);
                from = f.position;
            }
            if (f.limit - f.position < FIRST && !sink.claim(f, FIRST)) {
                await(f);
            }
            from = f.position;
        } catch (LinkBroken e) {
            throw port.lost(e);
        }
        if (goesOn) {
            beginRun(kind, Run.CONTINUED);
        }
    }

    /// Begins an array or string of so many values.
    final void beginArray(int wanted, long length) {
        require(wanted);
        if (checked) {
            endRun(0);
            begin(wanted, 0);
            frame.memory.set(LITTLE, valuesAt, length);
            valuesAt += Run.LENGTH;
            frame.position = valuesAt;
        } else {
            kind = wanted;
        }
    }

    /// Begins a string of so many bytes, which tells its length even without tags.
    ///
    /// @param bytes [Run#NO_STRING]: it is null
    final void beginString(long bytes) {
        beginArray(Run.STRING, bytes);
        if (!checked) {
            roomFor(Run.LENGTH);
            frame.memory.set(LITTLE, frame.position, bytes);
            frame.position += Run.LENGTH;
        }
    }

    /// Begins an object graph: tagged even where nothing else is, so that its end can be found.
    final void beginObject() {
        require(Run.OBJECT);
        endRun(0);
        begin(Run.OBJECT, 0);
    }

    /// Says what a class is, in the middle of an object, which goes on behind it.
    final void description(byte[] bytes) {
        endRun(Run.UNFINISHED);
        begin(Run.DESCRIPTION, 0);
        bytes(MemorySegment.ofArray(bytes), 0, bytes.length);
        endRun(0);
        begin(Run.OBJECT, Run.CONTINUED);
    }

    /// How many bytes fit into the frame; at least so many.
    final int roomFor(int least) {
        if (lost) {
            throw new ConnectionLost("the connection was lost before this message was finished");
        }
        if (frame.limit - frame.position < least) {
            next();
        }
        return (int) Math.min(Integer.MAX_VALUE, frame.limit - frame.position);
    }

    /// The array, string or object is complete.
    final void endArray() {
        endRun(0);
    }

    /// Writes what is before the values of a short array that fits into the frame in hand, and
    /// takes their room. Answers where they go; -1: it is to be begun, and ended.
    final long whole(int wanted, int count) {
        long bytes = (long) count << Run.shift(wanted);
        if (bytes > PIECE || !checked) {
            return -1;
        }
        require(wanted);
        endRun(0);
        var f = frame;
        long values = f.position + Run.TAG + Run.LENGTH;
        if (values + bytes > f.limit) {
            return -1;
        }
        Run.write(f.memory, f.position, wanted, count, 0);
        f.memory.set(LITTLE, f.position + Run.TAG, count);
        f.position = values + bytes;
        return values;
    }

    /// Bytes of a copy to be made at one go; the last piece is copied first. Processors that see
    /// memory written in ascending order fetch what follows as if it were to be read, and have to
    /// ask for it once more to write it, which costs a fifth where the reader has it (measured:
    /// docs/design/shared-memory.md). What is copied has to be near then, for it is not fetched
    /// ahead either.
    final int piece(long bytes) {
        return bytes > NEAR || !frame.shared ? Integer.MAX_VALUE : PIECE;
    }

    /// Writes bytes of the array, string or object in hand.
    final void bytes(MemorySegment source, long offset, long count) {
        var f = frame;
        for (long done = 0; done < count; ) {
            long some = Math.min(count - done, f.limit - f.position);
            if (some <= 0) {
                next();
                continue;
            }
            long step = piece(count);
            for (long i = some > step ? (some - 1) & -step : 0; i >= 0; i -= step) {
                long part = Math.min(step, some - i);
                MemorySegment.copy(source, offset + done + i, f.memory, f.position + i, part);
            }
            f.position += some;
            done += some;
        }
    }

    /// The same of memory that may be gone, or closed meanwhile; then the message is given up.
    final void wholly(MemorySegment source, long offset, long count) {
        try {
            bytes(source, offset, count);
        } catch (IllegalStateException | WrongThreadException e) {
            abandon();
            throw e;
        }
    }

    /// Writes an array of such primitives, or the bytes of a string that was begun, and ends it.
    final void elements(int primitive, Object array, int offset, int count, boolean begun) {
        var f = frame;
        if (!begun) {
            int wanted = Run.ARRAY | primitive;
            long whole = whole(wanted, count);
            if (whole >= 0) {
                Layouts.write(primitive, array, offset, f.memory, whole, count);
                return;
            }
            beginArray(wanted, count);
        }
        int shift = Run.shift(primitive);
        for (int done = 0; done < count; ) {
            int some = (int) Math.min(count - done, (f.limit - f.position) >> shift);
            if (some <= 0) {
                next();
                continue;
            }
            int step = piece((long) count << shift) >> shift;
            for (int i = some > step ? (some - 1) & -step : 0; i >= 0; i -= step) {
                int part = Math.min(step, some - i);
                long at = f.position + ((long) i << shift);
                Layouts.write(primitive, array, offset + done + i, f.memory, at, part);
            }
            f.position += (long) some << shift;
            done += some;
        }
        endArray();
    }

    /// Writes an array of booleans.
    final void booleans(boolean[] array, int offset, int count) {
        var f = frame;
        beginArray(Run.ARRAY | Run.BOOLEAN, count);
        for (int done = 0; done < count; ) {
            int some = (int) Math.min(count - done, f.limit - f.position);
            if (some <= 0) {
                next();
                continue;
            }
            for (int i = 0; i < some; i++) {
                byte value = (byte) (array[offset + done + i] ? 1 : 0);
                f.memory.set(Layouts.BYTE, f.position + i, value);
            }
            f.position += some;
            done += some;
        }
        endArray();
    }

    /// Ends the frame so that what was written so far can be sent; the message goes on.
    final void split() {
        check();
        endRun(0);
        if (frame.position > from) {
            next();
        }
    }

    private long end() {
        if (!live || lost) {
            check();
        }
        endRun(0);
        open = 0;
        live = false;
        committed += frame.position - from;
        return committed;
    }

    /// Ends the message and commits its last frame; answers its size.
    final long finish(int hold) {
        long size = end();
        boolean sent = false;
        try {
            if (!sink.commit(frame, hold) && hold == 0) {
                port.room.push();
            }
            sent = true;
        } catch (LinkBroken e) {
            throw port.lost(e);
        } finally {
            if (!sent) {
                port.finished(SendPort.NOT_SENT);
            }
        }
        port.finished(size);
        return size;
    }

    /// Bytes of the message so far, tags included; headers of layers not counted.
    public final long bytesWritten() {
        long begun = row == 1 ? Run.TAG : 0;
        return live ? committed + frame.position - from - begun : committed;
    }

    /// The message's number, from 0; or -1 where the port's type is not numbered.
    public final long sequenceNumber() {
        return numbered ? number : -1;
    }
}
