package org.ibidem.monitor;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.ibidem.Visible;
import org.ibidem.buffer.Mapping;
import org.ibidem.buffer.Tally;
import org.ibidem.config.OwnFolder;

/// The layout of a file of counters: rows of 256 bytes.
///
/// ```
///   0  length of the label, u32; 0: the row is free
///   4  label, UTF-8, at most 124 bytes
/// 128  counters, u64 each, in the order of [Tally.What]
/// ```
///
/// Row 0 has the label of the whole, and no counters. Numbers are in the machine's own byte order.
public final class CounterFile {
    static final int ROW = 256;
    static final int ROWS = 256;
    static final int COUNTERS = 128;

    /// Behind the name of a file while it is being made.
    static final String UNFINISHED = ".new";

    private static final Set<OpenOption> NEW =
            Set.of(
                    StandardOpenOption.CREATE_NEW,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE);
    private static final int LABEL = 4;
    private static final int LONGEST = COUNTERS - LABEL;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;

    /// A row as it was read.
    ///
    /// @param label whose it is
    /// @param counts what it says
    public record Row(String label, Map<Tally.What, Long> counts) {}

    private CounterFile() {}

    /// Makes one in a new file, which nobody else can write to or cut short by mistake; its memory
    /// goes with the last reference. It has its name when all of it is there.
    static MemorySegment create(Path file, String label) throws IOException {
        var unfinished = file.resolveSibling(file.getFileName() + UNFINISHED);
        try (var channel = FileChannel.open(unfinished, NEW, OwnFolder.mode(file, "r--------"))) {
            try {
                var memory = filled(channel, label);
                Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
                return memory;
            } finally {
                Files.deleteIfExists(unfinished); // it is there only if something failed
            }
        }
    }

    private static MemorySegment filled(FileChannel channel, String label) throws IOException {
        var zeros = ByteBuffer.allocate(ROW * ROWS);
        while (zeros.hasRemaining()) {
            channel.write(zeros); // memory now, not a fault later
        }
        var memory = Mapping.of(channel, (long) ROW * ROWS);
        label(memory, 0, label);
        return memory;
    }

    /// Takes a row: its counters are 0 from now on.
    static Tally take(MemorySegment memory, int row, String label, Runnable begins) {
        memory.asSlice((long) row * ROW, ROW).fill((byte) 0);
        label(memory, row, label);
        return new Tally(memory, (long) row * ROW + COUNTERS, begins);
    }

    static void free(MemorySegment memory, int row) {
        memory.set(INT, (long) row * ROW, 0);
    }

    private static void label(MemorySegment memory, int row, String label) {
        var text = label.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(text.length, LONGEST);
        MemorySegment.copy(
                MemorySegment.ofArray(text), 0, memory, (long) row * ROW + LABEL, length);
        memory.set(INT, (long) row * ROW, length);
    }

    /// Reads one that perhaps is being written; the first row tells whose it is.
    ///
    /// @throws IOException when it is no such file
    public static List<Row> read(Path file) throws IOException {
        try (var channel = FileChannel.open(file, StandardOpenOption.READ)) {
            var bytes = ByteBuffer.allocate(ROW * ROWS).order(ByteOrder.nativeOrder());
            while (bytes.hasRemaining() && channel.read(bytes) >= 0) {
                // until it is there
            }
            if (bytes.hasRemaining()) {
                throw new IOException(file + " is no file of counters: it is too short");
            }
            var rows = new ArrayList<Row>();
            for (int row = 0; row < ROWS; row++) {
                int length = bytes.getInt(row * ROW);
                if (length > 0 && length <= LONGEST) {
                    rows.add(row(bytes, row, length));
                }
            }
            return rows;
        }
    }

    private static Row row(ByteBuffer bytes, int row, int length) {
        int at = row * ROW;
        var counts = new EnumMap<Tally.What, Long>(Tally.What.class);
        for (var what : Tally.What.values()) {
            counts.put(what, bytes.getLong(at + COUNTERS + what.offset()));
        }
        var label = new byte[length];
        bytes.get(at + LABEL, label);
        return new Row(Visible.of(new String(label, StandardCharsets.UTF_8)), counts);
    }
}
