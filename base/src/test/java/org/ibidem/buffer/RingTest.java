package org.ibidem.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.buffer.RingLayout.ALIGNMENT;
import static org.ibidem.buffer.RingLayout.DATA;
import static org.ibidem.buffer.RingLayout.HEADER;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;
import org.ibidem.Seeded;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("looks again and again, which others make slow")
class RingTest {
    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG;
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;

    private static final int FRAMES = 20_000;

    /// 0 to 255, again and again.
    private static final MemorySegment BYTES = MemorySegment.ofArray(new byte[1 << 17]);

    static {
        for (int i = 0; i < BYTES.byteSize(); i++) {
            BYTES.set(BYTE, i, (byte) i);
        }
    }

    private final Frame room = new Frame();
    private final Frame lent = new Frame();

    private static MemorySegment memory(long size) {
        return Arena.ofAuto().allocate(Ring.bytes(size), DATA);
    }

    private static long record(long payload) {
        return (payload + HEADER + ALIGNMENT - 1) & -ALIGNMENT;
    }

    @Test
    @Tag("slow")
    void frames_of_all_sizes_arrive_whole_and_in_order_across_threads() {
        Seeded.times(
                12,
                random -> {
                    long size = (long) Ring.SMALLEST << random.nextInt(5);
                    var memory = memory(size);
                    long seed = random.nextLong();
                    var ring = Ring.writer(memory, 0, size);
                    var writer = Thread.ofPlatform().daemon().start(() -> write(ring, seed));
                    read(Ring.reader(memory, 0, size), ring.largest(), seed);
                    writer.join();
                });
    }

    /// What frame `i` holds: as bytes, `i` and what follows it.
    private static MemorySegment bytes(int i, int length) {
        return BYTES.asSlice(i & 0xFF, length);
    }

    /// Sizes and contents follow from the seed and the frame's number.
    private static void write(RingWriter ring, long seed) {
        var sizes = new SplittableRandom(seed);
        var room = new Frame();
        for (int i = 0; i < FRAMES; i++) {
            int length = sizes.nextInt(ring.largest() + 1);
            while (room.room() <= length && !ring.claim(room, length)) {
                Thread.yield();
            }
            room.memory.asSlice(room.position, length).copyFrom(bytes(i, length));
            room.position += length;
            ring.commit(room, i & Frame.WIRE_FLAGS);
        }
    }

    private void read(RingReader ring, int largest, long seed) {
        var sizes = new SplittableRandom(seed);
        for (int i = 0; i < FRAMES; i++) {
            boolean looks = i % 3 > 0; // alone first, as ports do
            while (!(looks && ring.next(lent)) && !ring.poll(lent)) {
                Thread.yield();
            }
            int length = sizes.nextInt(largest + 1);
            assertThat(lent.room()).isEqualTo(length);
            assertThat(lent.flags).isEqualTo(i & Frame.WIRE_FLAGS);
            long wrong = lent.memory.asSlice(lent.position, length).mismatch(bytes(i, length));
            if (wrong >= 0) {
                throw new AssertionError("byte " + wrong + " of frame " + i + " is wrong");
            }
        }
        assertThat(ring.poll(lent)).isFalse();
    }

    @Test
    void a_look_alone_lends_frames_without_flags_until_credit_is_due() {
        var memory = memory(Ring.SMALLEST);
        var writer = Ring.writer(memory, 0, Ring.SMALLEST);
        var reader = Ring.reader(memory, 0, Ring.SMALLEST);
        assertThat(reader.next(lent)).as("nothing was written yet").isFalse();
        assertThat(reader.isThere()).isFalse();
        for (int flags : new int[] {0, Frame.MORE, 0, 0, 0, 0}) {
            assertThat(writer.claim(room, 8)).isTrue();
            room.position += 8;
            writer.commit(room, flags);
        }
        assertThat(reader.next(lent)).isTrue();
        assertThat(lent.room()).isEqualTo(8);
        assertThat(reader.next(lent)).as("it has a flag").isFalse();
        assertThat(reader.isThere()).isTrue();
        assertThat(reader.poll(lent)).isTrue();
        assertThat(lent.flags).isEqualTo(Frame.MORE);
        assertThat(reader.next(lent)).isTrue();
        assertThat(lent.flags).isZero();
        assertThat(reader.next(lent)).isTrue();
        assertThat(reader.next(lent)).as("a sixteenth of the ring was read").isFalse();
        assertThat(reader.isThere()).as("all the same").isTrue();
        assertThat(reader.poll(lent)).isTrue();
    }

    /// Every word of the payload is the header that would be valid there one, two or three laps
    /// later: whatever the writer fails to clear, the reader takes for a record.
    @Test
    void no_payload_passes_for_a_header_in_a_later_lap() {
        Seeded.times(
                20,
                random -> {
                    long size = (long) Ring.SMALLEST << random.nextInt(4);
                    var memory = memory(size);
                    var writer = Ring.writer(memory, 0, size);
                    var reader = Ring.reader(memory, 0, size);
                    long position = 0;
                    for (int i = 0; i < 5_000; i++) {
                        assertThat(reader.poll(lent)).as("empty before frame %s", i).isFalse();
                        int length = random.nextInt(writer.largest() + 1);
                        assertThat(writer.claim(room, length)).isTrue();
                        if (room.start - DATA - HEADER == 0 && position % size != 0) {
                            position += size - position % size; // there was padding
                        }
                        forge(length, position, (1 + random.nextInt(3)) * size);
                        writer.commit(room, 0);
                        assertThat(reader.poll(lent)).isTrue();
                        assertThat(lent.room()).as("length of frame %s", i).isEqualTo(length);
                        position += record(length);
                    }
                });
    }

    private void forge(int length, long position, long later) {
        long from = position + HEADER;
        for (long at = from; at + HEADER <= from + length; at += HEADER) {
            long header = RingLayout.tag((at & -ALIGNMENT) + later);
            room.memory.set(WORD, room.position + at - from, header);
        }
        room.position += length;
    }

    /// 2^38 bytes later the tags begin anew, and there is one place whose tag is 0, which is also
    /// what fresh memory holds.
    @Test
    void the_place_whose_tag_is_zero_is_no_exception() {
        long size = 16L << 20;
        var memory = memory(size);
        var writer = Ring.writer(memory, 0, size);
        var reader = Ring.reader(memory, 0, size);
        long last = (1L << 38) - ALIGNMENT;
        long position = 0;
        while (position < last) {
            int length = (int) Math.min(writer.largest(), last - position - HEADER);
            assertThat(writer.claim(room, length)).isTrue();
            room.position += length;
            writer.commit(room, 0);
            position += record(length);
            assertThat(reader.poll(lent)).isTrue();
        }
        for (int i = 0; i < 3; i++) {
            assertThat(reader.poll(lent)).as("nothing was written yet").isFalse();
            assertThat(writer.claim(room, 8)).isTrue();
            room.memory.set(WORD, room.position, 4711 + i);
            room.position += 8;
            writer.commit(room, Frame.MORE);
            assertThat(reader.poll(lent)).isTrue();
            assertThat(lent.room()).isEqualTo(8);
            assertThat(lent.flags).isEqualTo(Frame.MORE);
            assertThat(lent.memory.get(WORD, lent.position)).isEqualTo(4711 + i);
        }
    }

    /// Wherever the writer stands, and although the reader returns credit only now and then: once
    /// everything is read, there is room for padding and a frame of the largest size.
    @Test
    void the_largest_frame_always_finds_room_once_all_is_read() {
        for (long size = Ring.SMALLEST; size <= 1 << 20; size *= 2) {
            var memory = memory(size);
            var writer = Ring.writer(memory, 0, size);
            var reader = Ring.reader(memory, 0, size);
            for (long steps = 0; steps < 4 * size / ALIGNMENT; steps++) {
                int length = steps % 3 == 0 ? writer.largest() : (int) (steps * 61 % 120);
                assertThat(writer.claim(room, length)).as("ring of %s", size).isTrue();
                room.position += length;
                writer.commit(room, 0);
                assertThat(reader.poll(lent)).isTrue();
                assertThat(reader.poll(lent)).isFalse();
            }
        }
    }

    @Test
    void a_full_ring_says_busy_and_goes_on_when_its_reader_does() {
        Seeded.times(
                10,
                random -> {
                    long size = (long) Ring.SMALLEST << random.nextInt(4);
                    var memory = memory(size);
                    var writer = Ring.writer(memory, 0, size);
                    var reader = Ring.reader(memory, 0, size);
                    long written = 0;
                    long read = 0;
                    int refusals = 0;
                    while (refusals < 1_000) {
                        int length = random.nextInt(writer.largest() + 1);
                        if (writer.claim(room, length)) {
                            room.position += length;
                            writer.commit(room, 0);
                            written++;
                        } else {
                            refusals++;
                            int some = 1 + random.nextInt(100);
                            for (int i = 0; i < some && reader.poll(lent); i++) {
                                read++;
                            }
                        }
                    }
                    while (reader.poll(lent)) {
                        read++;
                    }
                    assertThat(read).isEqualTo(written);
                });
    }

    @Test
    void a_message_may_be_much_longer_than_the_ring() throws InterruptedException {
        long size = Ring.SMALLEST;
        long bytes = 4L << 20;
        var memory = memory(size);
        var writer = Ring.writer(memory, 0, size);
        var reader = Ring.reader(memory, 0, size);
        var sender = Thread.ofPlatform().daemon().start(() -> send(writer, bytes));
        long got = 0;
        do {
            while (!reader.poll(lent)) {
                Thread.yield();
            }
            for (long at = lent.position; at < lent.limit; at++, got++) {
                if (lent.memory.get(BYTE, at) != pattern(got)) {
                    throw new AssertionError("byte " + got + " is wrong");
                }
            }
        } while ((lent.flags & Frame.MORE) != 0);
        assertThat(got).isEqualTo(bytes);
        sender.join();
    }

    private static byte pattern(long at) {
        return (byte) ((at * 31) >>> 3);
    }

    private static void send(RingWriter writer, long bytes) {
        var room = new Frame();
        long sent = 0;
        while (sent < bytes) {
            while (room.room() == 0 && !writer.claim(room, 1)) {
                Thread.yield();
            }
            while (room.position < room.limit && sent < bytes) {
                room.memory.set(BYTE, room.position++, pattern(sent++));
            }
            writer.commit(room, sent < bytes ? Frame.MORE : 0);
        }
    }

    @Test
    void what_was_lent_stays_untouched_until_the_next_poll() {
        var memory = memory(Ring.SMALLEST);
        var writer = Ring.writer(memory, 0, Ring.SMALLEST);
        var reader = Ring.reader(memory, 0, Ring.SMALLEST);
        assertThat(writer.claim(room, 8)).isTrue();
        room.memory.set(WORD, room.position, 42);
        room.position += 8;
        writer.commit(room, 0);
        assertThat(reader.poll(lent)).isTrue();
        while (writer.claim(room, writer.largest())) {
            for (; room.position < room.limit; room.position++) {
                room.memory.set(BYTE, room.position, (byte) 0xEE);
            }
            writer.commit(room, 0);
        }
        assertThat(lent.memory.get(WORD, lent.position)).isEqualTo(42);
    }

    @Test
    void a_commit_into_no_room_is_refused() {
        var memory = memory(Ring.SMALLEST);
        var writer = Ring.writer(memory, 0, Ring.SMALLEST);
        while (writer.claim(room, 8)) {
            room.position = room.limit;
            writer.commit(room, 0);
        }
        assertThat(room.room()).isZero();
        assertThatThrownBy(() -> writer.commit(room, 0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("without a claim");
    }

    @Test
    void memory_on_the_heap_is_refused() {
        var heap = MemorySegment.ofArray(new byte[64 << 10]);
        assertThatThrownBy(() -> Ring.writer(heap, 0, Ring.SMALLEST))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("off-heap");
        assertThatThrownBy(() -> Ring.reader(heap, 0, Ring.SMALLEST))
                .hasMessageContaining("off-heap");
    }

    @Test
    void sizes_and_places_that_cannot_be_are_refused() {
        var memory = memory(2 * Ring.SMALLEST);
        assertThatThrownBy(() -> Ring.writer(memory, 0, Ring.SMALLEST + 64))
                .hasMessageContaining("a power of two of bytes from 4096 to 4294967296, not 4160");
        assertThatThrownBy(() -> Ring.writer(memory, 0, Ring.SMALLEST / 2))
                .hasMessageContaining("not 2048");
        assertThatThrownBy(() -> Ring.reader(memory, 0, 4 * Ring.SMALLEST))
                .hasMessageContaining("a ring of 16384 bytes does not fit at 4096");
        assertThatThrownBy(() -> Ring.reader(memory, 64, Ring.SMALLEST))
                .hasMessageContaining("does not fit at 64");
        assertThatThrownBy(() -> Ring.writer(memory, -DATA, Ring.SMALLEST))
                .hasMessageContaining("does not fit at -4096");
    }

    @Test
    void a_claim_above_the_largest_is_the_callers_mistake() {
        var writer = Ring.writer(memory(Ring.SMALLEST), 0, Ring.SMALLEST);
        assertThat(writer.largest()).isEqualTo(248);
        while (writer.claim(room, 248)) {
            room.position += 248;
            writer.commit(room, 0);
        }
        assertThatThrownBy(() -> writer.claim(room, 249))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a claim of 249 bytes; this ring grants 248");
    }
}
