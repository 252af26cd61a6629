package org.ibidem.lab.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.stream.Stream;
import org.ibidem.buffer.Frame;
import org.ibidem.lab.seam.shrink.ShrinkFilter.Shrink;
import org.ibidem.link.FrameLink;
import org.ibidem.link.LinkBroken;
import org.ibidem.stack.Stack;
import org.ibidem.wait.Waitable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/// What every link promises, asked of every network driver found and of every faithful filter over
/// each of them.
@ParameterizedClass(name = "{0}")
@MethodSource("stacks")
@Execution(ExecutionMode.CONCURRENT)
class LinkContractTest {
    /// Bytes after which any link must have said BUSY when nobody reads.
    private static final long BOUND = 64 << 20;

    /// Frames each way of the test that sleeps.
    private static final int SLEPT = 2_000;

    @Parameter String text;

    private Pair pair;
    private FrameLink one;
    private FrameLink other;

    static Stream<String> stacks() {
        return Stream.concat(Pair.faithful(), Pair.whole());
    }

    @BeforeEach
    void open() throws Exception {
        pair = Pair.open(text);
        one = pair.one();
        other = pair.other();
    }

    @AfterEach
    void close() {
        pair.close();
    }

    /// So that whoever relies on what a stack says may rely on its links.
    @Test
    void says_what_it_delivers_as_its_stack_does_or_better() {
        var said = Stack.parse(text, Pair.CATALOG).delivery();
        assertThat(said.covers(one.delivery())).as("%s, not: %s", said, one.delivery()).isTrue();
        assertThat(other.delivery()).as("at the other end").isEqualTo(one.delivery());
    }

    @Test
    void delivers_frames_whole_and_in_order() throws Exception {
        var frames = new Numbered(1, largest(one));
        var writer = Pair.start(() -> written(frames, one, 3_000));
        frames.read(other.source(), 0, 3_000);
        Pair.get(writer);
    }

    @Test
    void carries_both_directions_at_once() throws Exception {
        var there = new Numbered(2, largest(one));
        var back = new Numbered(3, largest(other));
        var writer = Pair.start(() -> written(there, one, 1_000));
        var backWriter = Pair.start(() -> written(back, other, 1_000));
        var backReader =
                Pair.start(() -> {
                    back.read(one.source(), 0, 1_000);
                    return true;
                });
        there.read(other.source(), 0, 1_000);
        Pair.get(writer);
        Pair.get(backWriter);
        Pair.get(backReader);
    }

    @Test
    void carries_messages_longer_than_all_memory_in_between() throws Exception {
        int largest = largest(one);
        long frames = Math.min(4_000, (16 << 20) / largest + 1);
        var writer =
                Pair.start(() -> {
                    var room = new Frame();
                    for (long n = 0; n < frames; n++) {
                        send(one, room, largest, n, n < frames - 1 ? Frame.MORE : 0);
                    }
                    Waiting.looking(one.sink()::push);
                    return true;
                });
        var lent = new Frame();
        for (long n = 0; n < frames; n++) {
            Waiting.looking(() -> other.source().poll(lent));
            assertThat(lent.room()).isEqualTo(largest);
            assertThat(lent.memory.get(ValueLayout.JAVA_LONG_UNALIGNED, lent.position))
                    .isEqualTo(n);
            assertThat(lent.flags).isEqualTo(n < frames - 1 ? Frame.MORE : 0);
        }
        Pair.get(writer);
    }

    @Test
    void a_writer_nobody_reads_from_is_held_back_and_goes_on_when_somebody_does() throws Exception {
        var frames = new Numbered(4, largest(one));
        var room = new Frame();
        int sent = 0;
        long bytes = 0;
        while (frames.claimed(one.sink(), room, sent)) {
            frames.fill(room, sent);
            one.sink().commit(room, frames.flags(sent));
            bytes += frames.size(sent++);
            assertThat(bytes).as("bytes taken while nobody read").isLessThan(bound());
        } // not for good, perhaps: what is full may have bytes under way, and rate has pauses
        int before = sent;
        var writer =
                Pair.start(() -> {
                    frames.write(one.sink(), before, before + 500);
                    return true;
                });
        frames.read(other.source(), 0, before + 500);
        Pair.get(writer);
    }

    @Test
    void what_was_drained_arrives_though_its_node_ends() throws Exception {
        var frames = new Numbered(15, Math.min(largest(one), 4_000));
        frames.write(one.sink(), 0, 20);
        assertThat(one.drain(Duration.ofSeconds(30))).isTrue();
        pair.lowers().getFirst().close();
        frames.read(other.source(), 0, 20);
    }

    /// Until the next poll, whatever the writer does meanwhile with the memory that is free.
    @Test
    void what_was_lent_stays_untouched_while_the_writer_goes_on() throws Exception {
        var frames = new Numbered(14, largest(one));
        frames.write(one.sink(), 0, 1);
        var lent = new Frame();
        Waiting.looking(() -> other.source().poll(lent));
        var room = new Frame();
        int sent = 1;
        long bytes = 0;
        while (bytes < BOUND && frames.claimed(one.sink(), room, sent)) {
            frames.fill(room, sent);
            one.sink().commit(room, frames.flags(sent));
            bytes += frames.size(sent++);
        }
        frames.check(lent, 0);
        int before = sent;
        var writer =
                Pair.start(() -> {
                    frames.write(one.sink(), before, before + 100);
                    return true;
                });
        frames.check(lent, 0);
        frames.read(other.source(), 1, before + 100);
        Pair.get(writer);
    }

    @Test
    void grants_its_largest_frame() {
        var room = new Frame();
        int largest = one.sink().largest();
        assertThat(one.sink().claim(room, largest)).isTrue();
        assertThat(room.room()).isGreaterThanOrEqualTo(largest);
        room.position += largest;
        one.sink().commit(room, 0);
        var lent = new Frame();
        Waiting.looking(() -> {
            one.sink().push();
            return other.source().poll(lent);
        });
        assertThat(lent.room()).isEqualTo(largest);
    }

    @Test
    void takes_frames_as_large_as_it_says_at_the_time() throws Exception {
        int count = 30;
        var sizes = new int[count];
        var writer =
                Pair.start(() -> {
                    var room = new Frame();
                    for (int n = 0; n < count; n++) {
                        sizes[n] = one.sink().largest();
                        send(one, room, sizes[n], n, 0);
                    }
                    Waiting.looking(one.sink()::push);
                    return true;
                });
        var got = new int[count];
        var lent = new Frame();
        for (int n = 0; n < count; n++) {
            Waiting.looking(() -> other.source().poll(lent));
            assertThat(lent.memory.get(ValueLayout.JAVA_LONG_UNALIGNED, lent.position))
                    .isEqualTo(n);
            got[n] = (int) lent.room();
        }
        Pair.get(writer);
        assertThat(got).isEqualTo(sizes);
    }

    @Test
    void carries_empty_frames_and_their_flags() {
        var room = new Frame();
        send(one, room, 0, 0, Frame.MORE);
        send(one, room, 0, 0, Frame.END);
        send(one, room, 0, 0, Frame.ABANDONED);
        Waiting.looking(one.sink()::push);
        for (int flag : new int[] {Frame.MORE, Frame.END, Frame.ABANDONED}) {
            var lent = new Frame();
            Waiting.looking(() -> other.source().poll(lent));
            assertThat(lent.room()).isZero();
            assertThat(lent.flags).isEqualTo(flag);
        }
    }

    @Test
    void a_claim_that_is_given_up_leaves_no_trace() {
        var frames = new Numbered(5, largest(one));
        var room = new Frame();
        for (int n = 0; n < 500; n++) {
            Waiting.looking(() -> one.sink().claim(room, one.sink().largest()));
            room.memory.asSlice(room.position, one.sink().largest()).fill((byte) -1);
            room.empty();
            int number = n;
            Waiting.looking(() -> one.sink().claim(room, frames.size(number)));
            frames.fill(room, n);
            one.sink().commit(room, frames.flags(n));
            Waiting.looking(one.sink()::push);
            frames.read(other.source(), n, n + 1);
        }
    }

    @Test
    void frames_held_back_arrive_after_the_push() {
        var frames = new Numbered(6, Math.min(300, largest(one)));
        var room = new Frame();
        for (int n = 0; n < 10; n++) {
            assertThat(one.sink().claim(room, frames.size(n))).isTrue();
            frames.fill(room, n);
            one.sink().commit(room, frames.flags(n) | Frame.HOLD);
        }
        Waiting.looking(one.sink()::push);
        frames.read(other.source(), 0, 10);
    }

    @Test
    void a_push_leaves_alone_the_room_that_is_being_filled() {
        var frames = new Numbered(13, Math.min(300, largest(one)));
        var room = new Frame();
        for (int n = 0; n < 2_000; n += 2) {
            int number = n;
            Waiting.looking(() -> one.sink().claim(room, frames.size(number)));
            frames.fill(room, n);
            one.sink().commit(room, frames.flags(n) | Frame.HOLD);
            int next = n + 1;
            Waiting.looking(() ->
                    room.room() >= frames.size(next) || one.sink().claim(room, frames.size(next)));
            Waiting.looking(one.sink()::push);
            frames.fill(room, next);
            one.sink().commit(room, frames.flags(next));
            Waiting.looking(one.sink()::push);
            frames.read(other.source(), n, n + 2);
        }
    }

    @Test
    void a_finished_frame_arrives_without_a_push_where_commit_said_so() {
        var frames = new Numbered(7, Math.min(300, largest(one)));
        var room = new Frame();
        assertThat(one.sink().claim(room, frames.size(0))).isTrue();
        frames.fill(room, 0);
        assertThat(one.sink().commit(room, 0)).as("an empty link keeps nothing back").isTrue();
        var lent = new Frame();
        Waiting.looking(() -> other.source().poll(lent));
        assertThat(Numbered.number(lent)).isZero();
    }

    @Test
    void a_frame_may_be_given_back_early_and_twice() throws Exception {
        var frames = new Numbered(8, largest(one));
        var writer = Pair.start(() -> written(frames, one, 500));
        var lent = new Frame();
        for (int n = 0; n < 500; n++) {
            int more = n & 3;
            Waiting.looking(() -> other.source().poll(lent, more));
            frames.check(lent, n);
            other.source().release();
            other.source().release();
        }
        Pair.get(writer);
    }

    @Test
    void whoever_sleeps_is_woken() throws Exception {
        assertThat(one.source()).isInstanceOf(Waitable.class);
        assertThat(one.sink()).isInstanceOf(Waitable.class);
        var there = new Numbered(9, largest(one));
        var back = new Numbered(10, largest(other));
        try (var here = new Waiting(one.source());
                var yonder = new Waiting(other.source())) {
            var writer = Pair.start(() -> thereWritten(there, one, yonder));
            var backWriter = Pair.start(() -> thereWritten(back, other, here));
            var backReader =
                    Pair.start(() -> {
                        back.readAsleep(one.source(), SLEPT, here);
                        return true;
                    });
            there.readAsleep(other.source(), SLEPT, yonder);
            Pair.get(writer);
            Pair.get(backWriter);
            Pair.get(backReader);
            assertThat(yonder.sleeps()).as("sleeps").isPositive();
        }
    }

    @Test
    void a_writer_that_sleeps_is_woken_when_there_is_room() throws Exception {
        var frames = new Numbered(14, largest(one));
        try (var waiting = new Waiting(one.sink())) {
            var writer =
                    Pair.start(() -> {
                        var room = new Frame();
                        int n = 0;
                        while (waiting.sleeps() == 0 || n % 100 != 0) {
                            frames.writeAsleep(waiting, one.sink(), room, n++);
                        }
                        waiting.asleep(() -> one.sink().claim(room, 1));
                        one.sink().commit(room, Frame.END);
                        waiting.asleep(one.sink()::push);
                        return n;
                    });
            Waiting.looking(() -> waiting.sleeps() > 0);
            var lent = new Frame();
            Waiting.looking(() -> other.source().poll(lent));
            int read = 0;
            while (lent.flags != Frame.END) {
                frames.check(lent, read++);
                Waiting.looking(() -> other.source().poll(lent));
            }
            assertThat(Pair.get(writer)).isEqualTo(read);
        }
    }

    @Test
    void a_sleeping_reader_is_woken_by_the_end_of_its_peer() throws Exception {
        var lent = new Frame();
        try (var waiting = new Waiting(other.source())) {
            var end =
                    Pair.start(() -> {
                        waiting.asleep(() -> other.source().poll(lent));
                        return true;
                    });
            one.close();
            assertThatThrownBy(() -> Pair.get(end)).isInstanceOf(LinkBroken.class);
        }
    }

    @Test
    void what_was_sent_before_a_close_still_arrives_and_then_the_link_is_broken() {
        var frames = new Numbered(11, Math.min(300, largest(one)));
        frames.write(one.sink(), 0, 20);
        one.close();
        one.close();
        frames.read(other.source(), 0, 20);
        assertThatThrownBy(() -> frames.read(other.source(), 20, 21))
                .isInstanceOf(LinkBroken.class);
        assertThatThrownBy(() -> frames.write(other.sink(), 0, Integer.MAX_VALUE))
                .isInstanceOf(LinkBroken.class);
    }

    @Test
    void a_link_closed_here_is_broken_here() {
        one.close();
        var frames = new Numbered(12, 300);
        assertThatThrownBy(() -> frames.read(one.source(), 0, 1)).isInstanceOf(LinkBroken.class);
        assertThatThrownBy(() -> frames.write(one.sink(), 0, 100_000))
                .isInstanceOf(LinkBroken.class);
    }

    /// What is bounded is what bytes become below.
    private long bound() {
        return text.contains("compress") ? 16 * BOUND : BOUND;
    }

    /// What every frame of a link may have.
    private int largest(FrameLink link) {
        int now = link.sink().largest();
        return text.contains("shrink") ? Math.min(now, new Shrink().to()) : now;
    }

    private static boolean thereWritten(Numbered frames, FrameLink link, Waiting reader)
            throws Exception {
        frames.writeAsleep(link.sink(), SLEPT, reader);
        return true;
    }

    private static boolean written(Numbered frames, FrameLink link, int count) {
        frames.write(link.sink(), 0, count);
        return true;
    }

    private static void send(FrameLink link, Frame room, int size, long mark, int flags) {
        Waiting.looking(() -> link.sink().claim(room, Math.max(1, size)));
        if (size >= Long.BYTES) {
            room.memory.set(ValueLayout.JAVA_LONG_UNALIGNED, room.position, mark);
        }
        room.position += size;
        link.sink().commit(room, flags);
    }
}
