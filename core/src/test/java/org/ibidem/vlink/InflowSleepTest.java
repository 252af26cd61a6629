package org.ibidem.vlink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.ibidem.Background;
import org.ibidem.arbitration.WaitPolicy;
import org.ibidem.arbitration.Waiter;
import org.ibidem.buffer.Frame;
import org.ibidem.channel.LooseChannel;
import org.ibidem.link.FrameSource;
import org.ibidem.link.LinkBroken;
import org.ibidem.vlink.VLinkFailed.Kind;
import org.ibidem.wait.Armed;
import org.ibidem.wait.DirectWait;
import org.ibidem.wait.Doorbell;
import org.ibidem.wait.SleepTraits;
import org.ibidem.wait.Waitable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Which thread sleeps on a direction, and which is told when another begins to. Nothing here has a
/// thread of its own, so every step is seen.
@Timeout(20)
class InflowSleepTest {
    private static final byte[] BYTES = {1, 2, 3};
    private static final SleepTraits RING = new SleepTraits(false, false, true);
    private static final SleepTraits SOCKET = new SleepTraits(true, false, true);

    private final Waiter waiter = new Waiter(WaitPolicy.SLEEP);
    private final ReceiptLoop loop = new ReceiptLoop(null, waiter);
    private final Selector selector = Selector.open();
    private final Pipe pipe = Pipe.open();
    private final Line line = new Line();
    private final Inflow inflow = new Inflow(loop, LooseChannel.over(line));
    private final AtomicInteger wakeups = new AtomicInteger();
    private final AtomicInteger rings = new AtomicInteger();
    private final DirectWait direct = direct();

    InflowSleepTest() throws IOException {
        pipe.source().configureBlocking(false);
        inflow.bell(rings::incrementAndGet);
    }

    private DirectWait direct() {
        return new DirectWait(inflow, selector, wakeups::incrementAndGet);
    }

    /// A link that notes what it is asked.
    private final class Line implements FrameSource, Waitable {
        private final List<String> calls = new ArrayList<>();
        private SleepTraits traits = RING;
        private Armed answer = Armed.SLEEP;
        private Doorbell bell = () -> {};
        private int here;
        private int flags;
        private boolean breaks;

        @Override
        public boolean poll(Frame frame) {
            if (here == 0) {
                return false;
            }
            here--;
            frame.show(MemorySegment.ofArray(BYTES), 0, BYTES.length);
            frame.flags = flags;
            return true;
        }

        @Override
        public void release() {
            if (breaks) {
                throw new LinkBroken("it broke meanwhile");
            }
        }

        @Override
        public Armed arm() {
            calls.add("arm");
            return answer;
        }

        @Override
        public void disarm() {
            calls.add("disarm");
        }

        @Override
        public void ready() {
            calls.add("ready");
        }

        @Override
        public SelectableChannel channel() {
            return pipe.source();
        }

        @Override
        public int interest() {
            return SelectionKey.OP_READ;
        }

        @Override
        public SleepTraits traits() {
            return traits;
        }

        @Override
        public void bell(Doorbell rung) {
            bell = rung;
        }
    }

    @AfterEach
    void close() throws IOException {
        loop.close();
        selector.close();
        pipe.source().close();
        pipe.sink().close();
    }

    private int read() {
        return inflow.read(ByteBuffer.allocate(100));
    }

    @Test
    void who_arms_sleeps_on_its_channel_until_it_disarms() {
        assertThat(direct.arm()).isEqualTo(Armed.SLEEP);
        assertThat(pipe.source().keyFor(selector).attachment()).isSameAs(direct);
        direct.disarm();
        direct.disarm();
        assertThat(line.calls).containsExactly("arm", "disarm");
        assertThat(wakeups).hasValue(0);
    }

    @Test
    void one_that_was_selected_says_so_below() {
        direct.arm();
        direct.ready();
        direct.disarm();
        direct.arm();
        direct.disarm();
        assertThat(line.calls).containsExactly("arm", "ready", "disarm", "arm", "disarm");
    }

    /// What is looked at only when it is ready is looked at after each sleep.
    @Test
    void a_socket_is_looked_at_after_each_sleep() {
        line.traits = SOCKET;
        direct.arm();
        direct.disarm();
        assertThat(line.calls).containsExactly("arm", "ready", "disarm");
    }

    @Test
    void what_is_there_already_is_not_slept_for() {
        line.answer = Armed.READY;
        assertThat(direct.arm()).isEqualTo(Armed.READY);
        assertThat(line.calls).containsExactly("arm", "disarm");
        direct.disarm();
        assertThat(line.calls).hasSize(2);
    }

    @Test
    void what_a_look_has_left_is_not_slept_for() {
        line.here = 1;
        assertThat(inflow.read(ByteBuffer.allocate(1))).isEqualTo(1);
        assertThat(direct.arm()).isEqualTo(Armed.READY);
        assertThat(line.calls).isEmpty();
    }

    @Test
    void it_looks_once_more_while_it_is_armed() {
        line.answer = Armed.SLEEP_THEN_LOOK;
        assertThat(direct.arm()).isEqualTo(Armed.SLEEP_THEN_LOOK);
        line.answer = Armed.SLEEP;
        assertThat(direct.arm()).isEqualTo(Armed.SLEEP);
        assertThat(line.calls).containsExactly("arm", "arm");
    }

    @Test
    void a_second_one_cannot_while_the_first_sleeps() {
        direct.arm();
        var second = direct();
        assertThat(second.arm()).isNull();
        second.disarm();
        assertThat(line.calls).containsExactly("arm");
        direct.disarm();
        assertThat(second.arm()).isEqualTo(Armed.SLEEP);
        direct.disarm();
        assertThat(line.calls).containsExactly("arm", "disarm", "arm");
    }

    @Test
    void the_loop_lets_it_go_to_who_sleeps_by_himself() {
        inflow.arm();
        direct.arm();
        assertThat(line.calls).containsExactly("arm", "disarm", "arm");
        assertThat(inflow.arm()).isEqualTo(Armed.SLEEP);
        assertThat(inflow.interest()).isZero();
        inflow.disarm();
        assertThat(line.calls).hasSize(3);
    }

    @Test
    void where_its_channel_is_not_taken_it_cannot() throws IOException {
        selector.close();
        assertThat(direct.arm()).isNull();
        assertThat(inflow.arm()).isEqualTo(Armed.SLEEP);
        assertThat(line.calls).containsExactly("arm"); // by the loop
    }

    @Test
    void who_watches_takes_it_back_and_wakes_who_slept() {
        direct.arm();
        inflow.watch(() -> {});
        assertThat(wakeups).hasValue(1);
        assertThat(rings).hasValue(1);
        assertThat(line.calls).containsExactly("arm", "disarm");
        assertThat(direct.arm()).isNull();
        assertThat(inflow.interest()).isEqualTo(SelectionKey.OP_READ);
        direct.ready();
        direct.disarm();
        assertThat(line.calls).containsExactly("arm", "disarm");
    }

    @Test
    void who_watches_no_longer_lets_it_be_slept_on() {
        Runnable watcher = () -> {};
        inflow.watch(watcher);
        inflow.unwatch(watcher);
        assertThat(direct.arm()).isEqualTo(Armed.SLEEP);
    }

    @Test
    void its_bell_wakes_who_sleeps_and_not_the_loop() {
        direct.arm();
        line.bell.ring();
        assertThat(wakeups).hasValue(1);
        assertThat(rings).hasValue(0);
        direct.disarm();
        line.bell.ring();
        assertThat(wakeups).hasValue(1);
        assertThat(rings).hasValue(1);
    }

    @Test
    void a_look_of_another_that_finds_something_wakes_who_sleeps() {
        direct.arm();
        assertThat(inflow.available()).isZero();
        assertThat(inflow.readable()).isFalse();
        assertThat(wakeups).hasValue(0);
        line.here = 2;
        assertThat(inflow.available()).isEqualTo(BYTES.length);
        assertThat(wakeups).hasValue(1);
        assertThat(inflow.available()).isEqualTo(BYTES.length);
        assertThat(wakeups).as("it knows").hasValue(1);
        assertThat(read()).isEqualTo(2 * BYTES.length);
        line.here = 1;
        assertThat(inflow.readable()).isTrue();
        assertThat(wakeups).hasValue(2);
    }

    @Test
    void a_look_of_the_loop_that_finds_something_wakes_who_sleeps() {
        direct.arm();
        line.here = 1;
        inflow.look();
        int before = wakeups.get();
        inflow.turn();
        assertThat(wakeups).hasValue(before + 1);
    }

    @Test
    void who_leaves_for_good_gives_it_to_the_loop() {
        direct.arm();
        assertThat(inflow.interest()).isZero();
        direct.close();
        assertThat(line.calls).containsExactly("arm", "disarm");
        assertThat(rings).hasValue(1);
        assertThat(inflow.interest()).isEqualTo(SelectionKey.OP_READ);
        assertThat(pipe.source().keyFor(selector).isValid()).isFalse();
        direct().close(); // one that has never slept takes nothing away
        assertThat(rings).hasValue(1);
    }

    @Test
    void who_has_slept_before_is_not_told_by_the_loop() {
        direct.arm();
        direct.disarm();
        assertThat(inflow.interest()).isZero();
        inflow.watch(() -> {});
        assertThat(inflow.interest()).isEqualTo(SelectionKey.OP_READ);
    }

    @Test
    void what_is_polled_is_not_waited_for_unless_it_is_watched() {
        assertThat(inflow.interest()).isEqualTo(SelectionKey.OP_READ);
        inflow.polled(true);
        assertThat(inflow.interest()).isZero();
        inflow.watch(() -> {});
        assertThat(inflow.interest()).isEqualTo(SelectionKey.OP_READ);
    }

    @Test
    void over_what_does_not_stay_armed_no_thread_sleeps() {
        line.traits = SleepTraits.NONE;
        assertThat(inflow.sleep(1)).isFalse();
        assertThat(line.calls).isEmpty();
        line.traits = RING;
        assertThat(inflow.sleep(1)).isTrue();
        assertThat(line.calls).containsExactly("arm", "disarm");
    }

    @Test
    void a_thread_does_not_sleep_while_a_frame_is_in_hand() {
        line.here = 1;
        inflow.read(ByteBuffer.allocate(1));
        assertThat(inflow.sleep(Long.MAX_VALUE)).isTrue();
        assertThat(line.calls).isEmpty();
    }

    @Test
    void a_close_wakes_who_sleeps_and_frees_the_channel() {
        direct.arm();
        assertThat(inflow.sleep(1)).isFalse(); // has a selector of its own from now on
        inflow.close("enough", new VLinkFailed(Kind.CLOSED, "closed"));
        assertThat(wakeups).hasValue(1);
        assertThat(line.calls).containsExactly("arm", "disarm");
        direct.disarm();
        assertThat(line.calls).hasSize(2);
        assertThat(direct.arm()).isEqualTo(Armed.READY);
        assertThat(inflow.sleep(Long.MAX_VALUE)).isTrue();
        assertThat(line.calls).as("it may serve another").hasSize(2);
        loop.close();
        assertThat(pipe.source().keyFor(selector).isValid()).isFalse();
        assertThatThrownBy(this::read).isInstanceOf(VLinkFailed.class);
    }

    @Test
    void the_first_reason_to_end_is_the_one_that_is_told() {
        inflow.close("reset", new VLinkFailed(Kind.RESET, "first"));
        inflow.close("closed", new VLinkFailed(Kind.CLOSED, "second"));
        assertThatThrownBy(this::read).hasMessageContaining("first");
    }

    @Test
    void an_end_in_order_is_read_after_what_came_before() {
        line.here = 1;
        assertThat(read()).isEqualTo(BYTES.length);
        line.here = 1;
        line.flags = Frame.END;
        assertThat(inflow.isOver()).isFalse();
        assertThat(read()).isEqualTo(-1);
        assertThat(inflow.isOver()).isTrue();
        assertThat(inflow.wasReset()).isNull();
        assertThat(inflow.interest()).isZero();
    }

    @Test
    void a_reset_in_order_says_why_to_all() {
        var told = new ArrayList<VLinkFailed>();
        inflow.whenReset(told::add);
        line.here = 1;
        line.flags = Frame.END | Frame.ABANDONED;
        assertThat(inflow.readable()).isTrue();
        assertThatThrownBy(this::read)
                .isInstanceOfSatisfying(
                        VLinkFailed.class, e -> assertThat(e.kind()).isEqualTo(Kind.RESET));
        assertThat(inflow.wasReset()).isNotNull();
        loop.close();
        assertThat(told).hasSize(1);
    }

    @Test
    void a_link_that_breaks_when_it_is_given_back_is_broken() {
        direct.arm();
        line.here = 1;
        line.breaks = true;
        assertThat(read()).isEqualTo(BYTES.length);
        assertThat(wakeups).hasValue(1);
        assertThatThrownBy(this::read)
                .isInstanceOfSatisfying(
                        VLinkFailed.class, e -> assertThat(e.kind()).isEqualTo(Kind.BROKEN))
                .hasMessageContaining("it broke meanwhile");
    }

    @Test
    void one_that_was_cancelled_has_ended() throws Exception {
        direct.arm();
        inflow.cancelled();
        assertThat(wakeups).hasValue(1);
        assertThat(Background.call(this::read).get()).isEqualTo(-1);
        assertThat(inflow.available()).isZero();
    }
}
