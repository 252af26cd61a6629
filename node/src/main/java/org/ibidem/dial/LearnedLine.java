package org.ibidem.dial;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.ibidem.link.Line;
import org.ibidem.monitor.FlightEvents;

/// What was learned of the line to a peer or a site.
public final class LearnedLine implements Line {
    /// Of data, the last so many bytes count.
    private static final long MEMORY = 256L << 20;

    private final String name;
    private final LongSupplier clock;
    private final Map<String, String> decisions = new LinkedHashMap<>();
    private Duration roundTrip = Duration.ZERO;
    private int streams;
    private double rate;
    private long raw;
    private long wire;
    private long dataAt;
    private boolean news;
    private long newsAt;

    /// Called when there is something new that others should know.
    private final Runnable learned;

    /// @param name of the peer or site, for people
    LearnedLine(String name, LongSupplier clock) {
        this(name, clock, () -> {});
    }

    LearnedLine(String name, LongSupplier clock, Runnable learned) {
        this.name = name;
        this.clock = clock;
        this.learned = learned;
        this.dataAt = clock.getAsLong();
    }

    /// Begins with what others have learned.
    ///
    /// @param now by the clock of what is kept
    synchronized LearnedLine after(LineFile.Kept kept, Instant now) {
        streams = kept.streams();
        rate = kept.rate();
        raw = kept.raw();
        wire = kept.wire();
        dataAt = clock.getAsLong() - Math.max(0, Duration.between(kept.when(), now).toNanos());
        return this;
    }

    /// What others should know; empty: nothing.
    synchronized Optional<LineFile.Kept> kept(Instant now) {
        var when = now.minusNanos(clock.getAsLong() - newsAt);
        return news
                ? Optional.of(new LineFile.Kept(streams, rate, raw, wire, when))
                : Optional.empty();
    }

    private void news() {
        news = true;
        newsAt = clock.getAsLong();
    }

    /// The shortest counts.
    public synchronized void roundTrip(Duration seen) {
        if (roundTrip.isZero() || seen.compareTo(roundTrip) < 0) {
            roundTrip = seen;
        }
    }

    @Override
    public synchronized Known known() {
        var ago = Duration.ofNanos(clock.getAsLong() - dataAt);
        return new Known(roundTrip, streams, rate, raw, wire, ago);
    }

    @Override
    public void streams(int count, double brought) {
        boolean other;
        synchronized (this) {
            other = streams != count;
            news();
            streams = count;
            rate = brought;
        }
        if (other) {
            learned.run();
        }
    }

    @Override
    public synchronized void data(long before, long left) {
        news();
        raw += before;
        wire += left;
        dataAt = clock.getAsLong();
        if (raw > MEMORY) {
            raw /= 2;
            wire /= 2;
        }
    }

    @Override
    public void decided(String what, String decision, String why) {
        synchronized (this) {
            decisions.put(what, what + ": " + decision + ", as " + why);
        }
        FlightEvents.decision(name, what, decision, why);
    }

    @Override
    public synchronized List<String> decisions() {
        return List.copyOf(decisions.values());
    }
}
