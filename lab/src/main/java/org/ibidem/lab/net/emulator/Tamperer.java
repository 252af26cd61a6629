package org.ibidem.lab.net.emulator;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Somebody between two sites who does harm to one record of TLS (RFC 8446, section 5.1) on a
/// connection of TCP over IPv4. Checksums are put right, so that only TLS can notice.
public final class Tamperer {
    /// What is done to a record.
    public enum Harm {
        /// One bit of it is another.
        FLIP,
        /// The one before comes in its place, which is as long.
        REPLAY,
        /// A part of it comes, and then the end of the connection.
        CUT
    }

    /// To which record: the first of a type, and of so many bytes at least, that one site sends to
    /// another, where it begins in a packet.
    ///
    /// @param type 20, 21, 22 or 23
    public record Order(int from, int to, Harm harm, int type, int least) {}

    private static final int HEADER = 5;
    private static final int FIRST_TYPE = 20;
    private static final int LAST_TYPE = 24;
    private static final int HANDSHAKE = 22;
    private static final int MAJOR = 3;
    private static final int TCP = 6;
    private static final int FIN = 1;

    private final Packets packets;
    private @Nullable Order order;
    private byte[] before = {};
    private long cut;

    Tamperer(Packets packets) {
        this.packets = packets;
    }

    /// Does this next; null: nothing more.
    public void set(@Nullable Order next) {
        order = next;
        before = new byte[0];
        cut = 0;
    }

    /// Whether there is still something to be done.
    public boolean waits() {
        return order != null;
    }

    /// A packet passes.
    ///
    /// @return whether it goes no further
    boolean stops(int packet) {
        if (order == null && cut == 0) {
            return false;
        }
        var segment = new Segment(packets.memory, Packets.at(packet));
        if (!segment.isTcp()) {
            return false;
        }
        if (cut == segment.ends()) {
            return segment.payload() < segment.end();
        }
        if (order != null && packets.from[packet] == order.from && packets.to[packet] == order.to) {
            harm(order, segment, packet);
        }
        return false;
    }

    private void harm(Order order, Segment segment, int packet) {
        long record = segment.record(order);
        if (record < 0) {
            return;
        }
        int whole = HEADER + segment.word(record + 3);
        switch (order.harm) {
            case FLIP -> {
                // Behind what says how long it is, where that is in clear.
                long first = record + HEADER + (order.type == HANDSHAKE ? 4 : 0);
                long at = Math.min(Math.max(first, record + whole / 2), segment.end() - 1);
                segment.set(at, segment.octet(at) ^ 1);
            }
            case REPLAY -> {
                if (record + whole > segment.end()) {
                    return;
                }
                var copy = segment.copy(record, whole);
                if (before.length != whole || Arrays.equals(before, copy)) { // or sent again
                    before = copy;
                    return;
                }
                segment.put(record, before);
            }
            case CUT -> {
                segment.endAt(Math.min(record + whole / 2, segment.end()));
                packets.length[packet] = (int) (segment.end() - Packets.at(packet));
                cut = segment.ends();
            }
        }
        segment.check();
        this.order = null;
    }

    /// A packet.
    private record Segment(MemorySegment memory, long at) {
        int octet(long where) {
            return memory.get(JAVA_BYTE, where) & 0xff;
        }

        int word(long where) {
            return octet(where) << 8 | octet(where + 1);
        }

        void set(long where, int octet) {
            memory.set(JAVA_BYTE, where, (byte) octet);
        }

        private void setWord(long where, int word) {
            set(where, word >> 8);
            set(where + 1, word);
        }

        byte[] copy(long from, int count) {
            return memory.asSlice(from, count).toArray(JAVA_BYTE);
        }

        void put(long where, byte[] bytes) {
            MemorySegment.copy(bytes, 0, memory, JAVA_BYTE, where, bytes.length);
        }

        boolean isTcp() {
            return octet(at) >> 4 == 4 && octet(at + 9) == TCP;
        }

        private long tcp() {
            return at + 4L * (octet(at) & 15);
        }

        /// Both addresses are known where it matters.
        long ends() {
            return (long) word(tcp()) << 16 | word(tcp() + 2);
        }

        long payload() {
            return tcp() + 4L * (octet(tcp() + 12) >> 4);
        }

        long end() {
            return at + word(at + 2);
        }

        /// Where a record begins that is meant; negative: nowhere.
        long record(Order order) {
            for (long one = payload(); one + HEADER < end(); one += HEADER + word(one + 3)) {
                int type = octet(one);
                if (type < FIRST_TYPE || type > LAST_TYPE || octet(one + 1) != MAJOR) {
                    return -1;
                }
                if (type == order.type && word(one + 3) >= order.least) {
                    return one;
                }
            }
            return -1;
        }

        void endAt(long end) {
            setWord(at + 2, (int) (end - at));
            set(tcp() + 13, octet(tcp() + 13) | FIN);
        }

        /// Puts both checksums right (RFC 1071).
        void check() {
            setWord(at + 10, 0);
            setWord(at + 10, ~folded(sum(at, tcp())));
            setWord(tcp() + 16, 0);
            long pseudo = sum(at + 12, at + 20) + TCP + (end() - tcp());
            setWord(tcp() + 16, ~folded(pseudo + sum(tcp(), end())));
        }

        private long sum(long from, long to) {
            long sum = 0;
            for (long i = from; i < to; i += 2) {
                sum += i + 1 < to ? word(i) : octet(i) << 8;
            }
            return sum;
        }

        private static int folded(long sum) {
            long folded = sum;
            while (folded >> 16 != 0) {
                folded = (folded & 0xffff) + (folded >> 16);
            }
            return (int) folded;
        }
    }
}
