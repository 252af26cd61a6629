package org.ibidem.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.SelectableChannel;
import java.util.ArrayList;
import java.util.List;
import org.ibidem.buffer.Frame;
import org.ibidem.buffer.Ring;
import org.ibidem.buffer.RingPlace;
import org.ibidem.buffer.RingPlan;
import org.ibidem.buffer.RingReader;
import org.ibidem.link.FrameSink;
import org.ibidem.link.LinkBroken;
import org.ibidem.wait.Armed;
import org.ibidem.wait.Waitable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// When a link's ring grows, and when it does not.
class RingGrowthTest {
    private static final int PAGE = 4096;
    private static final RingPlace FIRST = new RingPlace(PAGE, 4 << 10);
    private static final RingPlace SECOND = new RingPlace(2 * PAGE, 16 << 10);
    private static final RingPlace THIRD = new RingPlace(6 * PAGE, 64 << 10);
    private static final RingPlan PLAN = new RingPlan(0, List.of(FIRST, SECOND, THIRD));

    private final MemorySegment memory = Arena.ofAuto().allocate(PAGE + (96 << 10), PAGE);
    private final Memory peer = new Memory();
    private final RingLink link =
            new RingLink(Ring.writer(memory, PLAN), Ring.reader(memory, 22L * PAGE, PAGE), peer);
    private final RingReader reader = Ring.reader(memory, PLAN);
    private final FrameSink sink = link.sink();
    private final Frame room = new Frame();
    private final Frame lent = new Frame();

    /// Gives memory, or does not.
    private static final class Memory implements RingLink.Peer {
        final List<RingPlace> asked = new ArrayList<>();
        boolean there = true;

        @Override
        public boolean reserve(RingPlace place) {
            asked.add(place);
            return there;
        }

        @Override
        public void wake() {}

        @Override
        public int drain() {
            return 0;
        }

        @Override
        public @Nullable SelectableChannel channel() {
            return null;
        }

        @Override
        public void close() {}
    }

    /// Fills the ring, or as much of it as that.
    private int write(int frames) {
        for (int i = 0; i < frames; i++) {
            if (!sink.claim(room, 200)) {
                return i;
            }
            room.position += 200;
            sink.commit(room, 0);
        }
        return frames;
    }

    private int readAll() {
        int count = 0;
        while (reader.poll(lent)) {
            count++;
        }
        reader.release();
        return count;
    }

    @Test
    void a_ring_that_is_full_again_and_again_grows_and_loses_nothing() {
        int written = 0;
        int read = 0;
        for (int i = 0; i < 100; i++) {
            written += write(1_000);
            read += readAll();
        }
        assertThat(read).isEqualTo(written);
        assertThat(peer.asked).containsExactly(SECOND, THIRD);
    }

    @Test
    void a_ring_grows_before_its_writer_sleeps() {
        var sleepy = (Waitable) sink;
        write(1_000);
        assertThat(sleepy.arm()).as("there is room now").isEqualTo(Armed.READY);
        assertThat(peer.asked).containsExactly(SECOND);
        assertThat(write(1_000)).isPositive();
        assertThat(sleepy.arm()).isEqualTo(Armed.READY);
        assertThat(write(1_000)).isPositive();
        assertThat(sleepy.arm()).as("it is as large as it gets").isNotEqualTo(Armed.READY);
        assertThat(peer.asked).containsExactly(SECOND, THIRD);
    }

    @Test
    void a_spinning_writer_whose_reader_does_not_read_gets_no_more_memory() {
        write(1_000);
        for (int i = 0; i < 100_000; i++) {
            assertThat(sink.claim(room, 200)).isFalse();
        }
        assertThat(peer.asked).isEmpty();
    }

    @Test
    void a_ring_that_is_never_full_stays() {
        for (int i = 0; i < 10_000; i++) {
            assertThat(write(1)).isEqualTo(1);
            assertThat(readAll()).isEqualTo(1);
        }
        assertThat(peer.asked).isEmpty();
    }

    @Test
    void a_ring_that_cuts_messages_into_pieces_grows() {
        int pieces = 0;
        while (peer.asked.isEmpty()) {
            assertThat(sink.claim(room, 100)).isTrue();
            room.position = room.limit;
            sink.commit(room, Frame.MORE);
            pieces++;
            readAll();
        }
        assertThat(pieces).isBetween(1_000, 5_000);
        assertThat(room.room()).as("the old place's room is void").isZero();
        assertThat(write(1)).isEqualTo(1);
        assertThat(readAll()).isEqualTo(1);
    }

    @Test
    void parts_that_are_flushed_do_not_make_it_grow() {
        for (int i = 0; i < 20_000; i++) {
            assertThat(sink.claim(room, 100)).isTrue();
            room.position += 8;
            sink.commit(room, Frame.MORE);
            readAll();
        }
        assertThat(peer.asked).isEmpty();
    }

    @Test
    void a_claim_that_only_a_larger_ring_can_grant_makes_it_grow_at_once() {
        assertThat(sink.largest()).isEqualTo(4088);
        assertThat(sink.claim(room, 4088)).isTrue();
        assertThat(peer.asked).containsExactly(SECOND, THIRD);
    }

    @Test
    void where_there_is_no_memory_the_ring_stays_and_is_not_asked_all_the_time() {
        peer.there = false;
        int written = 0;
        int read = 0;
        for (int i = 0; i < 100; i++) {
            written += write(1_000);
            read += readAll();
        }
        assertThat(read).isEqualTo(written);
        assertThat(peer.asked).containsExactly(SECOND);
        for (int i = 0; i < 10; i++) {
            write(1_000);
            assertThat(((Waitable) sink).arm()).isNotEqualTo(Armed.READY);
        }
        assertThat(peer.asked).containsExactly(SECOND);
        assertThatThrownBy(() -> sink.claim(room, 4088))
                .isInstanceOf(LinkBroken.class)
                .hasMessageContaining("no memory for a ring whose frames hold 4088 bytes");
    }
}
