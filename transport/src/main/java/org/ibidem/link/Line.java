package org.ibidem.link;

import java.time.Duration;
import java.util.List;

/// What a node has learned of the line between itself and a peer, and what was decided by it. All
/// links between the two share it, and those with others at the same site, where that is known. For
/// any thread. By itself it keeps nothing.
@FunctionalInterface
public interface Line {
    /// Nothing is known, and nothing is kept.
    Line UNKNOWN = () -> Known.NOTHING;

    /// What is known, at one moment.
    ///
    /// @param roundTrip the shortest seen; zero: none yet
    /// @param streams over how many connections to send at once; 0: nobody has tried
    /// @param rate bytes a second that came of it
    /// @param raw bytes that were looked at lately in order to compress them
    /// @param wire what was left of them
    /// @param ago how long ago that was, the last time
    record Known(Duration roundTrip, int streams, double rate, long raw, long wire, Duration ago) {
        /// At first.
        public static final Known NOTHING = new Known(Duration.ZERO, 0, 0, 0, 0, Duration.ZERO);
    }

    /// What is known now.
    Known known();

    /// It is best to send over so many connections at once: that brings so many bytes a second.
    default void streams(int count, double rate) {}

    /// So many bytes were to be compressed, and so many were left.
    default void data(long raw, long wire) {}

    /// Something was decided, and why: for people.
    ///
    /// @param what who decides, such as `parallel`; the last decision of each is kept
    default void decided(String what, String decision, String why) {}

    /// The last decisions, as `parallel: 8 streams, as 4 brought 6.8 MB/s and 8 brought 8.6`.
    default List<String> decisions() {
        return List.of();
    }
}
