package org.ibidem.port;

import static org.ibidem.port.Layouts.LITTLE;

import java.io.ByteArrayOutputStream;
import java.util.Objects;
import org.ibidem.arbitration.WaitInterrupted;
import org.ibidem.buffer.Frame;
import org.ibidem.buffer.Malformed;
import org.ibidem.buffer.Run;
import org.ibidem.link.LinkBroken;
import org.jspecify.annotations.Nullable;

/// The layer of a [ReadMessage] that knows where its bytes come from: out of frames, and within
/// them out of runs. The values themselves are read above, so that each read inlines at the user's
/// site.
abstract sealed class RunReader extends FrameReader permits ReadMessage {
    /// The kinds of primitives, a bit each.
    private static final int PRIMITIVES = (1 << Run.ARRAY) - 1;

    private static final int NO_RUN = -1;
    private static final int MOST_DESCRIPTION = 1 << 20;

    /// The kinds that may be read at the frame's position without more ado, a bit each, and where
    /// what may be read so ends.
    int open;

    long end;

    private final boolean checked;
    private final boolean numbered;

    /// Whether classes are described in runs of their own.
    private final boolean describes;

    /// While the rest of the message is skipped: whether classes may be described in it.
    private boolean looking;

    /// The parts that are here of a class description of which there are more to come.
    private @Nullable ByteArrayOutputStream described;

    /// The run in hand: the kind of its values; and, of an array or string, how many values are
    /// still to come in this run and later ones.
    private int kind = NO_RUN;

    private long left;

    /// Of an object: whether it goes on in a later run.
    private boolean unfinished;

    private long number = -1;

    RunReader(ReceivePort port, PortType type) {
        super(port);
        this.checked = !type.has(Capability.UNCHECKED);
        this.numbered = type.has(Capability.NUMBERED);
        this.describes = type.describes();
    }

    /// The first frame is in hand.
    final void begin(Input origin) {
        start(origin);
        described = null;
        noRun();
        if (numbered) {
            try {
                readNumber();
            } catch (InternalError e) {
                live = false;
                throw LinkBroken.cut(e);
            }
        }
    }

    private void readNumber() {
        number = -1;
        var f = frame;
        long at = checked ? f.position + Run.TAG : f.position;
        if (at + Run.LENGTH > f.limit
                || (checked && Run.kind(Run.read(f.memory, f.position)) != Run.NUMBER)) {
            return; // the first read says what is wrong
        }
        number = f.memory.get(LITTLE, at);
        f.position = at + Run.LENGTH;
    }

    /// Between runs; where nothing is tagged, everything is one.
    private void noRun() {
        kind = NO_RUN;
        left = 0;
        unfinished = false;
        open = checked ? 0 : PRIMITIVES;
        end = checked ? frame.position : frame.limit;
    }

    /// The next value of a primitive is not in the run in hand. Answers where it is: mostly in the
    /// run that begins here.
    final long need(int wanted) {
        var f = frame;
        long at = f.position;
        if (live && checked && at >= end && left == 0 && !unfinished && f.limit - at > Run.TAG) {
            int tag = tagHere();
            long bytes = Run.ofPrimitives(tag, wanted, f.limit - at - Run.TAG);
            if (bytes > 0) {
                kind = wanted;
                open = 1 << wanted;
                at += Run.TAG;
                end = at + bytes;
                f.position = at;
                return at;
            }
        }
        return find(wanted);
    }

    /// Or it is of another frame, or not there.
    private long find(int wanted) {
        live();
        if (!checked) {
            return needBytes(1 << Run.shift(wanted));
        }
        if (frame.position < end || left > 0 || unfinished) {
            throw mismatch(wanted);
        }
        int tag = nextTag(wanted);
        if (Run.kind(tag) != wanted || Run.count(tag) == 0) {
            throw mismatch(wanted, tag);
        }
        enter(tag);
        open = 1 << wanted;
        return frame.position;
    }

    private long needBytes(int bytes) {
        var f = frame;
        while (f.limit - f.position < bytes) {
            if (f.position != f.limit) {
                throw ReadMismatch.apart(bytes, bytesRead(), f.limit - f.position);
            }
            requireMore("a value");
            next();
        }
        return f.position;
    }

    final void requireMore(String wanted) {
        if ((frame.flags & Frame.MORE) == 0) {
            throw ReadMismatch.end(bytesRead(), wanted);
        }
    }

    /// The tag at the position, which stays before it.
    private int nextTag(int wanted) {
        var f = frame;
        while (f.position == f.limit) {
            requireMore(Run.name(wanted));
            next();
        }
        long after = f.limit - f.position - Run.TAG;
        int tag = after < 0 ? -1 : tagHere();
        if (after < 0 || !Run.valid(tag, after)) {
            throw ReadMismatch.foreign(bytesRead(), "is no tag");
        }
        return tag;
    }

    private void enter(int tag) {
        var f = frame;
        kind = Run.kind(tag);
        unfinished = (tag & Run.UNFINISHED) != 0;
        f.position += Run.TAG + Run.header(tag);
        end = f.position + ((long) Run.count(tag) << Run.shift(kind));
    }

    private ReadMismatch mismatch(int wanted, int tag) {
        return mismatch(wanted, Run.name(Run.kind(tag)) + " was written");
    }

    private ReadMismatch mismatch(int wanted, String there) {
        return new ReadMismatch(
                "%s was to be read at byte %s of the message, where %s"
                        .formatted(Run.name(wanted), bytesRead(), there));
    }

    /// The run in hand has more values, of another kind.
    private ReadMismatch mismatch(int wanted) {
        long more = left > 0 ? left : (end - frame.position) >> Run.shift(kind);
        return mismatch(
                wanted, Run.name(kind) + " was written, of which " + more + " are not read yet");
    }

    @Override
    final void entered() {
        open = checked ? 0 : PRIMITIVES;
        end = checked ? frame.position : frame.limit;
    }

    /// Finds an array or string: the one in hand if values of it are left, else the next. Answers
    /// how many values are left.
    final long array(int wanted) {
        live();
        if (!checked) {
            kind = wanted;
            return Long.MAX_VALUE;
        }
        if (left > 0 && kind == wanted) {
            return left;
        }
        if (frame.position < end || left > 0 || unfinished) {
            throw mismatch(wanted);
        }
        int tag = nextTag(wanted);
        if (Run.kind(tag) != wanted || (tag & Run.CONTINUED) != 0) {
            throw mismatch(wanted, tag);
        }
        long length = readLength(frame.position + Run.TAG);
        if (length < Run.count(tag)) {
            var what = "has " + length + " values, of which " + Run.count(tag) + " are here";
            throw ReadMismatch.foreign(bytesRead(), what);
        }
        enter(tag);
        left = length;
        open = 0;
        return length;
    }

    /// Where nothing is tagged, a string has its length in front.
    final long stringLength() {
        if (checked) {
            return array(Run.STRING);
        }
        live();
        long at = needBytes(Run.LENGTH);
        long length = readLength(at);
        frame.position = at + Run.LENGTH;
        kind = Run.STRING;
        return length;
    }

    final void requireLeft(long left, long count, int wanted) {
        if (count > left) {
            throw ReadMismatch.tooMany(
                    count + " elements of " + Run.name(wanted), bytesRead(), left);
        }
    }

    /// Values of the array, string or object in hand that are in this frame; at least one, of which
    /// there are more.
    final long here() {
        long some = (end - frame.position) >> Run.shift(kind);
        if (some <= 0) {
            nextPart();
            some = (end - frame.position) >> Run.shift(kind);
        }
        return some;
    }

    /// The frame's part of an array, string or object is read: finds the next.
    final void nextPart() {
        var f = frame;
        do {
            if (checked || kind == Run.OBJECT) {
                int of = kind;
                int tag = nextTag(of);
                while (of == Run.OBJECT && describes && Run.kind(tag) == Run.DESCRIPTION) {
                    description(tag);
                    tag = nextTag(of);
                }
                if (Run.kind(tag) != of || (tag & Run.CONTINUED) == 0) {
                    throw mismatch(of, tag);
                }
                enter(tag);
                if (of != Run.OBJECT && Run.count(tag) > left) {
                    throw new ReadMismatch(
                            "more values were sent than were announced at byte " + bytesRead());
                }
            } else {
                int of = kind;
                needBytes(1 << Run.shift(of));
                kind = of;
            }
        } while ((end - f.position) >> Run.shift(kind) <= 0
                && (left > 0 || unfinished || !checked));
    }

    /// So many values of the array or string in hand were taken out of the frame.
    final void took(long count) {
        frame.position += count << Run.shift(kind);
        if (checked) {
            left -= count;
        }
    }

    /// Takes an array of so many values that begins here and is all here, so that its values need
    /// only be copied. Answers where they are; -1: it is to be looked for.
    final long whole(int wanted, int count) {
        var f = frame;
        long at = f.position;
        long values = at + Run.TAG + Run.LENGTH;
        if (!live || !checked || at < end || left > 0 || unfinished || values >= f.limit) {
            return -1;
        }
        int tag = tagHere();
        long bytes = Run.ofPrimitives(tag, wanted, f.limit - values);
        if (bytes == 0 || Run.count(tag) != count || readLength(at + Run.TAG) != count) {
            return -1;
        }
        kind = wanted;
        open = 0;
        end = values + bytes;
        f.position = end;
        return values;
    }

    /// Finds an object graph. It has tags even where other values have none.
    final void beginObject() {
        live();
        if (checked && (frame.position < end || left > 0 || unfinished)) {
            throw mismatch(Run.OBJECT);
        }
        int tag = nextTag(Run.OBJECT);
        if (Run.kind(tag) != Run.OBJECT || (tag & Run.CONTINUED) != 0) {
            throw mismatch(Run.OBJECT, tag);
        }
        enter(tag);
        open = 0;
    }

    /// Reads some bytes of the object in hand; -1: it is over.
    final int objectBytes(byte[] into, int offset, int count) {
        var f = frame;
        while (f.position == end) {
            if (!unfinished) {
                return -1;
            }
            nextPart();
        }
        int some = (int) Math.min(count, end - f.position);
        copy(into, offset, some);
        f.position += some;
        return some;
    }

    /// Bytes of the object in hand that are in this frame.
    final long objectHere() {
        return end - frame.position;
    }

    /// Takes a class description, which may lie in several frames.
    private void description(int first) {
        for (int tag = first; !describedBy(tag); ) {
            tag = nextTag(Run.DESCRIPTION);
        }
    }

    /// Takes a part of a class description; the rest may come when somebody else has the message:
    /// one who skips it.
    ///
    /// @return whether it is the last
    private boolean describedBy(int tag) {
        var f = frame;
        var all = described == null ? new ByteArrayOutputStream() : described;
        boolean fits = ((tag & Run.CONTINUED) != 0) == (described != null);
        if (Run.kind(tag) != Run.DESCRIPTION || !fits || all.size() > MOST_DESCRIPTION) {
            throw mismatch(Run.DESCRIPTION, tag);
        }
        var part = new byte[Run.count(tag)];
        f.position += Run.TAG;
        copy(part, 0, part.length);
        f.position += part.length;
        all.writeBytes(part);
        boolean last = (tag & Run.UNFINISHED) == 0;
        described = last ? null : all;
        if (last) {
            Objects.requireNonNull(input).objects.describe(all.toByteArray());
        }
        return last;
    }

    /// The object in hand is over, read whole or not.
    final void endObject() {
        while (kind == Run.OBJECT) {
            frame.position = end;
            if (!unfinished) {
                noRun();
                return;
            }
            nextPart();
        }
    }

    /// The kind of what comes next, or -1 where that is not known: in the middle of something, or
    /// without tags.
    final int peek() {
        live();
        if (frame.position < end || left > 0 || unfinished) {
            return NO_RUN;
        }
        return Run.kind(nextTag(Run.OBJECT));
    }

    /// Skips what was not read, waiting for the message's end; answers its size.
    final long skip() {
        try {
            if (frame.position < frame.limit || (frame.flags & Frame.MORE) != 0) {
                looking = describes;
                while (!skipHere()) {
                    next();
                }
            }
            return consumed + frame.limit - from;
        } catch (WaitInterrupted e) {
            port.skipLater();
            throw e;
        } finally {
            live = false; // and nothing can be read without asking for that
            open = 0;
        }
    }

    /// Goes on with what [#skip] had to leave.
    ///
    /// @return false: there is still some to come
    final boolean skipOn() {
        try {
            do {
                if (!nextIfHere()) {
                    return false;
                }
            } while (!skipHere());
        } catch (MessageAbandoned _) {
            // nobody read it anyway
        }
        return true;
    }

    /// Skips what is left of this frame.
    ///
    /// @return whether it is the last
    private boolean skipHere() {
        looking = looking && describedHere();
        frame.position = frame.limit;
        return (frame.flags & Frame.MORE) == 0;
    }

    /// Takes the class descriptions in what is left of this frame.
    ///
    /// @return false: there is something that none of ours writes
    private boolean describedHere() {
        var f = frame;
        f.position = Math.max(f.position, end);
        while (f.position < f.limit) {
            long after = f.limit - f.position - Run.TAG;
            int tag = after < 0 ? -1 : tagHere();
            if (after < 0 || !Run.valid(tag, after)) {
                return false;
            }
            if (Run.kind(tag) == Run.DESCRIPTION) {
                try {
                    describedBy(tag);
                } catch (Malformed | ReadMismatch _) {
                    return false; // whoever needs the class is told that it was not described
                }
            } else {
                long values = (long) Run.count(tag) << Run.shift(Run.kind(tag));
                f.position += Run.TAG + Run.header(tag) + values;
            }
        }
        return true;
    }

    /// Bytes read so far, tags included.
    public final long bytesRead() {
        return consumed + frame.position - from;
    }

    /// Bytes of the whole message, tags included; -1 while its end is not known here.
    public final long size() {
        live();
        return (frame.flags & Frame.MORE) == 0 ? consumed + frame.limit - from : -1;
    }

    /// Bytes not read yet, tags included; -1 while the message's end is not known here.
    public final long remaining() {
        live();
        return (frame.flags & Frame.MORE) == 0 ? frame.limit - frame.position : -1;
    }

    /// The message's number, from 0; or -1 where the port's type is not numbered.
    public final long sequenceNumber() {
        live();
        return number;
    }
}
