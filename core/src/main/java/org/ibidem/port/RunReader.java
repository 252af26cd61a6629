package org.ibidem.port;

import static org.ibidem.port.Layouts.LITTLE;

import org.ibidem.buffer.Frame;
import org.ibidem.buffer.Run;
import org.ibidem.link.LinkBroken;

/// The layer of a [ReadMessage] that knows where its bytes come from: out of frames, and within
/// them out of runs. The values themselves are read above, so that each read inlines at the user's
/// site.
abstract sealed class RunReader extends FrameReader permits GraphReader {
    static final int NO_RUN = -1;

    /// The kinds of the primitives that are at the frame's position, four bits each as in a row,
    /// the first one's on top; those of a run again and again. None: 0.
    int kinds;

    /// The bits of it that a read looks at: none where nothing is tagged.
    final int looked;

    /// Where what may be read without more ado ends.
    long end;

    final boolean checked;
    private final boolean numbered;

    /// Whether classes are described in runs of their own.
    final boolean describes;

    /// The run in hand: the kind of its values; and, of an array or string, how many values are
    /// still to come in this run and later ones.
    int kind = NO_RUN;

    private long left;

    /// Of an object: whether it goes on in a later run.
    boolean unfinished;

    private long number = -1;

    RunReader(ReceivePort port, PortType type) {
        super(port);
        this.checked = !type.has(Capability.UNCHECKED);
        this.looked = checked ? -1 << 28 : 0;
        this.numbered = type.has(Capability.NUMBERED);
        this.describes = type.describes();
    }

    /// The message is over: what it has left of a class description is of no use.
    abstract void forgetDescription();

    /// Takes a class description that begins with this tag, which may lie in several frames.
    abstract void described(int first);

    /// The first frame is in hand, and nothing of a message before. Most messages begin with a row.
    /// Whether this one does is chosen value by value: where the ways part, the compiler forgets
    /// what it knows of the memory.
    final void begin(Input origin) {
        start(origin);
        int tag = 0;
        try {
            if (numbered) {
                readNumber();
            }
            var f = frame;
            if (checked && f.limit - f.position > Run.TAG) {
                tag = Run.read(f.memory, f.position);
            }
        } catch (InternalError e) {
            live = false;
            throw LinkBroken.cut(e);
        }
        boolean row = Run.isRow(tag);
        var f = frame;
        long at = f.position;
        f.position = row ? at + Run.TAG : at;
        kind = row ? Run.ROW : NO_RUN;
        kinds = row ? Run.kinds(tag) : 0;
        end = row || !checked ? f.limit : at;
    }

    /// The message is over: nothing is left of it but perhaps a row, which the next one replaces.
    final void over() {
        if (kind != Run.ROW) {
            forgetDescription();
            noRun();
        }
        live = false; // and nothing can be read without asking for that
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
    final void noRun() {
        kind = NO_RUN;
        left = 0;
        unfinished = false;
        entered();
    }

    /// Whether values of what is in hand are not read yet.
    final boolean isInHand() {
        return kind == Run.ROW
                ? !Run.isOver(kinds)
                : frame.position < end || left > 0 || unfinished;
    }

    /// The next value of a primitive is not in what is in hand. Answers where it is: mostly in the
    /// row or run that begins here.
    final long need(int wanted) {
        var f = frame;
        long at = f.position;
        if (live && checked && !isInHand() && f.limit - at > Run.TAG) {
            int tag = tagHere();
            long left = f.limit - at - Run.TAG;
            if (Run.startsRow(tag, wanted, left)) {
                enterRow(tag);
                return f.position;
            }
            if (Run.ofPrimitives(tag, wanted, left) > 0) {
                enter(tag);
                return f.position;
            }
        }
        return find(wanted);
    }

    private void enterRow(int tag) {
        var f = frame;
        kind = Run.ROW;
        kinds = Run.kinds(tag);
        f.position += Run.TAG;
        end = f.limit;
    }

    /// Or it is of another frame, or not there.
    private long find(int wanted) {
        live();
        if (!checked) {
            return needBytes(1 << Run.shift(wanted));
        }
        if (isInHand()) {
            throw mismatch(wanted);
        }
        int tag = nextTag(wanted);
        if (Run.startsRow(tag, wanted, Long.MAX_VALUE)) {
            enterRow(tag);
        } else if (Run.kind(tag) != wanted || Run.count(tag) == 0) {
            throw mismatch(wanted, tag);
        } else {
            enter(tag);
        }
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
    final int nextTag(int wanted) {
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

    final void enter(int tag) {
        var f = frame;
        kind = Run.kind(tag);
        unfinished = (tag & Run.UNFINISHED) != 0;
        f.position += Run.TAG + Run.header(tag);
        end = f.position + ((long) Run.count(tag) << Run.shift(kind));
        kinds = kind < Run.ARRAY ? Run.alike(kind) : 0;
    }

    final ReadMismatch mismatch(int wanted, int tag) {
        return mismatch(wanted, Run.name(Run.firstKind(tag)) + " was written");
    }

    final ReadMismatch mismatch(int wanted, String there) {
        return new ReadMismatch(
                "%s was to be read at byte %s of the message, where %s"
                        .formatted(Run.name(wanted), bytesRead(), there));
    }

    /// What is in hand has more values, of another kind.
    final ReadMismatch mismatch(int wanted) {
        if (kind == Run.ROW) {
            return mismatchInRow(wanted);
        }
        long more = left > 0 ? left : (end - frame.position) >> Run.shift(kind);
        return mismatch(
                wanted, Run.name(kind) + " was written, of which " + more + " are not read yet");
    }

    private ReadMismatch mismatchInRow(int wanted) {
        if (kinds >= 0) {
            return ReadMismatch.foreign(bytesRead(), "is a row with a gap");
        }
        int first = Run.first(kinds);
        return first == wanted
                ? ReadMismatch.foreign(bytesRead(), "is a row that its frame cuts off")
                : mismatch(wanted, Run.name(first) + " was written");
    }

    @Override
    final void entered() {
        kinds = 0;
        end = checked ? frame.position : frame.limit;
    }

    /// Finds an array or string: the one in hand if values of it are left, else the next. Answers
    /// how many values are left.
    final long array(int wanted) {
        return array(wanted, 0);
    }

    /// The same where so many values are to be read: where there are fewer, nothing is taken.
    final long array(int wanted, long count) {
        live();
        if (!checked) {
            kind = wanted;
            return Long.MAX_VALUE;
        }
        if (left > 0 && kind == wanted) {
            requireLeft(left, count, wanted);
            return left;
        }
        if (isInHand()) {
            throw mismatch(wanted);
        }
        int tag = nextTag(wanted);
        if (Run.kind(tag) != wanted || (tag & Run.CONTINUED) != 0) {
            throw mismatch(wanted, tag);
        }
        long length = readLength(frame.position + Run.TAG);
        boolean none = length == Run.NO_STRING && wanted == Run.STRING && Run.count(tag) == 0;
        if (length < Run.count(tag) && !none) {
            var what = "has " + length + " values, of which " + Run.count(tag) + " are here";
            throw ReadMismatch.foreign(bytesRead(), what);
        }
        requireLeft(Math.max(length, 0), count, wanted);
        enter(tag);
        left = Math.max(length, 0);
        return length;
    }

    /// Where nothing is tagged, a string has its length in front; [Run#NO_STRING]: it is null.
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

    private void requireLeft(long left, long count, int wanted) {
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
                    described(tag);
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
        if (!live || !checked || isInHand() || values >= f.limit) {
            return -1;
        }
        int tag = tagHere();
        long bytes = Run.ofPrimitives(tag, wanted, f.limit - values);
        if (bytes == 0 || Run.count(tag) != count || readLength(at + Run.TAG) != count) {
            return -1;
        }
        kind = wanted;
        kinds = 0;
        end = values + bytes;
        f.position = end;
        return values;
    }

    /// Bytes read so far, tags included.
    public final long bytesRead() {
        return consumed + frame.position - from - ahead();
    }

    /// Bytes of the tag of a row that was looked at, and nothing of it read.
    private int ahead() {
        return kind == Run.ROW && Run.isWhole(kinds) ? Run.TAG : 0;
    }

    /// Bytes of the whole message, tags included; -1 while its end is not known here.
    public final long size() {
        live();
        return (frame.flags & Frame.MORE) == 0 ? consumed + frame.limit - from : -1;
    }

    /// Bytes not read yet, tags included; -1 while the message's end is not known here.
    public final long remaining() {
        live();
        return (frame.flags & Frame.MORE) == 0 ? frame.limit - frame.position + ahead() : -1;
    }

    /// The message's number, from 0; or -1 where the port's type is not numbered.
    public final long sequenceNumber() {
        live();
        return number;
    }
}
