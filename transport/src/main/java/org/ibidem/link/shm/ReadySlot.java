package org.ibidem.link.shm;

import java.lang.foreign.MemorySegment;
import org.ibidem.buffer.ReadyBit;
import org.jspecify.annotations.Nullable;

/// What one end of a link has of its node's ready page.
///
/// @param page whose slot it is
/// @param number of the slot
/// @param bit to be taken here
/// @param place where the other end was told of it
record ReadySlot(ReadyPage page, int number, ReadyBit bit, ReadyPlace place) {
    /// Takes one and tells of it; null: there is none.
    static @Nullable ReadySlot take(@Nullable ReadyPage page, MemorySegment segment, long at) {
        int number = page == null ? -1 : page.take();
        if (page == null || number < 0) {
            return null;
        }
        var place = new ReadyPlace(segment, at);
        place.tell(page, number);
        return new ReadySlot(page, number, page.bit(number), place);
    }

    /// The link is closed.
    void free() {
        page.free(number);
    }
}
