package org.ibidem.filter.parallel;

import java.time.Duration;

/// The options of the filter `parallel`.
///
/// @param streams how many connections, up to 64; 0: as many as measuring says are worth it
/// @param silence after which a connection that owes an answer is replaced, if there is another
public record Parallel(int streams, Duration silence) {
    /// There are never more.
    static final int MOST = 64;

    private static final Duration SHORTEST = Duration.ofMillis(50);
    private static final Duration LONGEST = Duration.ofMinutes(10);

    /// The defaults: by measuring, 3 s.
    public Parallel() {
        this(0, Duration.ofSeconds(3));
    }

    /// Checks both.
    public Parallel {
        if (streams < 0 || streams > MOST) {
            throw new IllegalArgumentException(
                    "there are 1 to %d streams, or 0 to choose by measuring; not %d"
                            .formatted(MOST, streams));
        }
        if (silence.compareTo(SHORTEST) < 0 || silence.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("silence is 50ms to 10min");
        }
    }
}
