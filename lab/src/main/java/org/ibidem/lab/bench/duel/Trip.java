package org.ibidem.lab.bench.duel;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.ibidem.buffer.Mapping;

/// How far apart the two sides' cores are: half a round trip of one word between them, through one
/// cache line in each direction and nothing else.
///
/// A virtual machine's processors are moved about beneath it: for a while they are two threads of
/// one core, then cores that share a cache, then cores that do not, and each is several times as
/// far as the one before. Figures of different distances do not compare.
final class Trip {
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
    private static final int BYTES = 4096;
    private static final int APART = 1024;
    private static final int TIMES = 100;
    private static final int MOST_SAMPLES = 8;
    private static final long LIMIT_NANOS = 1_000_000;

    /// Looks before the core is offered to others: the other side may need this very one.
    private static final int PATIENCE = 1 << 14;

    private final MemorySegment memory;
    private final boolean leads;
    private final long mine;
    private final long others;
    private long sent;
    private long seen;

    /// @param folder for both sides
    Trip(Path folder, boolean leads) throws IOException {
        try (var file =
                FileChannel.open(
                        folder.resolve("trip"),
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.CREATE)) {
            memory = Mapping.of(file, BYTES);
        }
        this.leads = leads;
        this.mine = leads ? 0 : APART;
        this.others = APART - mine;
    }

    /// Measures; both sides have to.
    ///
    /// @return nanoseconds; at the side that does not lead, 0
    double measure() {
        if (!leads) {
            answer();
            return 0;
        }
        long best = Long.MAX_VALUE;
        long begin = System.nanoTime();
        for (int i = 0; i < MOST_SAMPLES && System.nanoTime() - begin < LIMIT_NANOS; i++) {
            long before = System.nanoTime();
            for (int k = 0; k < TIMES; k++) {
                say(Math.abs(sent) + 1);
                hear();
            }
            best = Math.min(best, System.nanoTime() - before);
        }
        say(-Math.abs(sent) - 1); // the last of them
        hear();
        return best / (2.0 * TIMES);
    }

    private void answer() {
        long word;
        do {
            word = hear();
            say(word);
        } while (word > 0);
    }

    private void say(long word) {
        sent = word;
        LONG.setRelease(memory, mine, word);
    }

    private long hear() {
        long word;
        for (int looks = 0; (word = (long) LONG.getAcquire(memory, others)) == seen; looks++) {
            if (looks > PATIENCE) {
                Thread.yield();
            }
        }
        seen = word;
        return word;
    }
}
