package org.ibidem.port;

import java.io.ByteArrayOutputStream;
import java.util.Objects;
import org.ibidem.arbitration.WaitInterrupted;
import org.ibidem.buffer.Frame;
import org.ibidem.buffer.Malformed;
import org.ibidem.buffer.Run;
import org.jspecify.annotations.Nullable;

/// The layer of a [ReadMessage] that knows of object graphs and the descriptions of their classes,
/// which it takes even out of what nobody reads. So it also skips that.
abstract sealed class GraphReader extends RunReader permits ReadMessage {
    private static final int MOST_DESCRIPTION = 1 << 20;

    /// While the rest of the message is skipped: whether classes may be described in it.
    private boolean looking;

    /// The parts that are here of a class description of which there are more to come.
    private @Nullable ByteArrayOutputStream described;

    GraphReader(ReceivePort port, PortType type) {
        super(port, type);
    }

    @Override
    final void forgetDescription() {
        described = null;
    }

    /// Finds an object graph. It has tags even where other values have none.
    final void beginObject() {
        live();
        if (checked && isInHand()) {
            throw mismatch(Run.OBJECT);
        }
        int tag = nextTag(Run.OBJECT);
        if (Run.kind(tag) != Run.OBJECT || (tag & Run.CONTINUED) != 0) {
            throw mismatch(Run.OBJECT, tag);
        }
        enter(tag);
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

    @Override
    final void described(int first) {
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
        if (isInHand()) {
            return NO_RUN;
        }
        return Run.kind(nextTag(Run.OBJECT));
    }

    /// Skips what was not read, waiting for the message's end; answers its size.
    final long skip() {
        var f = frame;
        if (f.position < f.limit || (f.flags & Frame.MORE) != 0) {
            return skipRest();
        }
        over();
        return consumed + f.limit - from;
    }

    private long skipRest() {
        boolean goesOn = false;
        try {
            looking = describes;
            while (!skipHere()) {
                next();
            }
            return consumed + frame.limit - from;
        } catch (WaitInterrupted e) {
            goesOn = true;
            port.skipLater();
            throw e;
        } finally {
            live = false;
            noRun();
            end = -1;
            if (!goesOn) {
                forgetDescription();
            }
        }
    }

    /// Goes on with what [#skip] had to leave.
    ///
    /// @return false: there is still some to come
    final boolean skipOn() {
        boolean goesOn = false;
        try {
            do {
                if (!nextIfHere()) {
                    goesOn = true;
                    return false;
                }
            } while (!skipHere());
        } catch (MessageAbandoned _) {
            // nobody read it anyway
        } finally {
            if (!goesOn) {
                forgetDescription();
            }
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
        f.position = kind == Run.ROW ? f.position + Run.ofRow(kinds) : Math.max(f.position, end);
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
                f.position += Run.TAG + Run.size(tag);
            }
        }
        return true;
    }
}
