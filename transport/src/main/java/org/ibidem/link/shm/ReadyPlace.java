package org.ibidem.link.shm;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
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
        segment.set(ValueLayout.JAVA_LONG, at, page.key());
        segment.set(ValueLayout.JAVA_INT, at + PROCESS, (int) ProcessHandle.current().pid());
        segment.set(ValueLayout.JAVA_INT, at + DESCRIPTOR, page.descriptor());
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
            var memory = Nameless.map(process, descriptor, key, ReadyPage.BYTES);
            var bit = ReadyPage.bit(memory, slot);
            ValueLayout.JAVA_INT.varHandle().setRelease(segment, at + TOLD, 1);
            return bit;
        } catch (IOException e) {
            LOG.log(
                    System.Logger.Level.DEBUG,
                    "the peer must look at a link itself: {0}",
                    e.toString());
            return null;
        }
    }
}
