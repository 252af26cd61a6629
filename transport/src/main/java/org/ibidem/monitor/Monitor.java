package org.ibidem.monitor;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.ibidem.buffer.Tally;
import org.ibidem.config.OwnFolder;
import org.jspecify.annotations.Nullable;

/// The counters of one node: rows of a file that `ibidem counters` reads while the node runs. Where
/// the file cannot be made, or all rows are taken, they count all the same and nobody else sees it.
public final class Monitor implements AutoCloseable {
    /// Folders that this process has removed the files of dead ones from.
    private static final Set<Path> CLEANED = ConcurrentHashMap.newKeySet();

    private static final System.Logger LOG = System.getLogger(Monitor.class.getName());
    private static final int QUIET = 40; // so seldom is a message the first for long
    private static final String FILES = "counters-";
    private static final Path NAMESPACE = Path.of("/proc/self/ns/pid");

    private final @Nullable Path file;
    private final @Nullable MemorySegment memory;
    private final Predicate<BooleanSupplier> watch;
    private final BitSet taken = new BitSet(CounterFile.ROWS);

    /// Rows in which messages are counted.
    private final List<Row> busy = new ArrayList<>();

    /// Whether somebody looks at them.
    private boolean watched;

    private Monitor(
            @Nullable Path file, @Nullable MemorySegment memory, Predicate<BooleanSupplier> watch) {
        this.file = file;
        this.memory = memory;
        this.watch = watch;
        taken.set(0);
    }

    /// Opens a file in this folder, which is made if need be and must be this user's alone, and
    /// removes those of processes that are gone.
    ///
    /// @param folder empty: no file
    /// @param label whose counters they are, for people
    /// @param watch has somebody look again and again, some time apart, until a look answers that
    ///   nothing is to be seen any more: so others see what was counted. False: it cannot
    public static Monitor open(String folder, String label, Predicate<BooleanSupplier> watch) {
        if (folder.isEmpty()) {
            return new Monitor(null, null, watch);
        }
        var where = Path.of(folder);
        try {
            OwnFolder.make(where);
            if (CLEANED.add(where)) { // once: a process may have thousands of nodes
                removeStale(where);
            }
            var mine = ProcessHandle.current().pid() + "-" + namespace() + "-";
            var number = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt());
            var file = where.resolve(FILES + mine + number);
            return new Monitor(file, CounterFile.create(file, label), watch);
        } catch (IOException | UnsupportedOperationException e) {
            LOG.log(
                    System.Logger.Level.INFO,
                    "counters are kept, and cannot be seen by others: {0}",
                    e.toString());
            return new Monitor(null, null, watch);
        }
    }

    /// Within which a process's number means something: containers that share the folder may have
    /// numbers of their own. 0 where the system has no such thing.
    static String namespace() {
        try {
            return Files.readSymbolicLink(NAMESPACE).toString().replaceAll("\\D", "");
        } catch (IOException | UnsupportedOperationException e) {
            return "0";
        }
    }

    private static void removeStale(Path folder) throws IOException {
        var here = namespace();
        for (var file : all(folder)) {
            if (isGone(file, here)) {
                Files.deleteIfExists(file);
            }
        }
    }

    private static boolean isGone(Path file, String namespace) {
        return part(file, 2).equals(namespace) && ProcessHandle.of(process(file)).isEmpty();
    }

    private static String part(Path file, int which) {
        return file.getFileName().toString().split("-", -1)[which];
    }

    /// Whether the process that wrote this file is gone, as far as that can be known: one of
    /// another namespace may be there.
    public static boolean isGone(Path file) {
        return isGone(file, namespace());
    }

    /// The files of counters in a folder; none where there is no such folder.
    ///
    /// @throws IOException when it cannot be read, or is not this user's alone
    public static List<Path> files(Path folder) throws IOException {
        return all(folder).stream()
                .filter(file -> !file.toString().endsWith(CounterFile.UNFINISHED))
                .toList();
    }

    /// With those that are being made.
    private static List<Path> all(Path folder) throws IOException {
        if (Files.notExists(folder, LinkOption.NOFOLLOW_LINKS)) {
            return List.of();
        }
        OwnFolder.check(folder); // another user's may name anything counters
        try (var files = Files.list(folder)) {
            return files.filter(file ->
                            file.getFileName().toString().matches(FILES + "\\d{1,18}-\\d{1,18}-.*"))
                    .sorted()
                    .toList();
        }
    }

    /// The number of the process that writes this file.
    public static long process(Path file) {
        return Long.parseLong(part(file, 1));
    }

    /// A row of counters.
    ///
    /// @param label whose, for people
    public synchronized Row row(String label) {
        int row = taken.nextClearBit(0);
        var mine = memory;
        if (mine == null || row >= CounterFile.ROWS) {
            return new Row(this);
        }
        taken.set(row);
        return new Row(this, mine, row, label);
    }

    /// In the middle of a message: whatever fails here must not disturb that.
    private synchronized void counts(Row row) {
        if (row.freed) {
            return;
        }
        row.quiet = 0;
        if (!row.busy) {
            row.busy = true;
            busy.add(row);
        }
        if (!watched) {
            watched = watch.test(this::show);
        }
        if (!watched) {
            row.tally.unwatched(); // the next message tries again
        }
    }

    private synchronized boolean show() {
        try {
            busy.removeIf(Row::rests);
            watched = !busy.isEmpty();
        } catch (InternalError e) {
            LOG.log(System.Logger.Level.WARNING, "a file of counters was cut short", e);
            watched = false;
        }
        return watched;
    }

    private synchronized void free(Row row) {
        var mine = memory;
        if (mine != null && row.number > 0 && !row.freed) {
            row.freed = true; // another may have it next
            CounterFile.free(mine, row.number);
            taken.clear(row.number);
        }
    }

    /// A row in use.
    public static final class Row implements AutoCloseable {
        private final Monitor monitor;
        private final int number; // in the file; -1: nobody sees it
        private final Tally tally;
        private boolean freed;

        /// Whether it is among those that are looked at.
        private boolean busy;

        /// Looks in a row that saw nothing new.
        private int quiet;

        private Row(Monitor monitor) {
            this.monitor = monitor;
            this.number = -1;
            this.tally = Tally.unseen();
        }

        private Row(Monitor monitor, MemorySegment memory, int number, String label) {
            this.monitor = monitor;
            this.number = number;
            this.tally = CounterFile.take(memory, number, label, this::counts);
        }

        private void counts() {
            monitor.counts(this);
        }

        /// Shows what was counted. True: there was nothing new for long. Whoever counts is told
        /// before the last look that nobody looks any more; should he miss that, the last one,
        /// which is much later, finds what he has counted.
        private boolean rests() {
            if (freed) {
                return true;
            }
            quiet = tally.show() ? 0 : quiet + 1;
            if (quiet == QUIET) {
                tally.unwatched();
            }
            busy = quiet <= QUIET;
            return !busy;
        }

        int number() {
            return number;
        }

        /// What to count with.
        public Tally tally() {
            return tally;
        }

        /// Its connection has ended; may be said more than once.
        @Override
        public void close() {
            monitor.free(this);
        }
    }

    /// Removes the file; who counts on harms nobody.
    @Override
    public void close() {
        try {
            if (file != null) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            LOG.log(
                    System.Logger.Level.DEBUG,
                    "a file of counters was not removed: {0}",
                    e.toString());
        }
    }
}
