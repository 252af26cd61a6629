package org.ibidem.lab.bench.wan;

import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.IntStream;

/// A line between two sites.
///
/// @param rate bytes a second of whole packets
/// @param trip milliseconds to the other end and back
/// @param loss which share of packets is lost
/// @param small whether windows have 64 KB, as they had in 2004
record WanLine(double rate, int trip, double loss, boolean small) {
    private static final double MEGA = 1e6;
    private static final long LEAST_QUEUE = 64 << 10;
    private static final int BITS = 8;

    /// Those that the aims are about.
    static final List<WanLine> ALL =
            List.of(
                    new WanLine(1.6 * MEGA, 30, 0, false),
                    new WanLine(9 * MEGA, 43, 0, true),
                    new WanLine(12.5 * MEGA, 100, 0.01, false),
                    new WanLine(12.5 * MEGA, 100, 0.001, false),
                    new WanLine(62 * MEGA, 50, 0, false));

    /// Five drawn at random, the same for a seed.
    static List<WanLine> drawn(long seed) {
        var random = new Random(seed);
        return IntStream.range(0, 5).mapToObj(_ -> one(random)).toList();
    }

    private static WanLine one(Random random) {
        double rate = Math.round(Math.pow(10, 5.8 + 1.8 * random.nextDouble()) / 1e5) * 1e5;
        int trip = 10 + random.nextInt(140);
        double loss = random.nextBoolean() ? 0 : Math.round(1e4 * 0.01 * random.nextDouble()) / 1e4;
        return new WanLine(rate, trip, loss, random.nextInt(4) == 0);
    }

    /// As the laboratory sets it: with a queue for as much as the line holds.
    String settings() {
        long queue = Math.max(LEAST_QUEUE, (long) (rate * trip / 1e3));
        return String.format(
                Locale.ROOT,
                "delay=%dus rate=%dkbit queue=%d loss=%.2f%%",
                trip * 500,
                Math.round(rate * BITS / 1e3),
                queue,
                loss * 100);
    }

    /// Bytes of the largest buffers of a connection there: windows are half of them.
    long buffers() {
        return small ? 128 << 10 : 6 << 20;
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%.1f MB/s, %d ms%s%s",
                rate / MEGA,
                trip,
                loss > 0 ? String.format(Locale.ROOT, ", %.2f %% loss", loss * 100) : "",
                small ? ", 64 KB windows" : "");
    }
}
