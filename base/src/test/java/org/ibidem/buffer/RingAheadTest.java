package org.ibidem.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.buffer.RingLayout.ALIGNMENT;
import static org.ibidem.buffer.RingLayout.DATA;
import static org.ibidem.buffer.RingLayout.HEADER;
import static org.ibidem.buffer.RingLayout.READER_POSITION;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.random.RandomGenerator;
import org.ibidem.Seeded;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The lines that a writer makes its own ahead: which they are, and that nothing lies there that a
/// reader has not given back.
class RingAheadTest {
    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG;
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    private static final long SIZE = Ring.SMALLEST;
    private static final int MESSAGES = 4_000;
    private static final byte OLD = 0x55;

    private final MemorySegment memory = Arena.ofAuto().allocate(Ring.bytes(SIZE), DATA);
    private final MemorySegment data = memory.asSlice(DATA, SIZE);
    private final RingWriter writer = Ring.writer(memory, 0, SIZE);
    private final RingReader reader = Ring.reader(memory, 0, SIZE);
    private final Frame room = new Frame();
    private final Frame lent = new Frame();

    /// The other way, where there are answers.
    private final MemorySegment back = Arena.ofAuto().allocate(Ring.bytes(SIZE), DATA);

    private final RingWriter peer = Ring.writer(back, 0, SIZE);
    private final RingReader answers = Ring.reader(back, 0, SIZE);

    private void send(int length) {
        assertThat(room.room() >= length || writer.claim(room, length)).isTrue();
        room.position += length;
        writer.commit(room, 0);
        assertThat(room.room()).isNotNegative();
    }

    private void answer() {
        var its = new Frame();
        peer.claim(its, 8);
        its.position += 8;
        peer.commit(its, 0);
        assertThat(answers.poll(its)).isTrue();
        answers.release();
    }

    /// Lines from the next record's on that are not as old.
    private int touched() {
        long older = data.get(WORD, writer.written() + ALIGNMENT - HEADER); // of the line before
        int lines = 0;
        for (long at = writer.written() + ALIGNMENT; at < SIZE; at += ALIGNMENT) {
            lines += data.get(WORD, at) == older ? 0 : 1;
        }
        return lines;
    }

    @Test
    void the_room_left_is_never_less_than_none() {
        for (int i = 0; i < MESSAGES; i++) {
            send(8);
            assertThat(reader.poll(lent)).isTrue();
            reader.release();
        }
    }

    @Test
    void it_is_eight_lines_where_nobody_answers_and_only_for_small_records() {
        data.fill(OLD);
        send(100);
        assertThat(touched()).isEqualTo(8);
        data.fill(OLD);
        send(230);
        assertThat(touched()).isZero();
    }

    @Test
    void it_is_a_record_like_the_last_one_where_it_was_answered() {
        writer.answers(answers);
        answer();
        data.fill(OLD);
        send(8);
        assertThat(touched()).isEqualTo(2);
        answer();
        data.fill(OLD);
        send(200);
        assertThat(touched()).isEqualTo(4);
    }

    @Test
    @Tag("slow")
    void what_the_reader_has_not_given_back_stays_as_it_is() {
        Seeded.times(
                20,
                random -> {
                    writer.answers(random.nextBoolean() ? answers : peerless());
                    for (int i = 0; i < MESSAGES; i++) {
                        step(random);
                    }
                });
    }

    private static RingReader peerless() {
        return Ring.reader(Arena.ofAuto().allocate(Ring.bytes(SIZE), DATA), 0, SIZE);
    }

    private void step(RandomGenerator random) {
        if (random.nextInt(3) == 0) {
            answer();
        }
        int length = 1 + random.nextInt(random.nextBoolean() ? 16 : writer.largest());
        while (room.room() < length && !writer.claim(room, length)) {
            reader.poll(lent);
        }
        for (int i = 0; i < length; i++) {
            room.memory.set(BYTE, room.position + i, (byte) random.nextInt());
        }
        long first = memory.get(WORD, READER_POSITION);
        long tail = writer.written();
        var before = copy(first, tail + HEADER + length);
        room.position += length;
        writer.commit(room, 0);
        var after = copy(first, tail + HEADER + length);
        System.arraycopy(after, (int) (tail - first), before, (int) (tail - first), HEADER);
        assertThat(after).isEqualTo(before);
    }

    private byte[] copy(long from, long to) {
        var bytes = new byte[(int) (to - from)];
        for (long at = from; at < to; at++) {
            bytes[(int) (at - from)] = data.get(BYTE, at & SIZE - 1);
        }
        return bytes;
    }
}
