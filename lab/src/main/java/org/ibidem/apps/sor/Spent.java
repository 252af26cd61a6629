package org.ibidem.apps.sor;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.ibidem.buffer.Tally.What;
import org.ibidem.monitor.CounterFile;
import org.ibidem.monitor.Monitor;

/// What this process has spent so far.
///
/// @param cpu nanoseconds of processor time
/// @param gave how often this thread gave up its core, to wait
/// @param lost how often its core was taken away
/// @param spins waits that spun until something came
/// @param sleeps times a waiter slept
/// @param bells times a sleeping peer was woken over shared memory
record Spent(long cpu, long gave, long lost, long spins, long sleeps, long bells) {
    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private static final Path STATUS = Path.of("/proc/thread-self/status");

    static Spent now() throws IOException {
        long spins = 0;
        long sleeps = 0;
        long bells = 0;
        for (var file : Monitor.files(Path.of(System.getProperty("ibidem.monitor")))) {
            for (var row : CounterFile.read(file)) {
                spins += row.counts().get(What.SPINS);
                sleeps += row.counts().get(What.SLEEPS);
                bells += row.counts().get(What.DOORBELLS);
            }
        }
        long cpu = SYSTEM.getProcessCpuTime();
        try (var lines = Files.lines(STATUS)) {
            var switches = lines.filter(line -> line.contains("ctxt_switches:")).toList();
            return new Spent(
                    cpu, number(switches.get(0)), number(switches.get(1)), spins, sleeps, bells);
        }
    }

    private static long number(String line) {
        return Long.parseLong(line.replaceAll("\\D", ""));
    }

    /// What has been spent since then, in numbers with blanks between.
    String since(Spent then) {
        return Stream.of(
                        cpu - then.cpu,
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
