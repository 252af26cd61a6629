package org.ibidem.port;

import static org.ibidem.port.Layouts.FIRST;
import static org.ibidem.port.Layouts.LITTLE;

import java.lang.foreign.MemorySegment;
import org.ibidem.buffer.Frame;
import org.ibidem.buffer.Run;
import org.ibidem.link.FrameSink;
import org.ibidem.link.LinkBroken;

/// The layer of a [WriteMessage] that knows where its bytes go: into frames, and within them into
/// runs. The values themselves are written above, so that each write inlines at the user's site.
abstract sealed class RunWriter permits WriteMessage {
    /// The kinds of primitives, a bit each.
    private static final int PRIMITIVES = (1 << Run.ARRAY) - 1;

    /// Bytes copied at one go into memory that another core reads.
    private static final int PIECE = 1 << 10;

    /// What lies in the caches near the core when it is sent, mostly.
    private static final long NEAR = 256 << 10;

    final SendPort port;
    final Frame frame = new Frame();

    /// Where frames go; set by the port whenever its connections change.
    FrameSink sink = NoSink.INSTANCE;

    /// The kinds that may be written at the frame's position without more ado, a bit each.
    int open;

    private final boolean checked;
    private final boolean numbered;

    /// The kinds that the port's type carries, a bit each.
    private final int carried;

    boolean live;

    /// The connection ended under the message: all it can do is be closed.
    private boolean lost;

    /// The run in hand: where its tag is (-1: there is none); of primitives, where one value ends.
    private long tagAt = -1;

    private long ofOne;

    /// Of others, where its values begin, its kind and flags.
    private long valuesAt;

    private int kind;
    private int flags;

    /// Bytes in frames committed already, and where the payload of the frame in hand began.
    private long committed;

    private long from;
    private long number;

    RunWriter(SendPort port, PortType type) {
        this.port = port;
        this.checked = !type.has(Capability.UNCHECKED);
        this.numbered = type.has(Capability.NUMBERED);
        this.carried = type.data().kinds();
    }

    /// Begins a message, in the room the last one left or in new room.
    ///
    /// @param itsNumber where the port's type is numbered
    final void begin(long itsNumber) {
        var f = frame;
        try {
            if (f.limit - f.position < FIRST && !sink.claim(f, FIRST)) {
                await(f);
            }
            from = f.position;
            committed = 0;
            if (numbered) {
                number = itsNumber;
                writeNumber(f);
            }
        } catch (LinkBroken e) {
            throw port.lost(e);
        } catch (InternalError e) {
            throw notBegun(e);
        }
        live = true;
        if (!checked) { // else it is 0 since the last one's end
            open = carried & PRIMITIVES;
        }
    }

    /// Apart from what each message does, which is small enough to be compiled into its callers.
    private void await(Frame f) {
        port.waitForRoom();
        while (!sink.claim(f, FIRST)) {
            port.idle();
        }
        port.waited();
    }

    private void writeNumber(Frame f) {
        if (checked) {
            Run.write(f.memory, f.position, Run.NUMBER, 1, 0);
            f.position += Run.TAG;
        }
        f.memory.set(LITTLE, f.position, number);
        f.position += Run.LENGTH;
    }

    /// The connection changed: room of the old one must not be used.
    void forget() {
        frame.empty();
        from = 0;
        tagAt = -1;
        open = 0;
        lost = live;
    }

    /// The only slow path of the primitives: the run in hand is of another kind, or the frame is
    /// full. Answers where the value goes.
    final long start(int wanted) {
        require(wanted);
        if (!checked) {
            next();
            return frame.position;
        }
        if (open != 0 && frame.position != ofOne) { // else it is tagged as of one value
            tagPrimitives();
        }
        if (frame.limit - frame.position < Run.TAG + Long.BYTES) {
            tagAt = -1;
            open = 0;
            next();
        }
        long at = frame.position;
        Run.write(frame.memory, at, wanted, 1, 0);
        tagAt = at;
        ofOne = at + Run.TAG + (1L << Run.shift(wanted));
        open = 1 << wanted;
        return at + Run.TAG;
    }

    /// Writes the tag of the run of primitives in hand, unless it has one value, as its tag says.
    /// No more is noted of a run than it takes: a processor has a few dozen stores on their way.
    private void tagPrimitives() {
        int of = Integer.numberOfTrailingZeros(open);
        long count = (frame.position - tagAt - Run.TAG) >> Run.shift(of);
        Run.write(frame.memory, tagAt, of, count, 0);
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
    }

    private void endRun(int more) {
        if (tagAt >= 0) {
            if (open != 0) {
                if (frame.position != ofOne) { // else it is tagged so
                    tagPrimitives();
                }
                open = 0;
            } else {
                long count = (frame.position - valuesAt) >> Run.shift(kind);
                Run.write(frame.memory, tagAt, kind, count, flags | more);
            }
            tagAt = -1;
        }
    }

    /// Hands the full frame over and gets the next, where an array, string or object in hand goes
    /// on.
    final void next() {
        var f = frame;
        boolean goesOn = tagAt >= 0;
        endRun(kind >= Run.OBJECT ? Run.UNFINISHED : 0);
        committed += f.position - from;
        from = f.position; // these bytes must not be counted again
        try {
            sink.commit(f, Frame.MORE);
            from = f.position;
            if (f.limit - f.position < FIRST && !sink.claim(f, FIRST)) {
                await(f);
            }
            from = f.position;
        } catch (LinkBroken e) {
            throw port.lost(e);
        } catch (InternalError e) { // of a filter on the way
            throw cutHere(e);
        }
        if (goesOn) {
            beginRun(kind, Run.CONTINUED);
        }
    }

    /// The memory was taken away under the message; the JVM says so by this error, in compiled code
    /// perhaps only when the method that touched it returns. So it is caught in the methods that
    /// the program calls. Of several receivers the others are told that the message was given up,
    /// and stay.
    final ConnectionLost cut(InternalError e) {
        return live ? cutHere(e) : port.cutLate(e);
    }

    /// The same where the message could not begin. Holds the port's turn.
    final ConnectionLost notBegun(InternalError e) {
        live = false;
        committed = 0;
        return cutHere(e);
    }

    /// The same where the port's turn is in hand.
    final ConnectionLost cutHere(InternalError e) {
        var why = LinkBroken.cut(e);
        try {
            if (!port.losesOne()) {
                return port.lost(why);
            }
        } catch (LinkBroken all) {
            return port.lost(all);
        }
        if (live) {
            abandon();
        } else {
            giveUp();
        }
        return new ConnectionLost("one of several receivers is lost, and the message with it", why);
    }

    /// Whether memory is gone that the program wrote from, and not the connection's, where it may
    /// be that.
    final boolean isAnothers(boolean mayBe) {
        return mayBe && frame.isThere();
    }

    final void check() {
        if (!live) {
            throw new IllegalStateException("the message is finished; get a new one from the port");
        }
        if (lost) {
            abandon();
            throw new ConnectionLost("the connection was lost before this message was finished");
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
    final void beginString(int bytes) {
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
        open = 0;
    }

    /// Says what a class is, in the middle of an object, which goes on behind it.
    final void description(byte[] bytes) {
        endRun(Run.UNFINISHED);
        begin(Run.DESCRIPTION, 0);
        bytes(MemorySegment.ofArray(bytes), 0, bytes.length);
        endRun(0);
        begin(Run.OBJECT, Run.CONTINUED);
    }

    /// Bytes of the message in frames that are gone.
    final long committed() {
        return committed;
    }

    /// Whether the frame in hand is still the one of which so many bytes lay before.
    final boolean holds(long before) {
        return live && !lost && committed == before;
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

    /// How many of the values that are still to be written fit into the frame; at least one.
    final int room(long wanted) {
        int shift = Run.shift(kind);
        if ((frame.limit - frame.position) >> shift <= 0) {
            next();
        }
        return (int) Math.min(wanted, (frame.limit - frame.position) >> shift);
    }

    /// The array, string or object is complete.
    final void endArray() {
        endRun(0);
        open = checked ? 0 : carried & PRIMITIVES;
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

    /// Ends the frame so that what was written so far can be sent; the message goes on.
    final void split() {
        check();
        endRun(0);
        if (frame.position > from) {
            next();
        }
        open = checked ? 0 : carried & PRIMITIVES;
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
                port.push();
            }
            sent = true;
        } catch (LinkBroken e) {
            throw port.lost(e);
        } catch (InternalError e) {
            throw cutHere(e);
        } finally {
            if (!sent) {
                port.finished(0);
            }
        }
        port.finished(size);
        return size;
    }

    /// The message is given up.
    abstract void abandoned();

    /// Gives the message up: the receiver is told if it has got a part.
    final void abandon() {
        boolean wasLost = lost;
        lost = false;
        live = false;
        abandoned();
        open = 0;
        tagAt = -1;
        try {
            if (!wasLost) {
                giveUp();
            }
        } catch (InternalError e) {
            port.lostInSilence(LinkBroken.cut(e));
        } finally {
            port.finished(0);
        }
    }

    /// The next message claims room anew: this one may have written to what it had.
    private void giveUp() {
        tagAt = -1;
        frame.empty();
        from = 0;
        if (committed > 0) {
            port.abandon(frame);
        } else {
            probe();
        }
    }

    /// Whoever gave up perhaps did because the memory was cut short. Then the next message is told.
    private void probe() {
        try {
            sink.push();
        } catch (LinkBroken e) {
            // as whoever claims will hear
        }
    }

    /// Bytes of the message so far, tags included; headers of layers not counted.
    public final long bytesWritten() {
        return live ? committed + frame.position - from : committed;
    }

    /// The message's number, from 0; or -1 where the port's type is not numbered.
    public final long sequenceNumber() {
        return numbered ? number : -1;
    }
}
