package org.ibidem.link.shm;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.ibidem.buffer.ReadyBit;
import org.jspecify.annotations.Nullable;

/// The ready words of one node: a bit for each of its links, which the writer at the link's other
/// end sets (`docs/wire/shm.md`). Links that find no free bit are looked at one by one.
///
/// Its file has no name, so nothing is left behind by any kill; whoever is told this process and
/// the number of its descriptor opens it there, while this node lives.
final class ReadyPage {
    static final int BYTES = 4096;
    static final int LINE = 64;
    static final int FIRST_SLOT = ReadyBit.PER_WORD;
    static final int SLOTS = BYTES / LINE * ReadyBit.PER_WORD;

    private static final System.Logger LOG = System.getLogger(ReadyPage.class.getName());
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

    private final MemorySegment memory;
    private final FileChannel file; // what others open

    /// Of the file, which stays open.
    final int descriptor;

    /// What is written at its beginning, so that nobody takes another file for it.
    final long key;

    private final BitSet taken = new BitSet();

    private ReadyPage(MemorySegment memory, FileChannel file, int descriptor, long key) {
        this.memory = memory;
        this.file = file;
        this.descriptor = descriptor;
        this.key = key;
        memory.set(ValueLayout.JAVA_LONG, 0, key);
    }

    /// Makes one; null where that cannot be.
    static @Nullable ReadyPage create(Path folder) {
        long key = ThreadLocalRandom.current().nextLong();
        var path = folder.resolve("ibidem-ready-" + HexFormat.of().toHexDigits(key));
        try {
            try {
                return create(path, key);
            } finally {
                Files.deleteIfExists(path);
            }
        } catch (IOException | DirectoryIteratorException e) {
            LOG.log(System.Logger.Level.INFO, "links are looked at one by one: {0}", e);
            return null;
        }
    }

    private static ReadyPage create(Path path, long key) throws IOException {
        var modes =
                Set.of(
                        StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE);
        var owner =
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        var file = FileChannel.open(path, modes, owner);
        try {
            var zeros = ByteBuffer.allocate(BYTES);
            while (zeros.hasRemaining()) {
                file.write(zeros); // memory now, not a fault later
            }
            var memory = file.map(FileChannel.MapMode.READ_WRITE, 0, BYTES, Arena.ofAuto());
            return new ReadyPage(memory, file, descriptor(path.toRealPath()), key);
        } catch (IOException e) {
            file.close();
            throw e;
        }
    }

    private static int descriptor(Path path) throws IOException {
        try (var all = Files.newDirectoryStream(DESCRIPTORS)) {
            for (var one : all) {
                if (path.equals(target(one))) {
                    return Integer.parseInt(one.getFileName().toString());
                }
            }
        }
        throw new IOException("the system does not tell the number of a descriptor");
    }

    private static @Nullable Path target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor);
        } catch (IOException e) {
            return null; // closed meanwhile
        }
    }

    /// A slot that nobody uses; -1: there is none.
    synchronized int take() {
        int slot = taken.nextClearBit(FIRST_SLOT);
        if (slot >= SLOTS || !file.isOpen()) {
            return -1;
        }
        taken.set(slot);
        return slot;
    }

    /// A writer that still sets its bit harms nobody.
    synchronized void free(int slot) {
        taken.clear(slot);
    }

    /// The bit of a slot, to be taken here.
    ReadyBit bit(int slot) {
        return bit(memory, slot);
    }

    /// Words lie on lines of their own.
    static ReadyBit bit(MemorySegment memory, int slot) {
        long word = (long) (slot / ReadyBit.PER_WORD) * LINE;
        return new ReadyBit(memory, word, slot % ReadyBit.PER_WORD);
    }
}
