package org.ibidem.link.shm;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.BitSet;
import org.ibidem.buffer.ReadyBit;
import org.jspecify.annotations.Nullable;

/// The ready words of one node: a bit for each of its links, which the writer at the link's other
/// end sets (`docs/wire/shm.md`). Links that find no free bit are looked at one by one.
///
/// Its file has no name; it is open while this node lives.
final class ReadyPage {
    static final int BYTES = 4096;
    static final int LINE = 64;
    static final int FIRST_SLOT = ReadyBit.PER_WORD;
    static final int SLOTS = BYTES / LINE * ReadyBit.PER_WORD;

    private static final System.Logger LOG = System.getLogger(ReadyPage.class.getName());

    private final Nameless file;
    private final BitSet taken = new BitSet();

    private ReadyPage(Nameless file) {
        this.file = file;
    }

    /// Makes one; null where that cannot be.
    static @Nullable ReadyPage create(Path folder) {
        try {
            return new ReadyPage(Nameless.create(folder, "ibidem-ready-", BYTES, BYTES));
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "links are looked at one by one: {0}", e.toString());
            return null;
        }
    }

    /// What others open.
    int descriptor() {
        return file.descriptor();
    }

    /// What stands at its beginning.
    long key() {
        return file.key();
    }

    /// A slot that nobody uses; -1: there is none.
    synchronized int take() {
        int slot = taken.nextClearBit(FIRST_SLOT);
        if (slot >= SLOTS || !file.file().isOpen()) {
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
        return bit(file.memory(), slot);
    }

    /// Words lie on lines of their own.
    static ReadyBit bit(MemorySegment memory, int slot) {
        long word = (long) (slot / ReadyBit.PER_WORD) * LINE;
        return new ReadyBit(memory, word, slot % ReadyBit.PER_WORD);
    }
}
