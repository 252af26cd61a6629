package org.ibidem.filter.multicast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.ibidem.buffer.Frame;
import org.ibidem.link.FrameBox;
import org.ibidem.link.FrameSink;
import org.ibidem.link.LinkBroken;
import org.junit.jupiter.api.Test;

class MulticastTest {
    private final List<FrameBox> boxes = List.of(new FrameBox(), new FrameBox(), new FrameBox());
    private final List<Breakable> lowers = new ArrayList<>();
    private final List<Integer> lost = new ArrayList<>();
    private final Frame room = new Frame();
    private final Frame lent = new Frame();
    private final FrameSink sink;

    MulticastTest() {
        boxes.forEach(box -> lowers.add(new Breakable(box.sink())));
        sink = new MulticastFilter().over(lowers, new Multicast(), (i, _) -> lost.add(i));
    }

    /// Breaks on demand.
    private static final class Breakable implements FrameSink {
        private final FrameSink sink;
        boolean broken;

        /// Its memory was cut short: whatever touches it says so.
        boolean cut;

        /// Larger claims are refused.
        int most = Integer.MAX_VALUE;

        int claims;

        Breakable(FrameSink sink) {
            this.sink = sink;
        }

        private void check() {
            if (broken) {
                throw new LinkBroken("broken");
            }
            if (cut) {
                throw new LinkBroken("the shared memory was cut short");
            }
        }

        @Override
        public boolean claim(Frame frame, int atLeast) {
            check();
            claims++;
            return atLeast <= most && sink.claim(frame, atLeast);
        }

        @Override
        public boolean commit(Frame frame, int flags) {
            check();
            return sink.commit(frame, flags);
        }

        @Override
        public boolean push() {
            broken |= cut; // looks at its page
            check();
            return sink.push();
        }

        @Override
        public int largest() {
            return sink.largest();
        }
    }

    private boolean send(int value) {
        if (!sink.claim(room, 8)) {
            return false;
        }
        put(value);
        sink.commit(room, 0);
        return true;
    }

    private void put(int value) {
        room.memory.set(ValueLayout.JAVA_LONG_UNALIGNED, room.position, value);
        room.position += 8;
    }

    private long read(int box) {
        assertThat(boxes.get(box).source().poll(lent)).isTrue();
        return lent.memory.get(ValueLayout.JAVA_LONG_UNALIGNED, lent.position);
    }

    private boolean nothingFor(int box) {
        return !boxes.get(box).source().poll(lent);
    }

    /// A push may have given the memory back by then.
    @Test
    void what_was_granted_before_a_claim_that_is_refused_is_claimed_anew() {
        var first = lowers.getFirst();
        assertThat(sink.claim(room, 8)).isTrue();
        first.most = 8;
        assertThat(sink.claim(room, (int) room.room() + 1)).isFalse();
        first.claims = 0;
        assertThat(send(7)).isTrue();
        assertThat(first.claims).isEqualTo(1);
        assertThat(read(0)).isEqualTo(7);
    }

    @Test
    void one_whose_memory_is_cut_short_before_there_is_room_or_under_a_push_is_left_out() {
        lowers.get(1).cut = true;
        assertThat(send(7)).isTrue();
        assertThat(lost).containsExactly(1);
        lowers.get(0).cut = true;
        assertThat(sink.push()).isTrue();
        assertThat(lost).containsExactly(1, 0);
        assertThat(read(2)).isEqualTo(7);
    }

    @Test
    void one_whose_memory_is_cut_short_under_a_copy_costs_the_others_nothing() {
        assertThat(sink.claim(room, 8)).isTrue();
        lowers.get(1).cut = true;
        put(7);
        sink.commit(room, 0);
        assertThat(lost).containsExactly(1);
        assertThat(read(0)).isEqualTo(7);
        assertThat(read(2)).isEqualTo(7);
        lowers.get(2).cut = true;
        room.empty();
        assertThat(send(8)).isTrue();
        assertThat(lost).containsExactly(1, 2);
        assertThat(read(0)).isEqualTo(8);
    }

    @Test
    void every_lower_gets_the_frame() {
        assertThat(send(1)).isTrue();
        assertThat(send(2)).isTrue();
        for (int i = 0; i < 3; i++) {
            assertThat(read(i)).isEqualTo(1);
            assertThat(read(i)).isEqualTo(2);
        }
    }

    @Test
    void no_more_is_granted_than_fits_into_all() {
        boxes.get(1).room = 100;
        assertThat(sink.claim(room, 8)).isTrue();
        assertThat(room.room()).isEqualTo(100);
        assertThat(sink.largest()).isEqualTo(boxes.getFirst().sink().largest());
    }

    @Test
    void one_that_is_busy_keeps_all_waiting_and_none_gets_it_twice() {
        boxes.get(1).busy = true;
        assertThat(send(1)).isFalse();
        assertThat(send(1)).isFalse();
        assertThat(nothingFor(0)).isTrue();
        boxes.get(1).busy = false;
        assertThat(send(1)).isTrue();
        for (int i = 0; i < 3; i++) {
            assertThat(read(i)).isEqualTo(1);
            assertThat(nothingFor(i)).isTrue();
        }
    }

    @Test
    void one_that_breaks_is_told_and_the_others_get_the_frame_being_written() {
        assertThat(sink.claim(room, 8)).isTrue();
        put(7);
        lowers.getFirst().broken = true; // the one whose memory is filled
        sink.commit(room, Frame.MORE);
        assertThat(lost).containsExactly(0);
        assertThat(read(1)).isEqualTo(7);
        assertThat(read(2)).isEqualTo(7);
        lowers.get(2).broken = true;
        assertThat(send(8)).isTrue();
        assertThat(lost).containsExactly(0, 2);
        assertThat(read(1)).isEqualTo(8);
    }

    @Test
    void what_was_written_when_one_broke_under_a_push_reaches_the_others() {
        assertThat(sink.claim(room, 16)).isTrue();
        put(7);
        lowers.getFirst().broken = true; // the one whose memory is filled
        assertThat(sink.push()).isTrue();
        assertThat(lost).containsExactly(0);
        put(8);
        sink.commit(room, 0);
        for (int i = 1; i < 3; i++) {
            assertThat(read(i)).isEqualTo(7);
            assertThat(lent.room()).isEqualTo(16);
            assertThat(lent.memory.get(ValueLayout.JAVA_LONG_UNALIGNED, lent.position + 8))
                    .isEqualTo(8);
        }
        assertThat(send(9)).isTrue();
        assertThat(read(1)).isEqualTo(9);
    }

    @Test
    void when_all_are_broken_it_is() {
        lowers.forEach(lower -> lower.broken = true);
        assertThatThrownBy(() -> send(1))
                .isInstanceOf(LinkBroken.class)
                .hasMessageContaining("all 3 receivers are lost");
        assertThat(lost).containsExactly(0, 1, 2);
        assertThatThrownBy(sink::push).isInstanceOf(LinkBroken.class);
    }
}
