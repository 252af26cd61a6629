package org.ibidem.filter.parallel;

import java.io.IOException;
import java.nio.ByteOrder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// What strands carry, taken apart and put together: under the lock of the [Bundle].
final class Frames {
    /// Bytes that are taken from one before the others have their turn.
    private static final int TURN = 256 << 10;

    private static final int LEAST_SHARE = 4 * Wire.PIECE;

    private final Incoming incoming;
    private final Outgoing outgoing;
    private final Seats seats;
    private final LongSupplier clock;
    private boolean saysEnd;

    /// @param clock where it matters: threads may stand still since they looked at it last
    Frames(Incoming incoming, Outgoing outgoing, Seats seats, LongSupplier clock) {
        this.clock = clock;
        this.incoming = incoming;
        this.outgoing = outgoing;
        this.seats = seats;
    }

    /// Takes what has come by one.
    ///
    /// @return whether anything has
    /// @throws Violation when it is none of what may come
    /// @throws IOException when the strand has ended
    boolean take(Strand strand, long now) throws IOException {
        int taken = 0;
        while (!strand.gone && taken < TURN) {
            if (strand.coming > 0 ? piece(strand, now) : frame(strand, now)) {
                continue;
            }
            int got = strand.coming > 0 ? direct(strand, now) : fill(strand);
            if (got < 0) {
                throw new IOException("the other end has ended it");
            }
            if (got == 0) {
                break;
            }
            taken += got;
        }
        return taken > 0;
    }

    private static int fill(Strand strand) throws IOException {
        strand.in.compact();
        try {
            return strand.path.read(strand.in);
        } finally {
            strand.in.flip();
        }
    }

    private int direct(Strand strand, long now) throws IOException {
        int got = strand.path.read(incoming.room(strand.place, strand.coming));
        if (got > 0) {
            landed(strand, got, now);
        }
        return got;
    }

    /// What of a piece is in the strand's memory.
    private boolean piece(Strand strand, long now) {
        boolean any = strand.in.hasRemaining();
        while (strand.in.hasRemaining() && strand.coming > 0) {
            landed(strand, Pages.move(strand.in, incoming.room(strand.place, strand.coming)), now);
        }
        return any;
    }

    private void landed(Strand strand, int bytes, long now) {
        incoming.came(strand.place, bytes);
        strand.place += bytes;
        strand.coming -= bytes;
        strand.came(bytes, now);
    }

    /// One frame, if it is here.
    private boolean frame(Strand strand, long now) throws Violation {
        var in = strand.in.order(ByteOrder.LITTLE_ENDIAN);
        if (in.remaining() < Wire.HEADER) {
            return false;
        }
        int header = in.getInt(in.position());
        int length = header & Wire.LENGTH_MASK;
        int kind = header >>> Wire.KIND_SHIFT;
        long word = in.getLong(in.position() + Integer.BYTES);
        if (strand.name < 0 && kind != Wire.JOIN) {
            throw new Violation("the peer sent " + kind + " on a connection without a seat");
        }
        if (kind == Wire.DATA) {
            incoming.check(word, length);
            in.position(in.position() + Wire.HEADER);
            strand.place = word;
            strand.coming = length;
            return true;
        }
        int bytes = kind == Wire.ACK ? Wire.ACK_BYTES : 0;
        if (length != bytes) {
            throw new Violation("the peer sent a frame " + kind + " of " + length + " bytes");
        }
        if (in.remaining() < Wire.HEADER + bytes) {
            return false;
        }
        in.position(in.position() + Wire.HEADER);
        if (kind == Wire.ACK) {
            strand.confirm(word, in.getLong(), in.getLong(), outgoing, clock.getAsLong());
        } else {
            other(strand, kind, word, now);
        }
        return true;
    }

    private void other(Strand strand, int kind, long word, long now) throws Violation {
        switch (kind) {
            case Wire.JOIN -> seats.join(strand, word);
            case Wire.LOST -> seats.lost(word, now);
            case Wire.WANT -> seats.widen(Math.clamp(word, 0, Parallel.MOST));
            case Wire.CLOSE -> incoming.end(word);
            default -> throw new Violation("the peer sent a frame of kind " + kind);
        }
    }

    /// Sends what can be: the end of what did not fit before, words, pieces, acknowledgements.
    ///
    /// @param patience how long an acknowledgement may wait for company
    void send(long now, long patience) {
        for (var strand : seats.seated()) {
            if (pushed(strand, now)) {
                words(strand, now);
                if (strand.owes(now, patience) || (strand.idle() && incoming.news())) {
                    strand.acknowledge(incoming.next(), incoming.tell());
                    pushed(strand, now);
                }
            }
        }
        for (var span = outgoing.next(); span != null; span = outgoing.next()) {
            var strand = free();
            if (strand == null) {
                return;
            }
            if (strand.owesAny()) {
                strand.acknowledge(incoming.next(), incoming.tell());
            }
            strand.stage(span, outgoing.pages(), now);
            outgoing.take(span);
            pushed(strand, now);
        }
    }

    private void words(Strand strand, long now) {
        for (var name = seats.pollLost(); name != null; name = seats.pollLost()) {
            strand.tellLost(name);
        }
        long wanted = seats.takeWanted();
        if (wanted > 0) {
            strand.stage(Wire.WANT, wanted);
        }
        if (saysEnd && !strand.saidEnd) {
            strand.saidEnd = true;
            strand.stage(Wire.CLOSE, outgoing.written());
        }
        pushed(strand, now);
    }

    /// @return whether it has nothing more to write
    private boolean pushed(Strand strand, long now) {
        try {
            return !strand.gone && strand.push();
        } catch (IOException _) {
            seats.lose(strand, now);
            return false;
        }
    }

    /// The one whose turn to deliver would come first that has room; for what is short, the first
    /// that has room, as if there were no others.
    private @Nullable Strand free() {
        var seated = seats.seated();
        int used = Math.min(seated.length, seats.width());
        long share = used < 2 ? Wire.WINDOW : Math.max(LEAST_SHARE, Wire.WINDOW / (2 * used));
        Strand best = null;
        for (int seat = 0; seat < used; seat++) {
            var strand = seated[seat];
            if (strand.idle() && (seats.most() < 2 || strand.takesMore(share))) {
                if (outgoing.isShort()) {
                    return strand;
                }
                if (best == null || strand.ahead() < best.ahead()) {
                    best = strand;
                }
            }
        }
        return best;
    }

    /// From now on each strand says where our bytes end.
    void sayEnd() {
        saysEnd = true;
    }
}
