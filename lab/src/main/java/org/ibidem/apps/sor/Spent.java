package org.ibidem.apps.sor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.ibidem.buffer.Tally.What;
import org.ibidem.monitor.CounterFile;
import org.ibidem.monitor.Monitor;

/// What this thread has spent so far, as the kernel counts it, and the ports of this process.
///
/// @param cpu nanoseconds on a core
/// @param queued nanoseconds in which it could have run but had no core
/// @param gave how often this thread gave up its core, to wait
/// @param lost how often its core was taken away
/// @param spins waits that spun until something came
/// @param sleeps times a waiter slept
/// @param bells times a sleeping peer was woken over shared memory
record Spent(long cpu, long queued, long gave, long lost, long spins, long sleeps, long bells) {
    private static final What[] COUNTERS = {What.SPINS, What.SLEEPS, What.DOORBELLS};
    private static final Path CORES = Path.of("/proc/thread-self/schedstat");
    private static final Path STATUS = Path.of("/proc/thread-self/status");

    /// At the begin of what is measured, of which reading the counters is no part.
    static Spent before() throws IOException {
        var counters = counters();
        return of(cores(), counters);
    }

    /// At its end.
    static Spent after() throws IOException {
        var cores = cores();
        return of(cores, counters());
    }

    private static Spent of(long[] cores, long[] counters) {
        return new Spent(
                cores[0], cores[1], cores[2], cores[3], counters[0], counters[1], counters[2]);
    }

    private static long[] cores() throws IOException {
        var time = Files.readString(CORES).strip().split(" ", -1);
        try (var lines = Files.lines(STATUS)) {
            var switches = lines.filter(line -> line.contains("ctxt_switches:")).toList();
            return new long[] {
                Long.parseLong(time[0]),
                Long.parseLong(time[1]),
                number(switches.get(0)),
                number(switches.get(1))
            };
        }
    }

    private static long[] counters() throws IOException {
        var sums = new long[COUNTERS.length];
        for (var file : Monitor.files(Path.of(System.getProperty("ibidem.monitor", "")))) {
            for (var row : CounterFile.read(file)) {
                for (int i = 0; i < sums.length; i++) {
                    sums[i] += row.counts().getOrDefault(COUNTERS[i], 0L);
                }
            }
        }
        return sums;
    }

    private static long number(String line) {
        return Long.parseLong(line.replaceAll("\\D", ""));
    }

    /// What has been spent since then, in numbers with blanks between.
    String since(Spent then) {
        return Stream.of(
                        cpu - then.cpu,
                        queued - then.queued,
                        gave - then.gave,
                        lost - then.lost,
                        spins - then.spins,
                        sleeps - then.sleeps,
                        bells - then.bells)
                .map(String::valueOf)
                .reduce((one, other) -> one + " " + other)
                .orElseThrow();
    }
}
