package org.ibidem.filter.parallel;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import org.ibidem.link.StreamPath;
import org.ibidem.task.Tasks;
import org.jspecify.annotations.Nullable;

/// One of the connections of a [Bundle], under whose lock all of it is used. What is staged leaves
/// in one write, if the connection takes it.
final class Strand {
    /// Smaller frames and acknowledgements go beside a piece.
    private static final int BESIDE = 512;

    private static final int SMALL = 4 << 10;
    private static final int LARGE = Wire.HEADER + Wire.PIECE + BESIDE;
    private static final int READ = 16 << 10;

    /// From one look at the rate to the next.
    private static final long MEASURE = TimeUnit.MILLISECONDS.toNanos(100);

    /// So long it should take at most until what is under way has come, or so many round trips: a
    /// connection that grows needs several to stay full, and one that then loses much becomes ten
    /// times slower.
    private static final long HORIZON = TimeUnit.MILLISECONDS.toNanos(400);

    private static final int ROUND_TRIPS = 4;
    private static final long LONGEST_TRIP = TimeUnit.SECONDS.toNanos(1);
    private static final int LEAST = 2 * Wire.PIECE;

    /// As long as no rate is known.
    private static final int UNKNOWN = 4 * Wire.PIECE;

    /// What is taken for its rate before any is known.
    private static final double SLOW = 64 << 10;

    /// Bytes that come before it is acknowledged at once.
    private static final int OWED = 128 << 10;

    final StreamPath path;

    /// Its seat and number; -1: it has not said yet.
    long name;

    /// Called when it can be read.
    Tasks.@Nullable Driven driven;

    /// It is used no more.
    volatile boolean gone;

    /// It has said where our bytes end.
    boolean saidEnd;

    /// What has come and is not looked at, from its position to its limit.
    final ByteBuffer in = buffer(READ).limit(0);

    /// Of the piece that is coming: the place of the next byte, and how many follow.
    long place;

    int coming;

    /// Pieces that the other end has not said it has, in the order in which they left.
    private final ArrayDeque<Piece> outstanding = new ArrayDeque<>();

    /// Names that it said to be lost, the last of them: nothing acknowledges that.
    private final ArrayDeque<Long> told = new ArrayDeque<>();

    private ByteBuffer out = buffer(SMALL).limit(0);
    private long staged;
    private long confirmed;
    private long came;
    private long said;

    /// The shortest from leaving to being said to have come, in nanoseconds.
    private long roundTrip = Long.MAX_VALUE;

    /// Bytes a second that came lately, as far as something was under way; 0: not known yet.
    private double rate;

    private long markedAt;
    private long marked;

    /// When it last gave a sign of life, or had reason to.
    private long since;

    /// When the oldest byte came that is not acknowledged.
    private long owedSince;

    /// Bytes of the stream from a place on.
    ///
    /// @param upTo bytes that this strand had when it was staged, its own included
    /// @param at when that was
    private record Piece(Span span, long upTo, long at) {}

    /// Bytes of the stream.
    record Span(long from, int bytes) {
        long end() {
            return from + bytes;
        }
    }

    Strand(StreamPath path, long name) {
        this.path = path;
        this.name = name;
    }

    private static ByteBuffer buffer(int size) {
        return ByteBuffer.allocateDirect(size).order(ByteOrder.LITTLE_ENDIAN);
    }

    boolean idle() {
        return !out.hasRemaining();
    }

    /// Bytes under way.
    long underWay() {
        return staged - confirmed;
    }

    /// Whether it may be that it hears nothing any more.
    boolean silent(long now, long limit) {
        return underWay() > 0 && now - since > limit;
    }

    /// Stages a frame without bytes; only while it is idle.
    void stage(int kind, long word) {
        room(Wire.HEADER).putInt(kind << Wire.KIND_SHIFT).putLong(word);
        out.flip();
    }

    /// The same, to say that this one is lost.
    void tellLost(long lost) {
        stage(Wire.LOST, lost);
        if (told.size() == Parallel.MOST) {
            told.remove();
        }
        told.add(lost);
    }

    /// Those that it said to be lost.
    Collection<Long> told() {
        return told;
    }

    /// The same with an acknowledgement.
    void acknowledge(long next, long limit) {
        room(Wire.HEADER + Wire.ACK_BYTES)
                .putInt(Wire.ACK << Wire.KIND_SHIFT | Wire.ACK_BYTES)
                .putLong(next)
                .putLong(limit)
                .putLong(came);
        out.flip();
        said = came;
    }

    /// The same with a piece.
    void stage(Span span, Pages pages, long now) {
        var to = room(Wire.HEADER + span.bytes());
        to.putInt(Wire.DATA << Wire.KIND_SHIFT | span.bytes()).putLong(span.from());
        for (int left = span.bytes(); left > 0; ) {
            left -= Pages.move(pages.at(span.end() - left, left), to);
        }
        out.flip();
        if (underWay() == 0) {
            since = now;
            mark(now);
        }
        staged += span.bytes();
        outstanding.add(new Piece(span, staged, now));
    }

    /// Room for so much behind what is staged.
    private ByteBuffer room(int bytes) {
        int old = out.remaining();
        if (out.capacity() < old + bytes) {
            out = buffer(LARGE).put(out);
        } else {
            out.compact();
        }
        return out;
    }

    /// Writes what is staged.
    ///
    /// @return whether all of it has left
    boolean push() throws IOException {
        while (out.hasRemaining() && path.write(out) > 0) {
            // until it takes no more
        }
        return !out.hasRemaining();
    }

    /// Bytes of pieces have come by it.
    void came(int bytes, long now) {
        if (came == said) {
            owedSince = now;
        }
        came += bytes;
    }

    /// Whether it should say what came: enough has, or long enough ago.
    boolean owes(long now, long patience) {
        return came - said >= OWED || (came > said && now - owedSince >= patience);
    }

    /// Whether there is anything to say.
    boolean owesAny() {
        return came > said;
    }

    /// The other end says what it has.
    ///
    /// @param next all before this place
    /// @param limit it takes what comes before this one
    /// @param bytes of pieces, by this strand
    /// @throws Violation when it cannot have that
    void confirm(long next, long limit, long bytes, Outgoing outgoing, long now) throws Violation {
        if (bytes < confirmed || bytes > staged) {
            throw new Violation(
                    "the peer says that " + bytes + " bytes came, of " + staged + " that left");
        }
        outgoing.confirm(next, limit);
        outgoing.arrived(bytes - confirmed);
        since = now;
        confirmed = bytes;
        measure(now);
        for (var first = outstanding.peek();
                first != null && first.upTo() <= bytes;
                first = outstanding.peek()) {
            roundTrip = Math.min(roundTrip, now - first.at());
            outstanding.remove();
        }
    }

    private void mark(long now) {
        markedAt = now;
        marked = confirmed;
    }

    private void measure(long now) {
        long took = now - markedAt;
        if (took >= MEASURE) {
            double last = (confirmed - marked) * 1e9 / took;
            rate = rate == 0 ? last : (rate + last) / 2;
            mark(now);
        }
    }

    /// Whether it may have more under way. One that has become slow holds up all that comes behind
    /// its bytes: a kernel takes as much as when it was fast.
    ///
    /// @param most in any case
    boolean takesMore(long most) {
        long horizon = Math.max(HORIZON, ROUND_TRIPS * Math.min(roundTrip, LONGEST_TRIP));
        long fitting = rate == 0 ? UNKNOWN : Math.max(LEAST, (long) (rate * (horizon / 1e9)));
        return underWay() < Math.min(most, fitting);
    }

    /// Seconds until it has delivered what is under way.
    double ahead() {
        return underWay() / Math.max(rate, SLOW);
    }

    long roundTrip() {
        return roundTrip;
    }

    void since(long now) {
        since = now;
    }

    /// Since its last sign of life.
    long waited(long now) {
        return now - since;
    }

    /// What may not have come.
    Iterable<Span> unconfirmed() {
        return outstanding.stream().map(Piece::span).toList();
    }
}
