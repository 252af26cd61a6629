package org.ibidem.lab.bench.wan;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// How many bytes had come by when, at the far end.
final class Count {
    private static final long EVERY = 50_000_000;

    private final List<Long> times = new ArrayList<>();
    private final List<Long> bytes = new ArrayList<>();
    private long began;
    private long all;

    /// So many came.
    synchronized void add(long more) {
        long now = System.nanoTime();
        if (all == 0) {
            began = now;
        }
        all += more;
        if (times.isEmpty() || now - began - times.getLast() >= EVERY) {
            times.add(now - began);
            bytes.add(all);
        }
    }

    /// So many have come by now.
    synchronized void upTo(long bytes) {
        if (bytes > all) {
            add(bytes - all);
        }
    }

    /// As text, read by [#parse].
    synchronized String text() {
        var samples =
                Stream.iterate(0, i -> i < times.size(), i -> i + 1)
                        .map(i -> times.get(i) + ":" + bytes.get(i))
                        .collect(Collectors.joining(" "));
        return (began + " " + samples).strip();
    }

    static Count parse(String text) {
        var count = new Count();
        var words = text.split(" ", -1);
        count.began = Long.parseLong(words[0]);
        for (int i = 1; i < words.length; i++) {
            var parts = words[i].split(":", -1);
            count.times.add(Long.parseLong(parts[0]));
            count.bytes.add(Long.parseLong(parts[1]));
        }
        return count;
    }

    /// When the first came, by [System#nanoTime] of this machine.
    long began() {
        return began;
    }

    /// Seconds from the first to the last that came.
    double seconds() {
        return times.isEmpty() ? 0 : times.getLast() / 1e9;
    }

    /// Bytes a second between two moments, in seconds since the first came.
    double rate(double from, double to) {
        return (at(to) - at(from)) / (to - from);
    }

    private double at(double seconds) {
        double nanos = seconds * 1e9;
        if (times.isEmpty()) {
            return 0;
        }
        for (int i = 1; i < times.size(); i++) {
            if (times.get(i) >= nanos) {
                double share = (nanos - times.get(i - 1)) / (times.get(i) - times.get(i - 1));
                return bytes.get(i - 1) + share * (bytes.get(i) - bytes.get(i - 1));
            }
        }
        return bytes.getLast();
    }
}
