package org.ibidem.circuit;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.ibidem.buffer.Frame;

/// A message that is being taken apart. For one thread.
public final class Unpacking implements AutoCloseable {
    private final Messages messages;
    private final int from;
    private final List<MemorySegment> later = new ArrayList<>();
    private Frame frame;
    private boolean over;

    Unpacking(Messages messages, int from) {
        this.messages = messages;
        this.from = from;
        this.frame = messages.frame(from);
    }

    /// Who has sent it.
    public int from() {
        return from;
    }

    /// Takes the next piece.
    ///
    /// @throws IllegalStateException when the message has no so many bytes
    /// @throws CircuitBroken when its sender has gone before it had sent it
    public Unpacking unpack(MemorySegment into, ReceiveMode mode) {
        if (over) {
            throw new IllegalStateException("the message is over");
        }
        later.add(into);
        if (mode == ReceiveMode.EXPRESS) {
            readAll();
        }
        return this;
    }

    /// Bytes that can be taken without waiting.
    public long here() {
        return frame.room();
    }

    private void readAll() {
        try {
            for (var piece : later) {
                read(piece);
            }
        } catch (InternalError e) {
            later.clear(); // nothing more can be read
            throw messages.unreadable(from, frame, e);
        }
        later.clear();
    }

    private void read(MemorySegment piece) {
        long done = 0;
        long size = piece.byteSize();
        while (done < size) {
            if (frame.room() == 0) {
                if ((frame.flags & Frame.MORE) == 0) {
                    throw new IllegalStateException(
                            "the message of member "
                                    + from
                                    + " ends "
                                    + (size - done)
                                    + " bytes before what is unpacked");
                }
                frame = messages.next(from);
                continue;
            }
            long some = Math.min(size - done, frame.room());
            MemorySegment.copy(frame.memory, frame.position, piece, done, some);
            frame.position += some;
            done += some;
        }
    }

    /// Ends the message: takes what was left for now, and drops what nobody has asked for.
    public void end() {
        if (over) {
            return;
        }
        over = true;
        try {
            readAll();
            while ((frame.flags & Frame.MORE) != 0) {
                frame = messages.next(from);
            }
        } finally {
            messages.over(from);
        }
    }

    /// As [#end].
    @Override
    public void close() {
        end();
    }
}
