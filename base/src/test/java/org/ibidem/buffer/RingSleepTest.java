package org.ibidem.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

/// Who must wake whom, step by step; the races are for the model and the stress tests.
class RingSleepTest {
    private static final int SIZE = Ring.SMALLEST;

    private final MemorySegment memory = Arena.ofAuto().allocate(Ring.bytes(SIZE), RingLayout.DATA);
    private final RingWriter writer = Ring.writer(memory, 0, SIZE);
    private final RingReader reader = Ring.reader(memory, 0, SIZE);
    private final Frame room = new Frame();
    private final Frame lent = new Frame();

    private boolean send(int length) {
        boolean granted = writer.claim(room, length);
        if (granted) {
            room.position += length;
            writer.commit(room, 0);
        }
        return granted;
    }

    private int flag() {
        return memory.get(ValueLayout.JAVA_INT, RingLayout.READER_SLEEPS);
    }

    private void fill() {
        while (send(writer.largest())) {
            assertThat(writer.mustWakeReader()).isFalse();
        }
    }

    @Test
    void nobody_is_woken_who_does_not_sleep() {
        assertThat(send(8)).isTrue();
        assertThat(writer.mustWakeReader()).isFalse();
        assertThat(reader.poll(lent)).isTrue();
        reader.release();
        assertThat(reader.mustWakeWriter()).isFalse();
    }

    @Test
    void a_sleeping_reader_is_woken_once() {
        assertThat(reader.sleep()).isTrue();
        assertThat(send(8)).isTrue();
        assertThat(writer.mustWakeReader()).isTrue();
        assertThat(send(8)).isTrue();
        assertThat(writer.mustWakeReader()).isFalse();
        reader.awake();
        assertThat(reader.poll(lent)).isTrue();
    }

    @Test
    void a_reader_that_wakes_up_by_itself_knows_whether_it_was_rung() {
        assertThat(reader.sleep()).isTrue();
        assertThat(reader.awake()).as("nobody rang").isFalse();
        assertThat(reader.sleep()).isTrue();
        assertThat(send(8)).isTrue();
        assertThat(writer.mustWakeReader()).isTrue();
        assertThat(reader.awake()).as("somebody rang").isTrue();
        assertThat(reader.awake()).as("told once").isFalse();
        assertThat(reader.sleep()).as("there is a frame").isFalse();
        assertThat(writer.mustWakeReader()).isFalse();
        assertThat(reader.awake()).isFalse();
    }

    private void credits(int times) {
        for (int i = 0; i < times; i++) {
            assertThat(send(8)).isTrue();
            assertThat(reader.poll(lent)).isTrue();
            reader.release();
            assertThat(reader.mustWakeWriter()).isFalse();
        }
    }

    /// So that who sleeps now and then need not look again a moment later.
    @Test
    void a_reader_asks_for_fences_from_its_first_sleep_on_until_it_sleeps_no_more() {
        assertThat(flag()).isZero();
        assertThat(reader.sleep()).isTrue();
        assertThat(flag()).isEqualTo(RingLayout.SLEEPS + RingLayout.FENCED);
        assertThat(send(8)).isTrue();
        assertThat(writer.mustWakeReader()).isTrue();
        assertThat(flag()).isEqualTo(RingLayout.FENCED);
        reader.awake();
        assertThat(flag()).isEqualTo(RingLayout.FENCED);
        assertThat(reader.poll(lent)).isTrue();
        credits(4094);
        assertThat(reader.isKnownToSleep()).isTrue();
        assertThat(reader.sleep()).isTrue();
        credits(1);
        assertThat(flag())
                .as("not while it sleeps")
                .isEqualTo(RingLayout.SLEEPS + RingLayout.FENCED);
        reader.awake();
        credits(4095);
        assertThat(flag()).isEqualTo(RingLayout.FENCED);
        credits(1);
        assertThat(flag()).isZero();
        assertThat(reader.isKnownToSleep()).isFalse();
    }

    @Test
    void a_reader_does_not_fall_asleep_over_a_frame() {
        assertThat(send(8)).isTrue();
        assertThat(reader.sleep()).isFalse();
        assertThat(writer.mustWakeReader()).as("it is awake").isFalse();
        assertThat(reader.poll(lent)).isTrue();
    }

    @Test
    void a_reader_does_not_fall_asleep_over_filler() {
        for (int i = 0; i < SIZE / 64 - 2; i++) {
            assertThat(send(0)).isTrue();
            assertThat(reader.poll(lent)).isTrue();
        }
        reader.release();
        assertThat(send(writer.largest())).as("after filler").isTrue();
        assertThat(reader.sleep()).isFalse();
        assertThat(reader.poll(lent)).isTrue();
        assertThat(lent.room()).isEqualTo(writer.largest());
    }

    @Test
    void a_reader_that_woke_by_itself_is_not_woken() {
        assertThat(reader.sleep()).isTrue();
        reader.awake();
        assertThat(send(8)).isTrue();
        assertThat(writer.mustWakeReader()).isFalse();
    }

    @Test
    void a_sleeping_writer_is_woken_once_by_credit_and_by_nothing_else() {
        fill();
        assertThat(writer.sleep()).isTrue();
        assertThat(reader.mustWakeWriter()).as("no credit was given").isFalse();
        assertThat(reader.poll(lent)).isTrue();
        assertThat(reader.mustWakeWriter()).as("nothing was given back").isFalse();
        assertThat(reader.poll(lent)).isTrue();
        assertThat(reader.mustWakeWriter()).isTrue();
        assertThat(reader.mustWakeWriter()).isFalse();
        writer.awake();
        assertThat(send(writer.largest())).isTrue();
    }

    @Test
    void a_writer_does_not_fall_asleep_when_there_is_room() {
        fill();
        assertThat(reader.poll(lent)).isTrue();
        reader.release();
        assertThat(writer.sleep()).isFalse();
        assertThat(reader.mustWakeWriter()).as("it is awake").isFalse();
        assertThat(send(writer.largest())).isTrue();
    }

    /// 256 bytes are wanted and 256 are free, but 192 of them are at the ring's end.
    @Test
    void a_writer_sleeps_on_while_what_is_free_lies_on_both_sides_of_the_end() {
        assertThat(send(0)).isTrue();
        fill();
        assertThat(reader.poll(lent)).isTrue();
        reader.release();
        assertThat(writer.claim(room, writer.largest())).isFalse();
        assertThat(writer.sleep()).isTrue();
        assertThat(reader.poll(lent)).isTrue();
        reader.release();
        assertThat(reader.mustWakeWriter()).isTrue();
        writer.awake();
        assertThat(send(writer.largest())).isTrue();
    }

    @Test
    void a_reader_that_falls_asleep_gives_everything_back_and_wakes_the_writer() {
        fill();
        assertThat(writer.sleep()).isTrue();
        for (int i = 0; i < 15; i++) {
            assertThat(reader.poll(lent)).isTrue();
        }
        reader.mustWakeWriter();
        writer.awake();
        assertThat(writer.sleep()).isFalse();
        fill();
        assertThat(writer.sleep()).isTrue();
        while (reader.poll(lent)) {
            // the last one is still lent when the loop ends
        }
        assertThat(reader.sleep()).isTrue();
        assertThat(reader.mustWakeWriter()).isTrue();
    }

    @Test
    void the_bit_of_a_resting_reader_is_set_once() {
        var word = Arena.ofAuto().allocate(8);
        var bit = new ReadyBit(word, 0, 63);
        writer.announce(bit);
        assertThat(send(8)).isTrue();
        assertThat(writer.mustWakeReader()).isFalse();
        assertThat(bit.take(-1)).as("it is awake").isZero();
        assertThat(reader.rest()).as("over a frame").isFalse();
        assertThat(reader.poll(lent)).isTrue();
        assertThat(reader.rest()).isTrue();
        for (int i = 0; i < 2; i++) {
            assertThat(send(8)).isTrue();
            assertThat(writer.mustWakeReader()).as("it does not sleep").isFalse();
            assertThat(bit.take(-1)).isEqualTo(i == 0 ? Long.MIN_VALUE : 0);
        }
        reader.rouse();
        assertThat(reader.poll(lent)).isTrue();
        assertThat(reader.poll(lent)).isTrue();
        assertThat(send(8)).isTrue();
        assertThat(writer.mustWakeReader()).isFalse();
        assertThat(bit.take(-1)).isZero();
    }

    @Test
    void a_resting_reader_that_sleeps_is_woken_and_its_bit_is_set() {
        var word = Arena.ofAuto().allocate(8);
        var bit = new ReadyBit(word, 0, 0);
        writer.announce(bit);
        assertThat(reader.rest() && reader.sleep() && reader.sleepsOn()).isTrue();
        reader.awake();
        assertThat(reader.sleepsOn()).isFalse();
        assertThat(reader.sleep()).isTrue();
        assertThat(send(8)).isTrue();
        assertThat(writer.mustWakeReader()).isTrue();
        assertThat(bit.take(-1)).isEqualTo(1);
        reader.awake();
        assertThat(send(8)).isTrue();
        assertThat(writer.mustWakeReader()).as("it only rests").isFalse();
        assertThat(bit.take(-1)).isEqualTo(1);
    }
}
