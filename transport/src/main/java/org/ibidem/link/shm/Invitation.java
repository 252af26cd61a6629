package org.ibidem.link.shm;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ibidem.buffer.RingSite;
import org.jspecify.annotations.Nullable;

/// What the writer of a broadcast ring tells each reader, in the reader's own ring.
///
/// ```
///  0  key of the file, u64
///  8  process, u32
/// 12  descriptor, u32
/// 16  bytes of the first place, u32
/// 20  bytes of the largest place, u32
/// 24  readers, u32
/// 28  which of them, u32
/// ```
final class Invitation {
    static final int BYTES = 32;

    private static final System.Logger LOG = System.getLogger(Invitation.class.getName());
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final int PROCESS = 8;
    private static final int DESCRIPTOR = 12;
    private static final int FIRST = 16;
    private static final int LARGEST = 20;
    private static final int READERS = 24;
    private static final int READER = 28;

    private Invitation() {}

    /// Writes one.
    static void write(MemorySegment to, long at, BroadcastFile file, int reader) {
        to.set(LONG, at, file.key());
        to.set(INT, at + PROCESS, (int) ProcessHandle.current().pid());
        to.set(INT, at + DESCRIPTOR, file.descriptor());
        to.set(INT, at + FIRST, file.layout().options().ring());
        to.set(INT, at + LARGEST, file.layout().options().largest());
        to.set(INT, at + READERS, file.layout().readers());
        to.set(INT, at + READER, reader);
    }

    /// Follows one, each word of which is read once; null: it leads nowhere from here, as in
    /// another container.
    static @Nullable RingSite follow(MemorySegment from, long at, int length) {
        if (length != BYTES) {
            return refused("an invitation of " + length + " bytes");
        }
        try {
            int first = from.get(INT, at + FIRST);
            int largest = from.get(INT, at + LARGEST);
            int readers = from.get(INT, at + READERS);
            int reader = from.get(INT, at + READER);
            var layout = BroadcastLayout.of(Shm.offered(first, largest), readers);
            if (reader < 0 || reader >= readers) {
                return refused("reader " + reader + " of " + readers);
            }
            int process = from.get(INT, at + PROCESS);
            int descriptor = from.get(INT, at + DESCRIPTOR);
            long key = from.get(LONG, at);
            var memory = Nameless.map(process, descriptor, key, layout.bytes());
            return new RingSite(memory, layout.plan(reader));
        } catch (IOException | IllegalArgumentException e) {
            return refused(e.toString());
        }
    }

    private static @Nullable RingSite refused(String why) {
        LOG.log(System.Logger.Level.DEBUG, "an invitation to a broadcast leads nowhere: {0}", why);
        return null;
    }
}
