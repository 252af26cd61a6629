package org.ibidem.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.buffer.RingLayout.ALIGNMENT;
import static org.ibidem.buffer.RingLayout.DATA;
import static org.ibidem.buffer.RingLayout.HEADER;
import static org.ibidem.buffer.RingLayout.PAD;
import static org.ibidem.buffer.RingLayout.READER_POSITION;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.ibidem.Seeded;
import org.junit.jupiter.api.Test;

/// The other process may write anything anywhere in the shared memory.
class HostileRingTest {
    private static final int SIZE = Ring.SMALLEST;
    private static final int LARGEST = 248;

    private final MemorySegment memory = Arena.ofAuto().allocate(Ring.bytes(SIZE), DATA);
    private final RingWriter writer = Ring.writer(memory, 0, SIZE);
    private final RingReader reader = Ring.reader(memory, 0, SIZE);
    private final Frame room = new Frame();
    private final Frame lent = new Frame();

    private void header(long position, long flags, long length) {
        memory.set(
                ValueLayout.JAVA_LONG,
                DATA + position % SIZE,
                RingLayout.tag(position) | flags << 24 | length);
    }

    private void readerSaysItIsAt(long position) {
        memory.set(ValueLayout.JAVA_LONG, READER_POSITION, position);
    }

    private void refused() {
        assertThat(reader.next(lent)).as("a look alone").isFalse();
        assertThatThrownBy(() -> reader.poll(lent)).isInstanceOf(IllegalStateException.class);
        assertThat(lent.limit).as("nothing was lent").isZero();
    }

    private void send(int length) {
        assertThat(writer.claim(room, length)).isTrue();
        room.position += length;
        writer.commit(room, 0);
    }

    private void pass(int length) {
        send(length);
        assertThat(reader.poll(lent)).isTrue();
        lent.empty();
    }

    @Test
    void a_length_above_the_largest_is_refused() {
        header(0, 0, LARGEST + 1);
        refused();
        header(0, 0, 0xFF_FFFF);
        refused();
        header(0, 0, LARGEST);
        assertThat(reader.poll(lent)).isTrue();
        assertThat(lent.room()).isEqualTo(LARGEST);
    }

    @Test
    void a_record_that_would_leave_the_ring_is_refused() {
        for (int i = 0; i < SIZE / ALIGNMENT - 1; i++) {
            pass(0);
        }
        header(SIZE - ALIGNMENT, 0, ALIGNMENT - HEADER + 1);
        refused();
        header(SIZE - ALIGNMENT, 0, ALIGNMENT - HEADER);
        assertThat(reader.poll(lent)).isTrue();
        assertThat(lent.limit).isEqualTo(memory.byteSize());
    }

    @Test
    void flags_that_do_not_exist_are_refused() {
        for (int flags = 0; flags < 256; flags++) {
            if ((flags & ~Frame.WIRE_FLAGS) != 0) {
                header(0, flags, 8);
                refused();
            }
        }
    }

    @Test
    void filler_at_the_start_is_refused() {
        header(0, PAD, 0);
        refused();
    }

    @Test
    void filler_after_filler_is_refused() {
        pass(0);
        header(ALIGNMENT, PAD, 0);
        header(SIZE, PAD, 0);
        refused();
        refused();
    }

    @Test
    void filler_whose_length_is_garbage_skips_to_the_start_all_the_same() {
        pass(0);
        header(ALIGNMENT, PAD, 0xFF_FFFF);
        header(SIZE, 0, 8);
        assertThat(reader.poll(lent)).isTrue();
        assertThat(lent.start).isEqualTo(DATA + HEADER);
    }

    @Test
    void a_reader_that_moves_back_is_found_out() {
        for (int i = 0; i < 40; i++) {
            pass(64);
        }
        fill();
        readerSaysItIsAt(0);
        assertBroken(() -> writer.claim(room, LARGEST), "the reader says it is at 0");
        assertBroken(writer::sleep, "the reader says it is at 0");
    }

    @Test
    void a_reader_that_is_ahead_of_the_writer_is_found_out() {
        fill();
        readerSaysItIsAt(SIZE + ALIGNMENT);
        assertBroken(() -> writer.claim(room, LARGEST), "what was written ends at 3840");
        readerSaysItIsAt(Long.MIN_VALUE);
        assertBroken(() -> writer.claim(room, LARGEST), "the reader says it is at");
    }

    @Test
    void a_reader_between_two_records_is_found_out() {
        fill();
        readerSaysItIsAt(2 * ALIGNMENT + 8);
        assertBroken(() -> writer.claim(room, LARGEST), "the reader says it is at 136");
    }

    private void fill() {
        while (writer.claim(room, LARGEST)) {
            room.position = room.limit;
            writer.commit(room, 0);
        }
    }

    private static void assertBroken(ThrowingCallable call, String why) {
        assertThatThrownBy(call)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(why);
    }

    /// Whatever stands in the whole ring, what is lent lies inside its data, and the reader comes
    /// to an end.
    @Test
    void nothing_outside_the_ring_is_ever_lent() {
        Seeded.times(
                300,
                random -> {
                    var reading = Ring.reader(memory, 0, SIZE);
                    for (long at = 0; at < SIZE; at += ALIGNMENT) {
                        header(at, random.nextInt(4) == 0 ? PAD : random.nextInt(12), 0);
                        int bits = random.nextInt(25);
                        long word = memory.get(ValueLayout.JAVA_LONG, DATA + at);
                        memory.set(
                                ValueLayout.JAVA_LONG,
                                DATA + at,
                                word | random.nextLong(1L << bits));
                    }
                    int polls = 0;
                    try {
                        while (reading.poll(lent)) {
                            assertThat(lent.start).isGreaterThanOrEqualTo(DATA + HEADER);
                            assertThat(lent.limit).isLessThanOrEqualTo(memory.byteSize());
                            assertThat(lent.room()).isBetween(0L, (long) LARGEST);
                            polls++;
                        }
                    } catch (IllegalStateException expected) {
                        assertThat(expected).hasMessageContaining("a record of");
                    }
                    assertThat(polls).isLessThanOrEqualTo(SIZE / ALIGNMENT);
                });
    }
}
