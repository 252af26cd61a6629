package org.ibidem.mpj.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.mpj.device.Device.ANY;
import static org.ibidem.mpj.device.Fleet.EAGER;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.ibidem.Background;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What every device keeps, whatever its messages travel by.
@Tag("slow")
@ParameterizedClass(name = "{0}")
@EnumSource
@Timeout(40)
class DeviceContractTest {
    private static final AtomicInteger CONTEXTS = new AtomicInteger();
    private static final int LONG = 100_000;
    private static final int MANY = 10_000;
    private static final boolean FULL = Boolean.getBoolean("ibidem.full");
    private static Fleet fleet;

    @Parameter Fleet.Over over;

    /// Each test has messages of its own.
    private final int context = CONTEXTS.incrementAndGet();

    private final Device zero = fleet.device(0);
    private final Device one = fleet.device(1);
    private final Device two = fleet.device(2);

    @BeforeParameterizedClassInvocation
    static void open(Fleet.Over over) {
        fleet = over.open(3).connected(CONTEXTS.incrementAndGet());
    }

    @AfterParameterizedClassInvocation
    static void close() {
        fleet.close();
    }

    private Request send(Device from, int to, int tag, int seed, int size) {
        return from.isend(new Pattern(seed, size), to, tag, context);
    }

    private Request receive(Device at, Taken into, int from, int tag) {
        return at.irecv(into, from, tag, context);
    }

    /// Sizes around what leaves at once.
    static Stream<Arguments> borders() {
        return Stream.of(0, 1, EAGER - 1, EAGER, EAGER + 1, LONG)
                .flatMap(size -> Stream.of(true, false).map(first -> Arguments.of(size, first)));
    }

    @ParameterizedTest
    @MethodSource("borders")
    void a_message_comes_whole_whether_it_was_waited_for_or_not(int size, boolean waitedFor) {
        var into = new Taken(size + 1);
        var received = waitedFor ? receive(one, into, 0, 1) : null;
        var sent = zero.isend(new Pattern(size, size - size / 3, size / 3), 1, 1, context);
        if (received == null) {
            fleet.until(() -> one.iprobe(0, 1, context) != null);
            received = receive(one, into, 0, 1);
        }
        var told = fleet.end(received);
        into.requireOf(size, size);
        assertThat(told)
                .isEqualTo(
                        new Envelope(0, 1, 1, context, 3, size - size / 3, size / 3, false, false));
        assertThat(fleet.end(sent).size()).isEqualTo(size);
    }

    @Test
    void messages_of_one_sender_are_matched_in_the_order_sent_whatever_their_sizes() {
        var sizes =
                List.of(3, LONG, 1, EAGER, EAGER + 1, 0, LONG, 2, EAGER, EAGER, EAGER, EAGER, 7);
        var sent = new ArrayList<Request>();
        for (int size : sizes) {
            sent.add(send(zero, 1, 1, size, size));
        }
        for (int size : sizes) {
            var into = new Taken(LONG);
            assertThat(fleet.end(receive(one, into, ANY, ANY)).size()).isEqualTo(size);
            into.requireOf(size, size);
        }
        sent.forEach(fleet::end);
    }

    /// What a network would not take at once leaves without it.
    @Test
    void all_arrives_though_its_sender_calls_nothing_more() {
        for (int round = 1; round <= 5; round++) {
            int count = round;
            var sender =
                    Background.call(() -> {
                        for (int i = 0; i < count; i++) {
                            send(zero, 1, 1, i, 10 * LONG).await();
                        }
                        return count;
                    });
            for (int i = 0; i < count; i++) {
                var into = new Taken(10 * LONG);
                receive(one, into, 0, 1).await();
                into.requireOf(i, 10 * LONG);
            }
            assertThat(sender.join()).isEqualTo(count);
        }
    }

    @Test
    void a_message_goes_to_the_receive_posted_first_of_those_that_fit() {
        var all =
                List.of(
                        receive(one, new Taken(1), ANY, ANY),
                        receive(one, new Taken(1), 0, 5),
                        receive(one, new Taken(1), ANY, 5),
                        receive(one, new Taken(1), 0, ANY));
        fleet.end(send(two, 1, 5, 1, 1)); // the first
        fleet.until(() -> all.get(0).isDone());
        fleet.end(send(zero, 1, 6, 2, 1)); // only the last
        fleet.until(() -> all.get(3).isDone());
        fleet.end(send(two, 1, 5, 3, 1));
        fleet.until(() -> all.get(2).isDone());
        assertThat(all.get(1).isDone()).isFalse();
        fleet.end(send(zero, 1, 5, 4, 1));
        assertThat(all.stream().map(request -> fleet.end(request).source()))
                .containsExactly(2, 0, 2, 0);
    }

    @Test
    void a_receive_takes_what_it_asks_for_and_leaves_the_rest() {
        fleet.end(send(zero, 1, 1, 1, 10), send(zero, 1, 2, 2, 10), send(two, 1, 1, 3, 10));
        fleet.until(() -> one.iprobe(2, 1, context) != null && one.iprobe(0, 2, context) != null);
        for (int[] want : new int[][] {{2, ANY, 3}, {ANY, 2, 2}, {0, 1, 1}}) {
            var into = new Taken(10);
            fleet.end(receive(one, into, want[0], want[1]));
            into.requireOf(want[2], 10);
        }
        assertThat(one.iprobe(ANY, ANY, context)).isNull();
    }

    @Test
    void messages_of_one_context_are_not_seen_in_another() {
        int other = CONTEXTS.incrementAndGet();
        fleet.end(send(zero, 1, 1, 1, 4));
        fleet.until(() -> one.iprobe(ANY, ANY, context) != null);
        assertThat(one.iprobe(ANY, ANY, other)).isNull();
        fleet.end(receive(one, new Taken(4), 0, 1));
    }

    @ParameterizedTest
    @ValueSource(ints = {100, EAGER + 100, LONG})
    void of_one_that_is_too_long_the_beginning_comes_and_the_next_is_whole(int size) {
        var sent = List.of(send(zero, 1, 1, 1, size), send(zero, 1, 1, 2, size));
        var into = new Taken(60);
        var told = fleet.end(receive(one, into, 0, 1));
        assertThat(told.truncated()).isTrue();
        assertThat(told.size()).isEqualTo(size);
        into.requireOf(1, 60);
        var next = new Taken(size);
        assertThat(fleet.end(receive(one, next, 0, 1)).truncated()).isFalse();
        next.requireOf(2, size);
        sent.forEach(fleet::end);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, LONG})
    void a_synchronous_send_is_over_when_its_message_is_received(int size) {
        var sent = zero.issend(new Pattern(1, size), 1, 1, context);
        fleet.until(() -> one.iprobe(0, 1, context) != null);
        fleet.end(send(one, 0, 2, 1, 1), receive(zero, new Taken(1), 1, 2)); // time for an answer
        assertThat(sent.test()).isNull();
        fleet.end(receive(one, new Taken(size), 0, 1));
        assertThat(fleet.end(sent).cancelled()).isFalse();
    }

    @Test
    void a_receive_that_is_cancelled_takes_no_message() {
        var given = new Taken(4);
        var up = receive(one, given, ANY, 1);
        assertThat(up.cancel()).isTrue();
        assertThat(up.await().cancelled()).isTrue();
        assertThat(up.cancel()).as("a second time").isFalse();
        fleet.end(send(zero, 1, 1, 9, 4));
        var into = new Taken(4);
        fleet.end(receive(one, into, 0, 1));
        into.requireOf(9, 4);
        given.requireOf(9, 0);
    }

    @Test
    void one_that_has_its_message_cannot_be() {
        var received = receive(one, new Taken(4), 0, 1);
        fleet.end(send(zero, 1, 1, 9, 4));
        fleet.until(received::isDone);
        assertThat(received.cancel()).isFalse();
        assertThat(received.await().cancelled()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {4, LONG})
    void a_send_that_is_cancelled_is_not_received(int size) {
        for (int to = 0; to < 2; to++) { // to itself, and to another
            var at = fleet.device(to);
            var sent = zero.issend(new Pattern(1, size), to, 1, context);
            boolean _ = sent.cancel();
            assertThat(fleet.end(sent).cancelled()).as("nobody receives it").isTrue();
            var first = new Taken(size);
            var other = send(zero, to, 1, 2, size);
            fleet.end(receive(at, first, 0, 1));
            first.requireOf(2, size);
            fleet.end(other);
            assertThat(at.iprobe(ANY, ANY, context)).isNull();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {4, EAGER + 1})
    void many_are_outstanding_at_once_and_each_meets_its_own(int size) {
        int count = size > EAGER && !FULL ? MANY / 10 : MANY;
        var into = new ArrayList<Taken>();
        var all = new ArrayList<Request>();
        for (int tag = 0; tag < count; tag++) {
            into.add(new Taken(size));
            all.add(receive(one, into.get(tag), tag % 2 * 2, tag));
        }
        for (int tag = count - 1; tag >= 0; tag--) {
            all.add(send(tag % 2 == 0 ? zero : two, 1, tag, tag, size));
        }
        all.forEach(fleet::end);
        for (int tag = 0; tag < count; tag++) {
            into.get(tag).requireOf(tag, size);
        }
    }

    /// More than there is room for at its receiver.
    @Test
    void a_flood_that_nobody_has_asked_for_is_received_in_its_order() {
        int count = FULL ? MANY : MANY / 10; // a round trip each, beyond the window
        var sent = new ArrayList<Request>();
        for (int i = 0; i < count; i++) {
            sent.add(send(zero, 1, 1, i, 100));
        }
        for (int i = 0; i < count; i++) {
            var into = new Taken(100);
            fleet.end(receive(one, into, ANY, 1));
            into.requireOf(i, 100);
        }
        sent.forEach(fleet::end);
    }

    @ParameterizedTest
    @ValueSource(ints = {10, LONG})
    void probe_waits_for_a_message_and_leaves_it(int size) {
        var probed = Background.call(() -> one.probe(ANY, 1, context));
        var sent = send(zero, 1, 1, 1, size);
        fleet.until(probed::isDone);
        assertThat(probed.join().size()).isEqualTo(size);
        assertThat(probed.join().source()).isZero();
        var into = new Taken(size);
        fleet.end(receive(one, into, 0, 1));
        into.requireOf(1, size);
        fleet.end(sent);
    }

    @ParameterizedTest
    @MethodSource("borders")
    void a_process_sends_to_itself(int size, boolean waitedFor) {
        var into = new Taken(size + 1);
        var received = waitedFor ? receive(zero, into, ANY, ANY) : null;
        var sent = zero.issend(new Pattern(5, size), 0, 1, context);
        assertThat(sent.isDone()).isEqualTo(waitedFor);
        if (received == null) {
            assertThat(zero.iprobe(0, 1, context)).isNotNull();
            received = receive(zero, into, 0, 1);
        }
        assertThat(fleet.end(received).source()).isZero();
        into.requireOf(5, size);
        assertThat(fleet.end(sent).cancelled()).isFalse();
    }

    @Test
    void peek_waits_for_the_first_of_several() {
        Request[] all = {
            null, receive(one, new Taken(1), 0, 1), receive(one, new Taken(1), 0, 2),
        };
        var peeked = Background.call(() -> one.peek(all));
        fleet.end(send(zero, 1, 2, 1, 1));
        fleet.until(peeked::isDone);
        assertThat(peeked.join()).isEqualTo(2);
        assertThat(all[1].cancel()).isTrue();
    }

    /// Whoever of them polls, all hear of what is theirs.
    @Test
    void several_threads_wait_at_one_device() {
        int threads = 3;
        var running = new ArrayList<CompletableFuture<?>>();
        for (int thread = 0; thread < threads; thread++) {
            int tag = thread;
            for (int me = 0; me < 2; me++) {
                var mine = fleet.device(me);
                boolean begins = me == 0;
                int peer = 1 - me;
                running.add(Background.call(() -> pingPong(mine, peer, tag, begins)));
            }
        }
        running.forEach(CompletableFuture::join);
    }

    private Object pingPong(Device mine, int peer, int tag, boolean begins) {
        for (int round = 0; round < 50; round++) {
            int seed = 100 * tag + round;
            if (begins) {
                mine.send(new Pattern(seed, 1000), peer, tag, context);
            }
            var into = new Taken(1000);
            mine.recv(into, peer, tag, context);
            into.requireOf(seed, 1000);
            if (!begins) {
                mine.send(new Pattern(seed, 1000), peer, tag, context);
            }
        }
        return tag;
    }

    /// A send that a receive of another thread completes, while a third one waits for something
    /// else.
    @Test
    void what_one_thread_completes_another_is_told_of() {
        var first = Background.call(() -> zero.recv(new Taken(1), 1, 1, context));
        var second = Background.call(() -> zero.recv(new Taken(1), 1, 2, context));
        var sender = Background.call(() -> zero.issend(new Pattern(1, 1), 0, 3, context).await());
        fleet.until(() -> zero.iprobe(0, 3, context) != null);
        zero.recv(new Taken(1), 0, 3, context);
        sender.join();
        fleet.end(send(one, 0, 1, 1, 1), send(one, 0, 2, 1, 1));
        assertThat(first.join().tag() + second.join().tag()).isEqualTo(3);
    }

    @Test
    void what_waits_for_a_process_that_dies_fails_with_the_reason() {
        try (var doomed = over.open(3).connected(context)) {
            var here = doomed.device(0);
            var all =
                    List.of(
                            here.irecv(new Taken(1), 1, 1, context),
                            here.irecv(new Taken(1), ANY, 1, context),
                            here.issend(new Pattern(1, 1), 1, 1, context),
                            here.isend(new Pattern(1, LONG), 1, 1, context));
            doomed.until(() -> doomed.device(1).iprobe(0, 1, context) != null);
            var probed = Background.call(() -> here.probe(1, 7, context));
            doomed.dies(1);
            for (var request : all) {
                requireDead(request::await);
            }
            assertThatThrownBy(probed::join).hasRootCauseInstanceOf(DeviceFailed.class);
            requireDead(() -> here.isend(new Pattern(1, 1), 1, 1, context).await());
            requireDead(() -> here.irecv(new Taken(1), 1, 1, context).await());
            requireDead(() -> here.iprobe(1, 1, context));
        }
    }

    /// Of a long message the beginning waits to be received; the rest was to be asked for.
    @Test
    void who_receives_what_one_had_begun_to_send_before_it_died_hears_of_that() {
        try (var doomed = over.open(3).connected(context)) {
            var here = doomed.device(0);
            var _ = doomed.device(1).isend(new Pattern(1, LONG), 0, 1, context);
            doomed.until(() -> here.iprobe(1, 1, context) != null);
            doomed.dies(1);
            requireDead(() -> here.irecv(new Taken(1), 1, 2, context).await());
            requireDead(() -> here.irecv(new Taken(LONG), 1, 1, context).await());
        }
    }

    private static void requireDead(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(DeviceFailed.class)
                .hasMessageContaining("it is dead");
    }
}
