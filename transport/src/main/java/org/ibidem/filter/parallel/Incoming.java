package org.ibidem.filter.parallel;

import java.nio.ByteBuffer;
import java.util.TreeMap;

/// What comes, put in order: under the lock of the [Bundle].
final class Incoming {
    private static final int USUAL = Wire.WINDOW / 8;

    private final Pages pages = new Pages();

    /// What is here and not in order: first place and the one behind the last.
    private final TreeMap<Long, Long> islands = new TreeMap<>();

    private final ByteBuffer waste = ByteBuffer.allocateDirect(Wire.PIECE);

    /// Before this all was read; before that all is here; before that the peer was told it may
    /// send.
    private long read;

    private long next;
    private long told = Wire.WINDOW;

    /// It was told so by a connection that may have been lost with it.
    private boolean tellsAgain;

    private boolean discards;

    /// Where the stream ends, if that was said.
    private long end = Long.MAX_VALUE;

    /// Where bytes of this place go: to where they belong, or away, where they are here already.
    ByteBuffer room(long place, int most) {
        if (place < next) {
            return waste.clear().limit((int) Math.min(most, Math.min(Wire.PIECE, next - place)));
        }
        return pages.at(place, most);
    }

    /// Whether bytes may come for these places.
    ///
    /// @throws Violation when they may not; the message says why
    void check(long place, int bytes) throws Violation {
        if (place < 0 || bytes < 1 || bytes > Wire.PIECE) {
            throw new Violation("the peer sent a piece of " + bytes + " bytes at " + place);
        }
        if (place > told - bytes) { // The sum might be too large for a number.
            throw new Violation(
                    "the peer sent %d bytes at %d; it may send up to %d"
                            .formatted(bytes, place, told));
        }
        if (place > end - bytes) {
            throw new Violation("the peer sent bytes past the end that it announced");
        }
        if (islands.size() > 2 * Wire.PIECES) {
            throw new Violation("the peer sent too many pieces apart from each other");
        }
    }

    /// Bytes have come for these places.
    void came(long place, int bytes) {
        long from = Math.max(place, next);
        long to = place + bytes;
        if (to <= next) {
            return;
        }
        var before = islands.floorEntry(from);
        if (before != null && before.getValue() >= from) {
            from = before.getKey();
            to = Math.max(to, before.getValue());
        }
        for (var after = islands.ceilingEntry(from);
                after != null && after.getKey() <= to;
                after = islands.ceilingEntry(from)) {
            to = Math.max(to, after.getValue());
            islands.remove(after.getKey());
        }
        if (from <= next) {
            next = Math.max(next, to);
            thrownAway();
        } else {
            islands.put(from, to);
        }
    }

    /// Reads what is in order.
    int read(ByteBuffer into) {
        int got = 0;
        while (into.hasRemaining() && read < next) {
            int most = (int) Math.min(Wire.PIECE, next - read);
            int some = Pages.move(pages.at(read, most), into);
            read += some;
            got += some;
        }
        pages.forget(read);
        return got;
    }

    /// Nobody reads any more: what comes is thrown away.
    void discard() {
        discards = true;
        thrownAway();
    }

    private void thrownAway() {
        if (discards) {
            read = next;
            pages.forget(read);
        }
    }

    boolean any() {
        return read < next;
    }

    /// There is nothing behind this place.
    void end(long place) throws Violation {
        if (place < next || (end != Long.MAX_VALUE && end != place)) {
            throw new Violation("the peer says that its bytes end at " + place);
        }
        end = place;
    }

    boolean ends() {
        return end != Long.MAX_VALUE;
    }

    /// Whether all was read that there will be.
    boolean over() {
        return read == end;
    }

    long next() {
        return next;
    }

    /// Up to where the peer may send, from now on.
    long tell() {
        told = read + Wire.WINDOW;
        tellsAgain = false;
        return told;
    }

    /// What the peer was told may not have come.
    void tellAgain() {
        tellsAgain = true;
    }

    /// Whether the peer should know that it may send more.
    boolean news() {
        return tellsAgain || read + Wire.WINDOW - told >= USUAL;
    }
}
