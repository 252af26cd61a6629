package org.ibidem.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.AtomicInteger;
import org.ibidem.buffer.Frame;
import org.ibidem.buffer.Ring;
import org.ibidem.link.LinkBroken;
import org.ibidem.wait.Armed;
import org.ibidem.wait.Resting;
import org.ibidem.wait.Waitable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// One end of a link over rings; the other end's memory and bell are played.
class RingLinkTest {
    private static final int SIZE = Ring.SMALLEST;
    private static final long ONE = Ring.bytes(SIZE);
    private static final int WRITER_WAITS = 512;
    private static final int DATA = 4096;

    /// Polls within which a peer that is gone is found, and of one that rests.
    private static final int MANY = 1 << 16;

    private static final int SELDOM = 1 << 8;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory = arena.allocate(2 * ONE, 4096);
    private final SelectableChannel channel = channel();
    private final Bell bell = new Bell(channel);
    private final RingLink link =
            new RingLink(Ring.writer(memory, 0, SIZE), Ring.reader(memory, ONE, SIZE), bell);
    private final Waitable sink = (Waitable) link.sink();
    private final Waitable source = (Waitable) link.source();
    private final Frame frame = new Frame();

    /// Counts the wake-ups of the other end; has rung as often as it is told.
    private static final class Bell implements RingLink.Peer {
        private final SelectableChannel channel;
        int wakes;
        int rings;
        boolean closed;

        Bell(SelectableChannel channel) {
            this.channel = channel;
        }

        @Override
        public void wake() {
            wakes++;
        }

        @Override
        public int drain() {
            int taken = rings;
            rings = Math.min(0, rings);
            return taken;
        }

        @Override
        public SelectableChannel channel() {
            return channel;
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    private static SelectableChannel channel() {
        try {
            return SocketChannel.open();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @AfterEach
    void close() throws IOException {
        channel.close();
    }

    private void fill() {
        while (link.sink().claim(frame, link.sink().largest())) {
            frame.position = frame.limit;
            link.sink().commit(frame, Frame.MORE);
        }
    }

    private void peerWrites(long header) {
        memory.set(ValueLayout.JAVA_LONG, ONE + DATA, header);
    }

    @Test
    void whoever_takes_a_ring_in_makes_the_other_look() {
        var reader = new AtomicInteger();
        var writer = new AtomicInteger();
        source.bell(reader::incrementAndGet);
        sink.bell(writer::incrementAndGet);
        fill();
        assertThat(sink.arm()).isNotEqualTo(Armed.READY);
        assertThat(source.arm()).isNotEqualTo(Armed.READY);
        bell.rings = 1;
        source.ready();
        source.disarm();
        assertThat(reader).as("it looks anyway").hasValue(0);
        assertThat(writer).hasValue(1);
        assertThat(source.arm()).isNotEqualTo(Armed.READY);
        bell.rings = 1;
        sink.ready();
        sink.disarm();
        assertThat(reader).hasValue(1);
        assertThat(writer).hasValue(1);
        bell.rings = 1;
        sink.disarm();
        assertThat(reader).as("its channel was not ready").hasValue(1);
        bell.rings = 0;
        sink.ready();
        sink.disarm();
        assertThat(writer).as("nothing was rung").hasValue(1);
        source.disarm();
        bell.rings = 1;
        sink.ready();
        sink.disarm();
        assertThat(bell.rings).isZero();
        assertThat(reader).as("nobody sleeps there").hasValue(1);
    }

    /// A VLink's loop sleeps on what a program's thread polls: it was woken by a ring that the poll
    /// has taken in, and has to arm again.
    @Test
    void who_polls_and_takes_a_ring_in_wakes_who_sleeps() {
        var reader = new AtomicInteger();
        var writer = new AtomicInteger();
        source.bell(reader::incrementAndGet);
        sink.bell(writer::incrementAndGet);
        assertThat(source.arm()).isNotEqualTo(Armed.READY);
        bell.rings = 1;
        for (int i = 0; i < MANY && bell.rings > 0; i++) {
            assertThat(link.source().poll(frame)).isFalse();
        }
        assertThat(reader).hasValue(1);
        assertThat(writer).as("nobody sleeps there").hasValue(0);
        fill();
        assertThat(sink.arm()).isNotEqualTo(Armed.READY);
        bell.rings = 1;
        for (int i = 0; i < MANY && bell.rings > 0; i++) {
            assertThat(link.sink().claim(frame, link.sink().largest())).isFalse();
        }
        assertThat(reader).hasValue(2);
        assertThat(writer).hasValue(1);
    }

    private void wokenForNothing(int times) {
        for (int i = 0; i < times; i++) {
            if (source.arm() == Armed.READY) {
                return;
            }
            bell.rings = 1;
            source.ready();
            source.disarm();
        }
    }

    @Test
    void a_peer_that_rings_without_end_breaks_the_link() {
        wokenForNothing(MANY - 1);
        peerWrites((1L << 32) | 8);
        assertThat(link.source().poll(frame)).isTrue();
        link.source().release();
        wokenForNothing(MANY - 1);
        assertThat(link.source().poll(frame)).as("it has sent something meanwhile").isFalse();
        wokenForNothing(3);
        assertThatThrownBy(() -> link.source().poll(frame))
                .isInstanceOf(LinkBroken.class)
                .hasMessage("the peer rings without end, and neither sends nor takes anything");
    }

    @Test
    void a_writer_wakes_the_reader_before_it_sleeps_itself() {
        memory.set(ValueLayout.JAVA_INT, 256, 1);
        fill();
        assertThat(bell.wakes).as("the message goes on").isZero();
        assertThat(sink.arm()).isNotEqualTo(Armed.READY);
        assertThat(bell.wakes).isEqualTo(1);
    }

    @Test
    void a_reader_wakes_the_writer_before_it_sleeps_itself() {
        peerWrites((1L << 32) | 8);
        assertThat(link.source().poll(frame)).isTrue();
        memory.set(ValueLayout.JAVA_INT, ONE + WRITER_WAITS, 1);
        assertThat(source.arm()).isNotEqualTo(Armed.READY);
        assertThat(bell.wakes).isEqualTo(1);
    }

    @Test
    void a_peer_that_is_gone_keeps_both_awake_and_what_it_wrote_is_read() {
        peerWrites((1L << 32) | 8);
        bell.rings = -1;
        source.ready();
        source.disarm();
        assertThat(link.source().poll(frame)).isTrue();
        assertThat(source.arm()).isEqualTo(Armed.READY);
        assertThat(sink.arm()).isEqualTo(Armed.READY);
        assertThatThrownBy(() -> link.source().poll(frame))
                .isInstanceOf(LinkBroken.class)
                .hasMessage("the peer's end of the connection is gone");
        assertThatThrownBy(() -> link.sink().claim(frame, 8)).isInstanceOf(LinkBroken.class);
    }

    /// It never sleeps, and no selector tells it anything.
    @Test
    void a_reader_that_only_spins_finds_its_peer_gone() {
        pollOften(MANY);
        bell.rings = -1;
        assertThatThrownBy(() -> pollOften(MANY))
                .isInstanceOf(LinkBroken.class)
                .hasMessage("the peer's end of the connection is gone");
    }

    @Test
    void so_does_one_that_rests_and_is_looked_at_now_and_then() {
        assertThat(((Resting) source).rest()).isTrue();
        bell.rings = -1;
        assertThatThrownBy(() -> pollOften(MANY / SELDOM)).isInstanceOf(LinkBroken.class);
    }

    @Test
    void nor_does_a_writer_that_only_spins_wait_for_ever() {
        fill();
        bell.rings = -1;
        assertThatThrownBy(
                        () -> {
                            for (int claims = 0; claims < MANY; claims++) {
                                link.sink().claim(frame, link.sink().largest());
                            }
                        })
                .isInstanceOf(LinkBroken.class);
    }

    private void pollOften(int times) {
        for (int polls = 0; polls < times; polls++) {
            assertThat(link.source().poll(frame)).isFalse();
        }
    }

    @Test
    void a_record_that_cannot_be_ends_the_link() {
        peerWrites((1L << 32) | 0xFFFFFF);
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> link.source().poll(frame))
                    .isInstanceOf(LinkBroken.class)
                    .hasMessageStartingWith(
                            "the peer broke the ring's rules: a record of 16777215");
        }
        assertThat(bell.closed).isTrue();
    }

    /// Found while falling asleep, it is told to whoever polls next, not to the waiter.
    @Test
    void a_reader_position_that_cannot_be_is_told_by_the_next_claim() {
        fill();
        memory.set(ValueLayout.JAVA_LONG, 0, 1L << 40);
        assertThat(sink.arm()).isEqualTo(Armed.READY);
        sink.disarm();
        assertThatThrownBy(() -> link.sink().claim(frame, 8))
                .isInstanceOf(LinkBroken.class)
                .hasMessageContaining("the peer broke the ring's rules: the reader says it is at");
        assertThat(bell.closed).isTrue();
    }

    /// A driver's memory may go with the link; who uses the link then learns that it is closed.
    @Test
    void memory_that_went_with_a_closed_link_is_no_error_of_its_own() {
        fill();
        link.close();
        arena.close();
        assertThat(source.arm()).isEqualTo(Armed.READY);
        source.disarm();
        assertThat(sink.arm()).isEqualTo(Armed.READY);
        sink.disarm();
        assertThatThrownBy(() -> link.sink().push())
                .isInstanceOf(LinkBroken.class)
                .hasMessage("the link was closed at this end");
        assertThatThrownBy(() -> link.source().poll(frame))
                .isInstanceOf(LinkBroken.class)
                .hasMessage("the link was closed at this end");
    }
}
