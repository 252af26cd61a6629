package org.ibidem.filter.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.ibidem.Seeded;
import org.ibidem.Vectors;
import org.ibidem.buffer.Frame;
import org.ibidem.link.FrameBox;
import org.ibidem.link.FrameLink;
import org.ibidem.link.FrameSource;
import org.ibidem.link.LinkBroken;
import org.ibidem.link.NoLower;
import org.ibidem.task.ManualTasks;
import org.ibidem.wait.Armed;
import org.ibidem.wait.Waitable;
import org.junit.jupiter.api.Test;

class WholeTest {
    private static final int ABANDONED = -1;
    private static final Duration ALMOST = Duration.ofNanos(999_999_999);

    private final ManualTasks tasks = new ManualTasks();
    private final FrameBox below = new FrameBox();
    private final FrameLink link = over(below);
    private final Frame frame = new Frame();

    private FrameLink over(FrameBox box) {
        var lower = new NoLower(tasks);
        return new WholeFilter().over(box, 0, new Whole(), lower);
    }

    /// A frame as it travels: header, one byte of payload.
    private void arrive(int message, int number, int payload, int flags) {
        below.arrive(
                new byte[] {(byte) message, 0, 0, 0, (byte) number, 0, 0, 0, (byte) payload},
                flags);
    }

    private List<Integer> read() {
        var read = new ArrayList<Integer>();
        while (link.source().poll(frame)) {
            if ((frame.flags & Frame.ABANDONED) != 0) {
                assertThat(frame.room()).isZero();
                read.add(ABANDONED);
            } else {
                read.add((int) frame.memory.get(ValueLayout.JAVA_BYTE, frame.position));
            }
        }
        return read;
    }

    @Test
    void messages_and_their_frames_are_numbered() {
        var sink = link.sink();
        for (int flags : new int[] {Frame.MORE, 0, 0}) {
            assertThat(sink.claim(frame, 64)).isTrue();
            frame.memory.set(ValueLayout.JAVA_BYTE, frame.position++, (byte) 9);
            sink.commit(frame, flags);
        }
        int[][] expected = {{0, 0}, {0, 1}, {1, 0}};
        for (var numbers : expected) {
            assertThat(below.source().poll(frame)).isTrue();
            assertThat(frame.room()).isEqualTo(9);
            assertThat(frame.memory.get(ValueLayout.JAVA_INT_UNALIGNED, frame.position))
                    .isEqualTo(numbers[0]);
            assertThat(frame.memory.get(ValueLayout.JAVA_INT_UNALIGNED, frame.position + 4))
                    .isEqualTo(numbers[1]);
        }
    }

    @Test
    void frames_are_those_of_the_page() throws IOException {
        var vectors = Vectors.read("filters");
        var sink = link.sink();
        for (int flags : new int[] {Frame.MORE, 0, 0}) {
            assertThat(sink.claim(frame, 64)).isTrue();
            frame.memory.set(ValueLayout.JAVA_BYTE, frame.position++, (byte) 9);
            sink.commit(frame, flags);
        }
        for (var name : List.of("whole.0.0", "whole.0.1", "whole.1.0")) {
            assertThat(below.source().poll(frame)).isTrue();
            var bytes = new byte[(int) frame.room()];
            MemorySegment.copy(
                    frame.memory, ValueLayout.JAVA_BYTE, frame.position, bytes, 0, bytes.length);
            assertThat(bytes).as(name).isEqualTo(vectors.get(name));
        }
        below.arrive(vectors.get("whole.0.0"), Frame.MORE);
        below.arrive(vectors.get("whole.0.1"), 0);
        below.arrive(vectors.get("whole.1.0"), 0);
        assertThat(read()).containsExactly(9, 9, 9);
    }

    @Test
    void what_is_in_order_passes() {
        arrive(0, 0, 1, Frame.MORE);
        arrive(0, 1, 2, 0);
        arrive(1, 0, 3, 0);
        assertThat(read()).containsExactly(1, 2, 3);
    }

    @Test
    void a_message_without_its_beginning_leaves_no_trace() {
        arrive(0, 1, 2, 0);
        arrive(1, 0, 3, 0);
        assertThat(read()).containsExactly(3);
    }

    @Test
    void a_gap_in_a_message_ends_it() {
        arrive(0, 0, 1, Frame.MORE);
        arrive(0, 2, 3, 0);
        arrive(1, 0, 4, 0);
        assertThat(read()).containsExactly(1, ABANDONED, 4);
    }

    @Test
    void a_message_whose_end_is_missing_is_ended_by_the_next() {
        arrive(0, 0, 1, Frame.MORE);
        arrive(1, 0, 2, Frame.MORE);
        arrive(1, 1, 3, 0);
        assertThat(read()).containsExactly(1, ABANDONED, 2, 3);
    }

    @Test
    void the_rest_of_a_message_after_one_that_was_cut_is_of_no_use() {
        arrive(0, 0, 1, Frame.MORE);
        arrive(1, 1, 2, 0);
        arrive(2, 0, 3, 0);
        assertThat(read()).containsExactly(1, ABANDONED, 3);
    }

    @Test
    void a_message_whose_rest_does_not_come_is_given_up_after_a_second() {
        var sleepy = Waitable.of(link.source());
        var rings = new AtomicInteger();
        sleepy.bell(rings::incrementAndGet);
        arrive(0, 0, 1, Frame.MORE);
        assertThat(read()).containsExactly(1);
        assertThat(sleepy.traits().announces()).as("time alone may bring something").isFalse();
        assertThat(sleepy.arm()).isNotEqualTo(Armed.READY);
        assertThat(tasks.waiting()).isEqualTo(1);
        sleepy.disarm();
        assertThat(tasks.waiting()).isZero();
        tasks.advance(ALMOST);
        assertThat(read()).isEmpty();
        arrive(0, 1, 2, Frame.MORE);
        assertThat(read()).as("time starts anew").containsExactly(2);
        tasks.advance(ALMOST);
        assertThat(read()).isEmpty();
        assertThat(sleepy.arm()).isNotEqualTo(Armed.READY);
        assertThat(rings).hasValue(0);
        tasks.advance(Duration.ofNanos(1));
        assertThat(rings).as("whoever sleeps is woken").hasValue(1);
        sleepy.disarm();
        assertThat(sleepy.arm()).as("there is something to say").isEqualTo(Armed.READY);
        assertThat(read()).containsExactly(ABANDONED);
        arrive(0, 2, 3, 0);
        arrive(1, 0, 4, 0);
        assertThat(read()).as("what comes too late is dropped").containsExactly(4);
    }

    @Test
    void what_comes_twice_or_late_is_dropped() {
        arrive(0, 0, 1, 0);
        arrive(0, 0, 1, 0);
        arrive(2, 0, 3, Frame.MORE);
        arrive(1, 0, 2, 0);
        arrive(2, 0, 3, Frame.MORE);
        arrive(2, 1, 4, 0);
        assertThat(read()).containsExactly(1, 3, 4);
    }

    @Test
    void a_frame_without_a_header_breaks_the_link() {
        below.arrive(new byte[7], 0);
        assertThatThrownBy(() -> link.source().poll(frame))
                .isInstanceOf(LinkBroken.class)
                .hasMessageContaining("7 bytes");
        assertThat(below.closed).isTrue();
    }

    /// Whatever is lost, repeated or moved: what is read are beginnings of messages in order.
    @Test
    void no_message_is_ever_torn() {
        Seeded.times(
                300,
                random -> {
                    var box = new FrameBox();
                    for (var each : disturbed(random)) {
                        var message = (byte) each[0];
                        var number = (byte) each[1];
                        box.arrive(
                                new byte[] {message, 0, 0, 0, number, 0, 0, 0, message, number},
                                each[2]);
                    }
                    checkOrder(over(box).source());
                });
    }

    /// Frames as message, number and flags; a fifth lost, a fifth there twice, some moved.
    private static List<int[]> disturbed(RandomGenerator random) {
        var frames = new ArrayList<int[]>();
        for (int message = 0; message < 40; message++) {
            int count = 1 + random.nextInt(4);
            for (int i = 0; i < count; i++) {
                var each = new int[] {message, i, i < count - 1 ? Frame.MORE : 0};
                int copies = List.of(0, 1, 1, 1, 2).get(random.nextInt(5));
                for (int copy = 0; copy < copies; copy++) {
                    frames.add(Math.max(0, frames.size() - random.nextInt(3)), each);
                }
            }
        }
        return frames;
    }

    private void checkOrder(FrameSource source) {
        int message = -1;
        int next = 0;
        while (source.poll(frame)) {
            if ((frame.flags & Frame.ABANDONED) != 0) {
                assertThat(next).as("frames of the message that was given up").isPositive();
                next = 0;
                continue;
            }
            int itsMessage = frame.memory.get(ValueLayout.JAVA_BYTE, frame.position);
            int itsFrame = frame.memory.get(ValueLayout.JAVA_BYTE, frame.position + 1);
            assertThat(itsFrame).isEqualTo(next);
            if (next == 0) {
                assertThat(itsMessage).isGreaterThan(message);
            } else {
                assertThat(itsMessage).isEqualTo(message);
            }
            message = itsMessage;
            next = (frame.flags & Frame.MORE) != 0 ? next + 1 : 0;
        }
    }
}
