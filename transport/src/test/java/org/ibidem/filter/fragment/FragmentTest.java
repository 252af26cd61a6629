package org.ibidem.filter.fragment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.ibidem.buffer.BufferPool;
import org.ibidem.buffer.Frame;
import org.ibidem.link.FrameBox;
import org.ibidem.link.FrameLink;
import org.ibidem.link.FrameSink;
import org.ibidem.link.NoLower;
import org.ibidem.link.Terms;
import org.ibidem.stack.FramesOverStream;
import org.junit.jupiter.api.Test;

class FragmentTest {
    private static final Terms TERMS = FramesOverStream.terms(new BufferPool());

    private final FrameBox below = new FrameBox();
    private final FragmentFilter filter = new FragmentFilter();
    private final FrameLink link = filter.over(below, 0, new Fragment(200), new NoLower(TERMS));
    private final FrameSink sink = link.sink();
    private final Frame room = new Frame();

    @Test
    void no_room_is_larger_than_the_size() {
        assertThat(sink.largest()).isEqualTo(200);
        assertThat(sink.claim(room, 64)).isTrue();
        assertThat(room.room()).isEqualTo(200);
        room.position += 200;
        sink.commit(room, Frame.MORE);
        assertThat(room.room()).as("room left by the commit").isEqualTo(200);
    }

    @Test
    void smaller_room_stays_as_it_is() {
        below.room = 70;
        assertThat(sink.claim(room, 64)).isTrue();
        assertThat(room.room()).isEqualTo(70);
    }

    @Test
    void busy_is_passed_up() {
        below.busy = true;
        assertThat(sink.claim(room, 64)).isFalse();
        assertThat(sink.push()).isFalse();
    }

    @Test
    void a_claim_above_the_size_is_refused() {
        assertThatThrownBy(() -> sink.claim(room, 201))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a claim of 201 bytes over fragment(size=200)");
    }

    @Test
    void has_nothing_to_do_where_frames_are_small_enough() {
        int largest = below.sink().largest();
        assertThat(filter.idle(below, new Fragment(largest), TERMS)).isTrue();
        assertThat(filter.idle(below, new Fragment(largest - 1), TERMS)).isFalse();
    }

    @Test
    void touches_nothing_on_the_way_in() {
        below.arrive(new byte[] {1}, Frame.MORE);
        assertThat(link.source().poll(room)).isTrue();
        assertThat(room.room()).isEqualTo(1);
        assertThat(room.flags).isEqualTo(Frame.MORE);
    }
}
