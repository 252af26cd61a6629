package org.ibidem.link.shm;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.ibidem.buffer.ReadyBit;
import org.jspecify.annotations.Nullable;

/// Where, in a segment, one end tells which bit of its ready page is the link's, and the other end
/// that it sets it.
///
/// ```
///  0  key of the page, u64
///  8  process, u32
/// 12  descriptor, u32
/// 16  slot, u32; 0: there is none
/// 20  1: the other end sets the bit, u32
/// ```
///
/// @param segment of the link
/// @param at where that stands
record ReadyPlace(MemorySegment segment, long at) {
    private static final System.Logger LOG = System.getLogger(ReadyPlace.class.getName());

    /// Of the end that asked for the link, and of the other.
    static final int ACTIVE = 128;

    static final int PASSIVE = 192;

    private static final int PROCESS = 8;
    private static final int DESCRIPTOR = 12;
    private static final int SLOT = 16;
    private static final int TOLD = 20;

    /// Tells it, before the other end looks.
    void tell(ReadyPage page, int slot) {
        segment.set(ValueLayout.JAVA_LONG, at, page.key);
        segment.set(ValueLayout.JAVA_INT, at + PROCESS, (int) ProcessHandle.current().pid());
        segment.set(ValueLayout.JAVA_INT, at + DESCRIPTOR, page.descriptor);
        segment.set(ValueLayout.JAVA_INT, at + SLOT, slot);
    }

    /// Whether the other end sets the bit.
    boolean told() {
        return (int) ValueLayout.JAVA_INT.varHandle().getAcquire(segment, at + TOLD) == 1;
    }

    /// Finds the bit that the other end tells of, and says so; null: there is none that can be seen
    /// here, as in another container.
    @Nullable ReadyBit find() {
        long key = segment.get(ValueLayout.JAVA_LONG, at);
        int process = segment.get(ValueLayout.JAVA_INT, at + PROCESS);
        int descriptor = segment.get(ValueLayout.JAVA_INT, at + DESCRIPTOR);
        int slot = segment.get(ValueLayout.JAVA_INT, at + SLOT);
        if (slot < ReadyPage.FIRST_SLOT || slot >= ReadyPage.SLOTS) {
            return null;
        }
        try {
            var file = Path.of("/proc/" + process + "/fd/" + descriptor);
            var bit = ReadyPage.bit(map(file, key), slot);
            ValueLayout.JAVA_INT.varHandle().setRelease(segment, at + TOLD, 1);
            return bit;
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "the peer must look at a link itself: {0}", e);
            return null;
        }
    }

    private static MemorySegment map(Path file, long key) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new IOException(file + " is no file");
        }
        try (var channel =
                FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            if (channel.size() != ReadyPage.BYTES) {
                throw new IOException(file + " has " + channel.size() + " bytes");
            }
            var memory =
                    channel.map(FileChannel.MapMode.READ_WRITE, 0, ReadyPage.BYTES, Arena.ofAuto());
            if (memory.get(ValueLayout.JAVA_LONG, 0) != key) {
                throw new IOException(file + " is another page");
            }
            return memory;
        }
    }
}
