package org.ibidem.connect.routed;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;

/// What was put on a trunk and is not known to have come to its other end. No more is let get ahead
/// than the line carries in a second: what is more waits here, where something urgent can still be
/// put before it. The system would take as much as it has memory for, which on a slow line is
/// minutes.
///
/// Now and then a PING is put behind the data, and its PONG says that all before it has come. How
/// fast the line is follows from how much came while the PING was under way (as in BBR, Cardwell et
/// al. 2016). For one thread at a time.
public final class Backlog {
    /// So much may always be under way: two frames.
    static final long LEAST = 2 * RoutedFrames.MOST_DATA;

    /// More than any system's own buffers.
    static final long MOST = 64 << 20;

    private static final long SECOND = 1_000_000_000L;

    /// What a round trip is taken for at most. The first that is measured on a slow line is mostly
    /// the time that the data before the PING took.
    private static final long LONGEST = SECOND / 2;

    /// PINGs that are under way at a time, about.
    private static final int PARTS = 8;

    private final LongSupplier clock;
    private final Deque<Mark> marks = new ArrayDeque<>();
    private long limit = LEAST;
    private long put;
    private long came;
    private long marked;
    private long markedAt;
    private long putAt;
    private long answeredAt;
    private long shortest = LONGEST;

    /// A PING that is under way.
    ///
    /// @param at when it was put
    /// @param put bytes put before it
    /// @param came how many had come by then
    /// @param cameAt since when that was known
    private record Mark(long at, long put, long came, long cameAt) {}

    /// Of a trunk on which nothing was put yet.
    ///
    /// @param clock nanoseconds
    public Backlog(LongSupplier clock) {
        this.clock = clock;
        this.markedAt = clock.getAsLong();
        this.putAt = markedAt;
        this.answeredAt = markedAt;
    }

    /// How many bytes may be put now; 0: not before a PONG has come.
    public int room() {
        if (marks.isEmpty() && clock.getAsLong() - putAt >= SECOND) {
            limit = LEAST; // how fast it was may not be true any more (RFC 5681, section 4.1)
            came = put; // what was not worth a PING
            marked = put;
        }
        long left = limit - (put - came);
        return (int) (marks.isEmpty() ? Math.max(LEAST, left) : Math.max(0, left));
    }

    /// So many bytes are put.
    ///
    /// @return whether a PING has to be put behind them
    public boolean put(int bytes) {
        if (bytes > 0) {
            put += bytes;
            putAt = clock.getAsLong();
        }
        long unmarked = put - marked;
        return unmarked >= limit / PARTS
                || (unmarked >= LEAST / PARTS && putAt - markedAt >= SECOND / PARTS);
    }

    /// A PING is put behind all that was put so far, which may be none of [#put]'s.
    public void asked() {
        limit = put == marked ? LEAST : limit; // nothing was sent
        markedAt = clock.getAsLong();
        marked = put;
        answeredAt = marks.isEmpty() ? markedAt : answeredAt;
        marks.add(new Mark(markedAt, put, came, answeredAt));
    }

    /// A PONG came. One that nobody asked for says nothing.
    public void answered() {
        var mark = marks.poll();
        if (mark == null) {
            return;
        }
        came = mark.put;
        answeredAt = clock.getAsLong();
        long took = Math.max(1, answeredAt - mark.at);
        shortest = Math.min(shortest, took);
        // What a line carries in a second, and what is on its way meanwhile.
        // Since when the last answer came: answers that were held up come together.
        long time = Math.max(1, answeredAt - mark.cameAt);
        double carried = (double) (came - mark.came) * (double) (SECOND + shortest) / (double) time;
        boolean late = took > 2 * (SECOND + shortest);
        limit = Math.clamp(Math.max((long) carried, late ? 0 : limit - limit / PARTS), LEAST, MOST);
    }

    /// Whether a PING was put behind all that was put so far.
    boolean isMarked() {
        return put == marked;
    }

    long limit() {
        return limit;
    }
}
