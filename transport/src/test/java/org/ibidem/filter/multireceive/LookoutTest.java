package org.ibidem.filter.multireceive;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.ibidem.buffer.Frame;
import org.ibidem.buffer.ReadyBit;
import org.ibidem.link.FrameBox;
import org.ibidem.link.FrameSource;
import org.ibidem.link.LinkBroken;
import org.ibidem.wait.Resting;
import org.junit.jupiter.api.Test;

/// Who of many is looked at.
class LookoutTest {
    private static final int MANY = 130; // in three words
    private static final int LONG = 2_000;

    private final MemorySegment memory = Arena.ofAuto().allocate(64);
    private final List<One> ones = new ArrayList<>();
    private final List<Integer> lost = new ArrayList<>();
    private final Frame lent = new Frame();
    private final FrameSource source;

    LookoutTest() {
        for (int i = 0; i < MANY; i++) {
            ones.add(new One(new ReadyBit(memory, i / 64 * 8L, i % 64)));
        }
        source = new MultireceiveFilter().over(ones, new Multireceive(), (i, _) -> lost.add(i));
    }

    private static final class One implements FrameSource, Resting {
        final FrameBox box = new FrameBox();
        final FrameSource source = box.source();
        final ReadyBit bit;
        int looks;
        int glances;
        boolean rests;
        boolean able = true;
        boolean broken;

        One(ReadyBit bit) {
            this.bit = bit;
        }

        @Override
        public boolean poll(Frame frame) {
            looks++;
            if (broken) {
                throw new LinkBroken("broken");
            }
            return source.poll(frame);
        }

        @Override
        public boolean glance(Frame frame) {
            glances++;
            return poll(frame);
        }

        @Override
        public void release() {}

        @Override
        public ReadyBit bit() {
            return bit;
        }

        @Override
        public boolean rest() {
            rests = able;
            return rests;
        }

        @Override
        public void rouse() {
            rests = false;
        }

        void arrive(int value) {
            box.arrive(new byte[] {(byte) value}, 0);
            if (rests) {
                bit.set();
            }
        }
    }

    private int read() {
        return source.poll(lent) ? lent.memory.get(ValueLayout.JAVA_BYTE, lent.position) : -1;
    }

    private void nothingFor(int polls) {
        for (int i = 0; i < polls; i++) {
            assertThat(read()).isEqualTo(-1);
        }
    }

    private int looks() {
        return ones.stream().mapToInt(one -> one.looks).sum();
    }

    @Test
    void the_idle_ones_rest_and_cost_almost_no_looks() {
        nothingFor(LONG);
        assertThat(ones).allMatch(one -> one.rests);
        int before = looks();
        for (int i = 0; i < LONG; i++) {
            ones.get(77).arrive(i % 100);
            assertThat(read()).isEqualTo(i % 100);
        }
        assertThat(looks() - before).isLessThan(LONG + LONG / 4);
    }

    private int glanceOrRead() {
        return source.glance(lent) ? lent.memory.get(ValueLayout.JAVA_BYTE, lent.position) : read();
    }

    @Test
    void while_all_others_rest_one_is_read_as_if_it_were_alone() {
        nothingFor(LONG);
        ones.get(77).arrive(5);
        assertThat(source.glance(lent)).as("all rest").isFalse();
        assertThat(read()).isEqualTo(5);
        for (int i = 0; i < LONG; i++) {
            ones.get(77).arrive(i % 100);
            assertThat(glanceOrRead()).isEqualTo(i % 100);
        }
        assertThat(ones.get(77).rests).isFalse();
        assertThat(ones.get(77).glances).isGreaterThan(LONG * 3 / 4);
        assertThat(ones.get(76).glances).isZero();
    }

    @Test
    void one_that_rests_has_its_turn_under_the_flood_of_another() {
        nothingFor(LONG);
        ones.get(77).arrive(1);
        assertThat(read()).isEqualTo(1);
        for (int i = 0; i < 2 * MANY; i++) {
            ones.get(77).arrive(1);
        }
        ones.get(99).arrive(2);
        int before = 0;
        while (glanceOrRead() != 2) {
            before++;
        }
        assertThat(before).isLessThanOrEqualTo(16);
        ones.get(77).arrive(1);
        assertThat(source.glance(lent)).as("two are awake").isFalse();
    }

    @Test
    void what_is_left_alone_of_those_that_are_gone_is_read_so_too() {
        ones.get(42).broken = true;
        nothingFor(LONG);
        assertThat(lost).containsExactly(42);
        ones.get(3).arrive(1);
        assertThat(read()).isEqualTo(1);
        ones.get(3).arrive(2);
        ones.get(3).arrive(3);
        assertThat(source.glance(lent)).isTrue();
        assertThat(source.glance(lent)).isTrue();
    }

    @Test
    void each_is_found_at_once_when_its_bit_is_set() {
        for (int i = 0; i < MANY; i++) {
            nothingFor(LONG / 4);
            ones.get(i).arrive(i % 100);
            assertThat(read()).as("what %s got", i).isEqualTo(i % 100);
            assertThat(ones.get(i).rests).isFalse();
        }
    }

    @Test
    void one_whose_bit_was_missed_is_found_in_the_end() {
        nothingFor(LONG);
        ones.get(99).box.arrive(new byte[] {5}, 0);
        int polls = 0;
        while (read() != 5) {
            polls++;
        }
        assertThat(polls).isLessThan(8 * MANY + 8);
        assertThat(ones.get(99).rests).isFalse();
        ones.get(99).arrive(6);
        assertThat(read()).isEqualTo(6);
    }

    @Test
    void a_bit_for_nothing_harms_nobody() {
        nothingFor(LONG);
        memory.fill((byte) -1);
        nothingFor(1);
        nothingFor(LONG);
        ones.getFirst().arrive(1);
        ones.getLast().arrive(2);
        assertThat(List.of(read(), read())).containsExactlyInAnyOrder(1, 2);
    }

    @Test
    void one_that_cannot_rest_is_looked_at_each_time() {
        ones.get(3).able = false;
        nothingFor(LONG);
        int before = ones.get(3).looks;
        nothingFor(100);
        assertThat(ones.get(3).looks - before).isEqualTo(100);
    }

    @Test
    void one_that_breaks_while_it_rests_is_told() {
        nothingFor(LONG);
        ones.get(42).broken = true;
        ones.get(42).bit.set();
        nothingFor(1);
        assertThat(lost).containsExactly(42);
        nothingFor(LONG);
        assertThat(lost).containsExactly(42);
    }
}
