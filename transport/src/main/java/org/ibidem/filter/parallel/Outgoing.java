package org.ibidem.filter.parallel;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.PriorityQueue;
import org.ibidem.filter.parallel.Strand.Span;
import org.jspecify.annotations.Nullable;

/// What was written and the other end has not said it has: under the lock of the [Bundle].
final class Outgoing {
    /// Bytes that may wait for room on some strand.
    static final int UNSENT = 16 * Wire.PIECE;

    private final Pages pages = new Pages();

    /// What has to be sent once more, the first places first.
    private final PriorityQueue<Span> again =
            new PriorityQueue<>(Comparator.comparingLong(Span::from));

    /// Ends of the pieces that were sent.
    private final ArrayDeque<Long> ends = new ArrayDeque<>();

    /// Before this the other end has all; before that all was sent once; before that all was
    /// written, and may leave even where it makes no full piece; before that it may be sent.
    private long had;

    private long sent;
    private long written;
    private long flushed;
    private long limit = Wire.WINDOW;
    private long arrived;

    /// Takes what there is room for.
    int write(ByteBuffer from) {
        int taken = 0;
        while (from.hasRemaining() && room() > 0) {
            int most = Math.min(from.remaining(), (int) Math.min(Wire.PIECE, room()));
            int some = move(from, pages.at(written, most));
            written += some;
            taken += some;
        }
        return taken;
    }

    private static int move(ByteBuffer from, ByteBuffer to) {
        return Pages.move(from, to);
    }

    long room() {
        return Math.min(UNSENT - (written - sent), had + Wire.WINDOW - written);
    }

    void flush() {
        flushed = written;
    }

    /// What is to be sent next; null: nothing, now. It is taken by [#take].
    @Nullable Span next() {
        for (var first = again.peek(); first != null; first = again.peek()) {
            if (first.end() > had) {
                return first;
            }
            again.remove();
        }
        long ready = Math.min(written, limit) - sent;
        boolean whole = ready >= Wire.PIECE;
        if (ready <= 0 || ends.size() >= Wire.PIECES || (!whole && flushed <= sent)) {
            return null;
        }
        return new Span(sent, (int) Math.min(ready, Wire.PIECE));
    }

    void take(Span span) {
        if (again.remove(span)) {
            return;
        }
        sent = span.end();
        ends.add(sent);
    }

    void again(Iterable<Span> spans) {
        spans.forEach(again::add);
    }

    /// Whether less than a piece waits, so that it is short of any queue.
    boolean isShort() {
        return written - sent < Wire.PIECE && again.isEmpty();
    }

    /// Whether all that was flushed has been sent.
    boolean isSent() {
        return sent >= flushed && again.isEmpty();
    }

    /// Whether all that was written is at the other end.
    boolean isHad() {
        return had == written;
    }

    /// The other end has all before `next`, and takes what comes before `upTo`.
    ///
    /// @return bytes it did not have before
    long confirm(long next, long upTo) throws Violation {
        if (next > sent || next < 0) {
            throw new Violation(
                    "the peer says it has bytes up to " + next + ", and " + sent + " have left");
        }
        limit = Math.max(limit, upTo);
        long more = Math.max(0, next - had);
        had += more;
        while (!ends.isEmpty() && ends.element() <= had) {
            ends.remove();
        }
        pages.forget(had);
        return more;
    }

    /// So many bytes came by some strand, in order or not.
    void arrived(long bytes) {
        arrived += bytes;
    }

    /// All of those.
    long arrived() {
        return arrived;
    }

    long written() {
        return written;
    }

    Pages pages() {
        return pages;
    }
}
