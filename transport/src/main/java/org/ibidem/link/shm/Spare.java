package org.ibidem.link.shm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.ibidem.buffer.RingPlan;

/// What one end of a link may keep open beyond what it cannot do without: its two ends of pipes,
/// and the file by which its ring grows. As many ends of this process have it as take half of the
/// descriptors that the system gives the process; those beyond are woken over the connection by
/// which both met, and what they write stays in its first place (`docs/design/shared-memory.md`).
final class Spare implements AutoCloseable {
    /// An end that has all has four: two of pipes, the file, and the connection.
    private static final int PART = 8;

    private static final String LINE = "Max open files";
    private static final long UNKNOWN = 1024;
    private static final long LIMIT = limit(Path.of("/proc/self/limits"));
    private static final Spare NONE = new Spare(new AtomicLong(), false);
    private static final AtomicLong HAVE = new AtomicLong();

    private final AtomicLong have;
    private final AtomicBoolean given;

    private Spare(AtomicLong have, boolean given) {
        this.have = have;
        this.given = new AtomicBoolean(given);
    }

    static Spare take() {
        return take(HAVE, LIMIT);
    }

    /// @param have how many ends have it
    /// @param limit descriptors that the process may have
    static Spare take(AtomicLong have, long limit) {
        if (have.incrementAndGet() <= limit / PART) {
            return new Spare(have, true);
        }
        have.decrementAndGet();
        return NONE;
    }

    /// How many descriptors the process may have, by the system's own table.
    static long limit(Path limits) {
        try (var lines = Files.lines(limits)) {
            return lines.filter(line -> line.startsWith(LINE))
                    .map(line -> line.substring(LINE.length()).strip().split("\\s+", 2)[0])
                    .map(soft -> soft.equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(soft))
                    .findFirst()
                    .orElse(UNKNOWN);
        } catch (IOException | NumberFormatException e) {
            return UNKNOWN;
        }
    }

    /// What to do where a segment could not be made.
    static String advice(IOException cause) {
        var said = String.valueOf(cause);
        if (said.contains("Too many open files")) {
            return "all "
                    + LIMIT
                    + " files that this process may open are open: raise that limit (ulimit -n), or"
                    + " let its links share a connection, over multiplex > shm";
        }
        if (said.contains("Map failed")) {
            return "raise the number of mappings of a process (sysctl vm.max_map_count), or its"
                    + " address space (ulimit -v)";
        }
        return "make room there, or name another folder by the setting "
                + ShmFolder.SETTING
                + ", the same at both ends";
    }

    /// Whether this end has it.
    boolean given() {
        return given.get();
    }

    /// Where the ring may lie that this end writes. The other end's may move all the same.
    RingPlan plan(RingPlan whole) {
        return given() ? whole : new RingPlan(whole.control(), List.of(whole.places().getFirst()));
    }

    @Override
    public void close() {
        if (given.compareAndSet(true, false)) {
            have.decrementAndGet();
        }
    }
}
