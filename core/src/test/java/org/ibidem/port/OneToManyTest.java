package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.eventually;
import static org.ibidem.port.Standing.eventuallyStands;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.ibidem.Background;
import org.ibidem.Stacks;
import org.ibidem.arbitration.WaitInterrupted;
import org.ibidem.arbitration.WaitPolicy;
import org.ibidem.filter.multicast.Multicast;
import org.ibidem.filter.multicast.MulticastFilter;
import org.ibidem.station.NodeRuntime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedClass;

/// One send port, several receive ports on several nodes and on one.
@ParameterizedClass
@Stacks({"loopback", "shm", "tcp", "multi(loopback, tcp)", "multicast > checksum > tcp"})
@Timeout(60)
@SuppressWarnings("try") // ports are closed in the middle on purpose
@Execution(ExecutionMode.CONCURRENT)
class OneToManyTest {
    private static final int COUNT = 300;
    private static final int MANY = 10_000;
    private static final int LARGE = 1_000_000;

    /// What writes to several.
    private static final Class<?> MULTICAST =
            new MulticastFilter().over(List.of(), new Multicast(), (_, _) -> {}).getClass();

    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final PortType type;
    private final Pair pair = new Pair();
    private final NodeRuntime third = pair.runtime();
    private final List<AutoCloseable> opened = new ArrayList<>();
    private final SendPort out;

    OneToManyTest(String stack) {
        this.type = PortType.oneToMany().stack(stack);
        this.out = pair.send(pair.here, type, "out");
        opened.add(out);
    }

    @AfterEach
    void close() throws Exception {
        for (var each : opened.reversed()) {
            each.close();
        }
        third.close();
        pair.close();
    }

    private ReceivePort receiver(NodeRuntime node, String name) {
        var in = pair.receive(node, type, name);
        opened.add(in);
        return in;
    }

    private ReceivePort connected(NodeRuntime node, String name) {
        var in = receiver(node, name);
        out.connect(node.id(), name);
        return in;
    }

    @Test
    @Tag("slow")
    void who_closes_while_interrupted_lets_go_of_all_receivers() throws InterruptedException {
        var full = connected(pair.there, "full");
        var other = connected(third, "other");
        var stopped = new CountDownLatch(1);
        var writer =
                Thread.ofPlatform()
                        .start(() -> {
                            try {
                                while (true) {
                                    send(out, 1);
                                }
                            } catch (WaitInterrupted e) {
                                stopped.countDown();
                            }
                        });
        writer.interrupt(); // seen where it waits for room
        stopped.await();
        Thread.currentThread().interrupt();
        out.close();
        assertThat(Thread.interrupted()).isTrue();
        for (var in : List.of(full, other)) {
            eventually(
                    "it knows that nothing follows",
                    () -> {
                        readAll(in);
                        return in.connections().isEmpty();
                    });
        }
    }

    private static void readAll(ReceivePort in) {
        try {
            for (var m = in.poll(); m != null; m = in.poll()) {
                m.close();
            }
        } catch (ConnectionLost _) {
            // said once
        }
    }

    private static void send(SendPort out, int value) {
        try (var message = out.newMessage()) {
            message.writeInt(value).finish();
        }
    }

    private static int receive(ReceivePort in) {
        try (var message = in.receive()) {
            return message.readInt();
        }
    }

    @Tag("slow")
    @Test
    void a_connect_keeps_its_limit_while_another_thread_has_a_message_in_hand() throws Exception {
        connected(pair.there, "in");
        receiver(third, "late");
        var begun = new CountDownLatch(1);
        var go = new CountDownLatch(1);
        var writing =
                Background.run(() -> {
                    try (var message = out.newMessage()) {
                        begun.countDown();
                        go.await();
                        message.writeInt(1).finish();
                    }
                });
        begun.await();
        // Without its limit it would wait for ever: until `go`, which comes after it.
        assertThatThrownBy(() -> out.connect(third.id(), "late", Duration.ofSeconds(2)))
                .isInstanceOf(ConnectRefused.class)
                .hasMessageContaining("another thread has a message of send port 'out' in hand");
        go.countDown();
        writing.join();
        out.connect(third.id(), "late");
    }

    @Test
    void with_one_receiver_messages_go_straight_into_its_link() {
        var first = connected(pair.there, "first");
        var straight = out.sink();
        assertThat(straight).isNotInstanceOf(MULTICAST);
        var firstReads = Background.run(() -> drain(first, 3));
        sendLarge();
        var second = connected(third, "second");
        assertThat(out.sink()).isInstanceOf(MULTICAST);
        var secondReads = Background.run(() -> drain(second, 1));
        sendLarge();
        secondReads.join();
        assertThat(out.disconnect(third.id(), "second")).isTrue();
        assertThat(out.sink()).isSameAs(straight);
        sendLarge();
        firstReads.join();
    }

    private void sendLarge() {
        try (var message = out.newMessage()) {
            message.writeArray(new byte[LARGE]).finish();
        }
    }

    private static void drain(ReceivePort in, int count) {
        for (int i = 0; i < count; i++) {
            try (var message = in.receive()) {
                message.readArray(new byte[LARGE]);
            }
        }
    }

    @Test
    void every_receiver_gets_every_message_in_order() throws Exception {
        var ins =
                List.of(
                        connected(pair.there, "a"),
                        connected(pair.there, "b"),
                        connected(third, "a"),
                        connected(pair.here, "self"));
        var readers = new ArrayList<CompletableFuture<Void>>();
        var array = new double[40_000];
        for (var in : ins) {
            readers.add(
                    Background.run(() -> {
                        for (int i = 0; i < COUNT; i++) {
                            try (var message = in.receive()) {
                                assertThat(message.readInt()).isEqualTo(i);
                                if (i % 50 == 0) {
                                    var got = new double[array.length];
                                    message.readArray(got);
                                    assertThat(got[array.length - 1]).isEqualTo(i);
                                }
                            }
                        }
                    }));
        }
        for (int i = 0; i < COUNT; i++) {
            try (var message = out.newMessage()) {
                message.writeInt(i);
                if (i % 50 == 0) {
                    array[array.length - 1] = i;
                    message.writeArray(array);
                }
                message.finish();
            }
        }
        for (var reader : readers) {
            reader.get();
        }
        assertThat(out.connections()).hasSize(4);
    }

    @Test
    void a_receiver_that_comes_late_gets_what_follows() {
        var first = connected(pair.there, "first");
        send(out, 1);
        var second = connected(third, "second");
        send(out, 2);
        assertThat(receive(first)).isEqualTo(1);
        assertThat(receive(first)).isEqualTo(2);
        assertThat(receive(second)).isEqualTo(2);
    }

    @Test
    void one_is_disconnected_and_the_others_go_on() {
        var a = connected(pair.there, "a");
        var b = connected(third, "b");
        send(out, 1);
        assertThat(out.disconnect(third.id(), "b")).isTrue();
        assertThat(out.disconnect(third.id(), "b")).isFalse();
        send(out, 2);
        assertThat(receive(a)).isEqualTo(1);
        assertThat(receive(a)).isEqualTo(2);
        assertThat(receive(b)).isEqualTo(1);
        assertThat(b.receive(Duration.ofMillis(5))).isNull();
        eventually(
                "the end was read",
                () -> {
                    assertThat(b.poll()).isNull();
                    return b.connections().isEmpty();
                });
        out.connect(third.id(), "b");
        send(out, 3);
        assertThat(receive(a)).isEqualTo(3);
        assertThat(receive(b)).isEqualTo(3);
    }

    @Test
    void a_receiver_that_closes_is_told_once_and_the_others_get_the_message() {
        var a = connected(pair.there, "a");
        var b = connected(third, "b");
        send(out, 1);
        assertThat(receive(a)).isEqualTo(1);
        assertThat(receive(b)).isEqualTo(1);
        b.close();
        eventually("the sender knows", () -> out.connections().size() == 1);
        assertThatThrownBy(out::newMessage)
                .isInstanceOf(ConnectionLost.class)
                .hasMessageContaining("port 'b' of node " + third.id().brief())
                .hasMessageContaining("the receive port was closed");
        send(out, 2);
        assertThat(receive(a)).isEqualTo(2);
    }

    @Test
    @Tag("slow")
    void a_link_that_breaks_under_a_message_is_reported_for_its_receiver_alone() {
        var a = connected(pair.there, "a");
        connected(third, "b");
        try (var message = out.newMessage()) {
            message.writeInt(1).flush();
            third.channels().close();
            third.peers().close();
            var reading =
                    Background.call(() -> {
                        try (var got = a.receive()) {
                            assertThat(got.readInt()).isEqualTo(1);
                            for (int i = 0; i < 100; i++) {
                                got.readArray(new byte[100_000]);
                            }
                            return got.readInt();
                        }
                    });
            for (int i = 0; i < 100; i++) {
                message.writeArray(new byte[100_000]); // far more than any buffer
            }
            message.writeInt(2);
            assertThatThrownBy(message::finish)
                    .isInstanceOf(ConnectionLost.class)
                    .hasMessageContaining("port 'b' of node " + third.id().brief())
                    .hasMessageNotContaining("port 'a'");
            assertThat(reading.join()).isEqualTo(2);
        }
        send(out, 3);
        assertThat(receive(a)).isEqualTo(3);
        assertThat(out.connections()).hasSize(1);
    }

    @Test
    @Tag("slow")
    void the_slowest_receiver_bounds_the_writer() throws Exception {
        boundedBySlowest();
    }

    /// It begins each wait with a sleep, for what was refused before.
    @Test
    @Tag("slow")
    void the_slowest_receiver_bounds_and_wakes_a_writer_that_sleeps_at_once() throws Exception {
        out.waiting(WaitPolicy.SLEEP);
        boundedBySlowest();
    }

    private void boundedBySlowest() throws Exception {
        var fast = connected(pair.there, "fast");
        var slow = connected(third, "slow");
        var writer = new CompletableFuture<Thread>();
        var sending =
                Background.run(() -> {
                    writer.complete(Thread.currentThread());
                    for (int i = 0; i < MANY; i++) {
                        try (var message = out.newMessage()) {
                            message.writeInt(i).writeArray(new byte[4_000]).finish();
                        }
                    }
                });
        var reading =
                Background.run(() -> {
                    for (int i = 0; i < MANY; i++) {
                        assertThat(receive(fast)).isEqualTo(i);
                    }
                });
        eventuallyStands(out, writer.get(), sending);
        assertThat(out.messages()).isBetween(1L, MANY - 1L);
        assertThat(sending).isNotDone();
        for (int i = 0; i < MANY; i++) {
            assertThat(receive(slow)).isEqualTo(i);
        }
        reading.get();
        sending.get();
    }

    @Test
    void a_writer_that_sleeps_says_the_end_to_one_of_several_at_once() {
        try (var sleepy =
                SendPort.open(
                        pair.here, type, "sleepy", SendSetup.USUAL.waiting(WaitPolicy.SLEEP))) {
            receiver(pair.there, "one");
            receiver(third, "other");
            sleepy.connect(pair.there.id(), "one", LIMIT);
            sleepy.connect(third.id(), "other", LIMIT);
            receiver(third, "last");
            sleepy.connect(third.id(), "last", LIMIT);
            assertThat(sleepy.disconnect(third.id(), "last")).isTrue();
            var message = sleepy.newMessage();
            message.writeInt(1).flush();
            message.close();
            assertThat(sleepy.connections())
                    .as("none was given up for want of an answer")
                    .hasSize(2);
        }
    }

    @Test
    void connects_to_several_at_once_and_says_who_was_not_reached_and_why() {
        receiver(pair.there, "a");
        receiver(third, "b");
        opened.add(pair.receive(third, PortType.oneToOne(), "other")); // of another type
        var targets =
                List.of(
                        new Target(pair.there.id(), "a"),
                        new Target(third.id(), "b"),
                        new Target(third.id(), "other"),
                        new Target(third.id(), "b"));
        var result = out.connect(targets, LIMIT);
        assertThat(result.reached()).containsExactly(targets.get(0), targets.get(1));
        assertThat(result.failed()).containsOnlyKeys(targets.get(2));
        assertThat(result.failed().get(targets.get(2)))
                .hasMessageContaining("connections: one-to-one here, one-to-many there");
        assertThat(result.all()).isFalse();
        assertThatThrownBy(result::orThrow)
                .isInstanceOf(NotAllConnected.class)
                .hasMessageContaining("2 reached; not port 'other'");
        assertThat(out.connections()).containsExactlyInAnyOrder(targets.get(0), targets.get(1));
        assertThatThrownBy(() -> out.connect(third.id(), "b"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("connected to port 'b'");
    }

    /// It was never used, so its link is good for the other direction still.
    @Tag("slow")
    @Test
    void a_connect_that_is_too_late_leaves_the_other_direction_alone() {
        var back = receiver(pair.here, "back");
        var reply = pair.send(third, type, "reply");
        opened.add(reply);
        reply.connect(pair.here.id(), "back");
        connected(pair.there, "first");
        var limit = Duration.ofSeconds(5);
        var connecting = Background.run(() -> out.connect(third.id(), "late", limit));
        eventually("it waits for the port", () -> third.channels().waiting() == 1);
        var message = out.newMessage();
        var late = receiver(third, "late");
        assertThatThrownBy(connecting::join)
                .hasCauseInstanceOf(ConnectRefused.class)
                .hasMessageContaining("another thread has a message");
        message.writeInt(1).finish();
        send(reply, 2);
        assertThat(receive(back)).isEqualTo(2);
        eventually("it is over", () -> late.poll() == null && late.connections().isEmpty());
    }

    @Test
    void a_message_given_up_is_given_up_for_all() {
        var a = connected(pair.there, "a");
        var b = connected(third, "b");
        try (var message = out.newMessage()) {
            message.writeInt(1).flush();
        }
        for (var in : List.of(a, b)) {
            try (var message = in.receive()) {
                assertThat(message.readInt()).isEqualTo(1);
                assertThatThrownBy(message::readInt).isInstanceOf(MessageAbandoned.class);
            }
        }
        send(out, 2);
        assertThat(receive(a)).isEqualTo(2);
        assertThat(receive(b)).isEqualTo(2);
    }

    @Test
    void losses_are_told_to_the_upcall_where_there_is_one() {
        var told = new CopyOnWriteArrayList<Lost<Target>>();
        var with = type.with(Capability.CONNECTION_UPCALLS);
        try (var mine =
                        pair.send(
                                pair.here,
                                with,
                                "upcall",
                                SendSetup.USUAL.lost((_, lost) -> told.add(lost)));
                var a = pair.receive(pair.there, with, "ua");
                var b = pair.receive(third, with, "ub")) {
            mine.connect(pair.there.id(), "ua");
            mine.connect(third.id(), "ub", LIMIT);
            b.close();
            eventually("it is told", () -> told.size() == 1);
            assertThat(told.getFirst().peer()).isEqualTo(new Target(third.id(), "ub"));
            assertThat(told.getFirst().broken()).isFalse();
            assertThat(told.getFirst().why()).isEqualTo("the receive port was closed");
            send(mine, 1);
            assertThat(receive(a)).isEqualTo(1);
        }
    }

    @Test
    void losses_are_listed_where_the_type_says_so() {
        var with = type.with(Capability.CONNECTION_DOWNCALLS);
        try (var mine = pair.send(pair.here, with, "downcall");
                var a = pair.receive(pair.there, with, "da");
                var b = pair.receive(third, with, "db")) {
            mine.connect(pair.there.id(), "da");
            mine.connect(third.id(), "db", LIMIT);
            eventually("it has heard of it", () -> a.connections().size() == 1);
            assertThat(a.newConnections()).containsExactly(new Origin(pair.here.id(), "downcall"));
            assertThat(a.newConnections()).isEmpty();
            b.close();
            eventually("the sender knows", () -> mine.connections().size() == 1);
            assertThat(mine.lostConnections())
                    .extracting(lost -> lost.peer().port())
                    .containsExactly("db");
            assertThat(mine.lostConnections()).isEmpty();
            send(mine, 1);
            assertThat(receive(a)).isEqualTo(1);
            assertThatThrownBy(out::lostConnections)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("connection-downcalls");
        }
    }
}
