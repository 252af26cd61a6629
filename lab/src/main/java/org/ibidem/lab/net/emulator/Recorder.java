package org.ibidem.lab.net.emulator;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.util.HexFormat;

/// Writes down the last packets: when they came and went, what became of them, and how they began.
///
/// ```
/// 0   sent      nanoseconds
/// 8   delivered nanoseconds; 0: not (yet)
/// 16  fate
/// 20  from
/// 24  to
/// 28  bytes of the packet
/// 32  its first 64 bytes
/// ```
public final class Recorder {
    /// Bytes of an entry.
    static final int ENTRY = 96;

    private static final int HEADER = 64;

    private final MemorySegment entries;
    private final int capacity;
    private long next;

    Recorder(MemorySegment memory) {
        this.entries = memory;
        this.capacity = (int) (memory.byteSize() / ENTRY);
    }

    /// The number of the next entry.
    public long next() {
        return next;
    }

    /// The oldest entry still there.
    public long oldest() {
        return Math.max(0, next - capacity);
    }

    /// Writes down a packet that was sent.
    ///
    /// @return the number of its entry
    long sent(Packets packets, int packet, long time) {
        long at = place(next);
        int length = packets.length[packet];
        entries.set(JAVA_LONG, at, time);
        entries.set(JAVA_LONG, at + 8, 0);
        entries.set(JAVA_INT, at + 16, Fate.TRAVELLING.code());
        entries.set(JAVA_INT, at + 20, packets.from[packet]);
        entries.set(JAVA_INT, at + 24, packets.to[packet]);
        entries.set(JAVA_INT, at + 28, length);
        int header = Math.min(length, HEADER);
        MemorySegment.copy(packets.memory, Packets.at(packet), entries, at + 32, header);
        return next++;
    }

    /// Writes down what became of it.
    void ended(long entry, Fate fate, long time) {
        if (entry >= oldest()) {
            entries.set(JAVA_LONG, place(entry) + 8, fate == Fate.DELIVERED ? time : 0);
            entries.set(JAVA_INT, place(entry) + 16, fate.code());
        }
    }

    /// An entry as text: its number, sent, delivered, fate, from, to, bytes, and the first bytes in
    /// hexadecimal, with blanks between.
    public String text(long entry) {
        long at = place(entry);
        int length = entries.get(JAVA_INT, at + 28);
        var header = entries.asSlice(at + 32, Math.min(length, HEADER)).toArray(JAVA_BYTE);
        return entry
                + " "
                + entries.get(JAVA_LONG, at)
                + " "
                + entries.get(JAVA_LONG, at + 8)
                + " "
                + Fate.of(entries.get(JAVA_INT, at + 16))
                + " "
                + entries.get(JAVA_INT, at + 20)
                + " "
                + entries.get(JAVA_INT, at + 24)
                + " "
                + length
                + " "
                + HexFormat.of().formatHex(header);
    }

    private long place(long entry) {
        return entry % capacity * ENTRY;
    }
}
