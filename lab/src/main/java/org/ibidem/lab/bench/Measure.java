package org.ibidem.lab.bench;

import java.util.function.Supplier;

/// One thing that is measured: how messages go, and what they carry.
///
/// @param name short and without blanks: the METRIC of the lines at the end
/// @param kind how messages go and what is counted
/// @param payload makes what they carry, once for each contestant, process and direction
public record Measure(String name, Kind kind, Supplier<Payload> payload) {
    /// How messages go and what is counted.
    public enum Kind {
        /// There and back, one at a time; nanoseconds of half a round trip.
        PING_PONG("ns", false),
        /// One way, then one acknowledgement for the whole sample; gigabytes per second.
        BANDWIDTH("GB/s", true),
        /// As `BANDWIDTH`; millions of messages per second.
        RATE("M/s", true),
        /// Calls in one process; nanoseconds of each.
        CALL("ns", false);

        private final String unit;
        private final boolean moreIsBetter;

        Kind(String unit, boolean moreIsBetter) {
            this.unit = unit;
            this.moreIsBetter = moreIsBetter;
        }

        /// The unit of its figures.
        public String unit() {
            return unit;
        }

        /// Whether a larger figure is the better one.
        public boolean moreIsBetter() {
            return moreIsBetter;
        }

        /// Messages that go when a burst's body is run through `times` times.
        public long messages(long times) {
            return this == PING_PONG ? 2 * times : times;
        }

        /// The figure of one sample.
        ///
        /// @param nanos what the sample took
        /// @param times messages one way, or round trips
        /// @param bytes of one message
        public double figure(long nanos, long times, long bytes) {
            return switch (this) {
                case PING_PONG -> (double) nanos / (2.0 * times);
                case BANDWIDTH -> (double) bytes * times / (double) nanos;
                case RATE -> times * 1e3 / (double) nanos;
                case CALL -> (double) nanos / times;
            };
        }
    }

    /// Nanoseconds of a call, in which no message goes.
    public static Measure call(String name) {
        return new Measure(
                name,
                Kind.CALL,
                () -> {
                    throw new IllegalStateException(name + " carries no messages");
                });
    }

    /// Half a round trip of 8 bytes, as one long.
    public static Measure halfTripOfWord() {
        return new Measure("half-8B", Kind.PING_PONG, Payload.Word::new);
    }

    /// Half a round trip of a byte array.
    public static Measure halfTrip(String size, int bytes) {
        return new Measure("half-" + size, Kind.PING_PONG, () -> new Payload.Bytes(bytes));
    }

    /// Messages of five primitives, 32 bytes, per second.
    public static Measure rateOfFive() {
        return new Measure("rate-32B", Kind.RATE, Payload.Five::new);
    }

    /// Messages of a byte array of so many bytes, per second.
    public static Measure rate(String size, int bytes) {
        return new Measure("rate-" + size, Kind.RATE, () -> new Payload.Bytes(bytes));
    }

    /// Bytes per second of byte arrays.
    public static Measure bytes(String size, int bytes) {
        return new Measure("byte-" + size, Kind.BANDWIDTH, () -> new Payload.Bytes(bytes));
    }

    /// Bytes per second of int arrays of so many bytes.
    public static Measure ints(String size, int bytes) {
        return new Measure(
                "int-" + size, Kind.BANDWIDTH, () -> new Payload.Ints(bytes / Integer.BYTES));
    }

    /// Bytes per second of double arrays of so many bytes.
    public static Measure doubles(String size, int bytes) {
        return new Measure(
                "double-" + size, Kind.BANDWIDTH, () -> new Payload.Doubles(bytes / Double.BYTES));
    }

    /// Bytes per second of doubles that lie this far from each other, which is a matter of MPI's.
    public static Measure vector(String size, int bytes, int stride) {
        return new Measure(
                "vector-" + size,
                Kind.BANDWIDTH,
                () -> new Payload.Doubles(bytes / Double.BYTES, stride));
    }

    /// Windows of messages per second, begun one after the other and awaited together, which is a
    /// matter of MPI's.
    public static Measure window(int messages, String size, int bytes) {
        return new Measure(
                "window-" + messages + "x" + size,
                Kind.RATE,
                () -> new Payload.Bytes(bytes, messages));
    }

    /// Bytes per second (of the ints in it) of a tree of so many nodes, an object graph.
    public static Measure tree(int nodes) {
        return new Measure("tree-" + nodes, Kind.BANDWIDTH, () -> new Payload.Tree(nodes));
    }
}
