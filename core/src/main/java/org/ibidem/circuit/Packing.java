package org.ibidem.circuit;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.ibidem.buffer.Frame;

/// A message that is being put together. For one thread.
public final class Packing implements AutoCloseable {
    /// What is asked for at least, where there is so much to pack.
    private static final int PIECE = 4 << 10;

    private final Messages messages;
    private final int to;
    private final Frame room = new Frame();

    /// Read when the message ends, and what was packed behind it.
    private final List<MemorySegment> later = new ArrayList<>();

    private boolean over;

    Packing(Messages messages, int to) {
        this.messages = messages;
        this.to = to;
    }

    /// Adds a piece.
    ///
    /// @throws CircuitBroken when the member is gone
    /// @throws InternalError when the piece is mapped from a file that was cut short
    public Packing pack(MemorySegment piece, SendMode mode) {
        if (over) {
            throw new IllegalStateException("the message is over");
        }
        if (mode == SendMode.LATER || !later.isEmpty()) {
            later.add(mode == SendMode.SAFER ? copy(piece) : piece);
        } else {
            try {
                write(piece);
            } catch (RuntimeException | InternalError e) {
                over = true;
                messages.ended(to);
                throw e;
            }
        }
        return this;
    }

    private static MemorySegment copy(MemorySegment piece) {
        return Arena.ofAuto()
                .allocate(Math.max(1, piece.byteSize()), Long.BYTES)
                .asSlice(0, piece.byteSize())
                .copyFrom(piece);
    }

    private void write(MemorySegment piece) {
        try {
            copyIn(piece);
        } catch (InternalError e) {
            throw messages.unwritable(to, room, e);
        }
    }

    private void copyIn(MemorySegment piece) {
        long done = 0;
        long size = piece.byteSize();
        while (done < size) {
            if (room.room() == 0) {
                if (room.position > room.start) {
                    messages.commit(to, room, Frame.MORE);
                }
                if (room.room() == 0) {
                    messages.claim(to, room, (int) Math.min(size - done, PIECE));
                }
            }
            long some = Math.min(size - done, room.room());
            MemorySegment.copy(piece, done, room.memory, room.position, some);
            room.position += some;
            done += some;
        }
    }

    /// Ends the message and sends it.
    public void end() {
        if (over) {
            return;
        }
        over = true;
        try {
            later.forEach(this::write);
            if (room.limit == 0) {
                messages.claim(to, room, 0);
            }
            messages.commit(to, room, 0);
        } finally {
            messages.ended(to);
        }
    }

    /// As [#end].
    @Override
    public void close() {
        end();
    }
}
