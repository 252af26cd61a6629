package org.ibidem.filter.parallel;

import java.util.concurrent.TimeUnit;
import org.ibidem.link.Line;

/// Measures how sending goes on, for [Width]: only whiles in which something always waited count,
/// and most strands that should be there were.
final class Pace {
    private static final String NAME = "parallel";

    /// A while has so many round trips,
    private static final long ROUND_TRIPS = 5;

    private static final long SHORTEST = TimeUnit.MILLISECONDS.toNanos(300);
    private static final long LONGEST = TimeUnit.SECONDS.toNanos(1);

    /// Whiles in which strands are waited for.
    private static final int PATIENCE = 10;

    private final Width width;
    private final Line line;
    private final Resent resent;

    /// The round trip that was measured when connecting: what is sent waits in queues, too.
    private final long known;

    private boolean begun;

    /// Something had to wait at least once: until then one is enough.
    private boolean waited;

    private long since;
    private long arrivedThen;
    private int looks;
    private int waits;
    private int lacking;
    private boolean settled;

    /// @param begin over so many as soon as something waits
    /// @param line where to say what was learned
    Pace(int begin, Line line, Resent resent) {
        this.width = new Width(begin);
        this.line = line;
        this.resent = resent;
        long measured = line.known().roundTrip().toNanos();
        this.known = measured > 0 ? measured : Long.MAX_VALUE;
        this.settled = begin > 0;
    }

    /// Looks, every few milliseconds.
    ///
    /// @param arrived bytes that the other end has got
    /// @param waiting whether something waits to be sent
    /// @param roundTrip the shortest of this bundle
    /// @param there how many strands there are
    /// @return over how many to send
    int look(long now, long arrived, boolean waiting, long roundTrip, int there) {
        looks++;
        waits += waiting ? 1 : 0;
        waited |= waiting;
        long took = now - since;
        if (!begun || took >= shortest(roundTrip)) {
            long bytes = arrived - arrivedThen;
            double share = waited ? resent.since(bytes) : Double.NaN;
            if (begun && waits * 10L >= looks * 9L && complete(there)) {
                double rate = bytes / (took / 1e9);
                over(new Width.Sample(rate, Math.min(roundTrip, known), took, share));
            }
            begun = true;
            since = now;
            arrivedThen = arrived;
            looks = 0;
            waits = 0;
        }
        return waited ? width.current() : 1;
    }

    private static long shortest(long roundTrip) {
        return Math.clamp(ROUND_TRIPS * Math.min(roundTrip, LONGEST), SHORTEST, LONGEST);
    }

    private boolean complete(int there) {
        boolean all = there * 4 >= width.current() * 3 || ++lacking > PATIENCE;
        if (all) {
            lacking = 0;
        }
        return all;
    }

    private void over(Width.Sample sample) {
        int before = width.current();
        int count = width.next(sample);
        boolean sure = count == before && width.isSure();
        if (count != before || (width.isSettled() && !settled)) {
            line.decided(NAME, count == 1 ? "1 stream" : count + " streams", width.why());
        }
        settled = width.isSettled();
        if (sure) {
            line.streams(before, sample.rate());
        }
    }
}
