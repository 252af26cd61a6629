package org.ibidem.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.ibidem.IbidemException;
import org.ibidem.connect.Unreachable;
import org.ibidem.port.PortType;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.SendPort;
import org.ibidem.registry.HubUnreachable;
import org.ibidem.registry.Join;
import org.ibidem.registry.Membership;
import org.ibidem.registry.Node;
import org.ibidem.registry.PoolEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/// What nodes can do while the process of their hub is killed, and after it was started again from
/// its state.
@Tag("lab")
@Isolated("starts processes, of which some are killed")
@Timeout(180)
class HubGoneTest {
    private static final PortType TYPE = PortType.manyToOne();
    private static final Duration SHORT = Duration.ofMillis(400);
    private static final Duration LONG = Heard.LONG;

    @TempDir Path temporary;
    private final List<Node> nodes = new ArrayList<>();
    private final AtomicLong received = new AtomicLong();
    private volatile boolean ends;
    private Forked hub;
    private int port;

    @AfterEach
    void end() {
        ends = true;
        nodes.forEach(Node::close);
        hub.close();
    }

    private void startHub() throws Exception {
        hub = Forked.hub(port, temporary.resolve("state"));
        port = Integer.parseInt(hub.said());
    }

    private Join to() {
        return Join.pool("gone").hub("localhost:" + port).membership(Membership.ORDERED);
    }

    private Node join() {
        var node = Node.join(to());
        nodes.add(node);
        return node;
    }

    private static <T> CompletableFuture<T> async(Supplier<T> body) {
        return CompletableFuture.supplyAsync(body, Thread::startVirtualThread);
    }

    /// Messages from one node to another, without end.
    private CompletableFuture<Void> talk(SendPort out, ReceivePort in) {
        var reading =
                CompletableFuture.runAsync(
                        () -> {
                            for (long i = 0; ; i++) {
                                try (var message = in.receive()) {
                                    long number = message.readLong();
                                    if (number < 0) {
                                        return;
                                    }
                                    assertThat(number).isEqualTo(i);
                                    received.incrementAndGet();
                                }
                            }
                        },
                        Thread::startVirtualThread);
        return CompletableFuture.runAsync(
                        () -> {
                            for (long i = 0; !ends; i++) {
                                send(out, i);
                            }
                            send(out, -1);
                        },
                        Thread::startVirtualThread)
                .thenCompose(_ -> reading);
    }

    private static void send(SendPort out, long number) {
        try (var message = out.newMessage()) {
            message.writeLong(number).finish();
        }
    }

    private void awaitMessages(long more) {
        long wanted = received.get() + more;
        long deadline = System.nanoTime() + LONG.toNanos();
        while (received.get() < wanted) {
            assertThat(System.nanoTime()).as("messages stand still").isLessThan(deadline);
            Thread.onSpinWait();
        }
    }

    private static void connects(Node from, Node to, String name, Duration limit) {
        try (var in = ReceivePort.open(to, TYPE, name);
                var out = SendPort.open(from, TYPE, name)) {
            out.connect(to.id(), name, limit);
            send(out, 7);
            try (var message = in.receive()) {
                assertThat(message.readLong()).isEqualTo(7);
            }
        }
    }

    @Test
    void what_is_connected_goes_on_and_what_is_not_says_why_or_waits_within_its_limit()
            throws Exception {
        startHub();
        var one = join();
        var two = join();
        var three = join();
        var heard = List.of(Heard.by(one), Heard.by(two), Heard.by(three));
        nodes.forEach(node -> node.awaitMembers(3, LONG));
        try (var in = ReceivePort.open(two, TYPE, "in");
                var out = SendPort.open(one, TYPE, "out")) {
            out.connect(two.id(), "in");
            var talk = talk(out, in);
            awaitMessages(1_000);
            hub.close(); // SIGKILL
            heard.forEach(each -> each.await(PoolEvent.HubLost.class));
            awaitMessages(10_000);
            whatCannotBeDoneIsSaidInTime(one, two, three);
            var connected =
                    async(() -> {
                        connects(one, three, "later", LONG);
                        return true;
                    });
            var won = async(() -> two.elections().elect("f", LONG));
            var newcomer = async(() -> Node.join(to().limit(LONG)));
            awaitMessages(10_000);
            assertThat(connected).isNotDone();
            assertThat(won).isNotDone();
            // A newcomer does not wait for a hub: nobody listens there, and it says so at once.
            assertThatThrownBy(() -> newcomer.get(30, TimeUnit.SECONDS))
                    .cause()
                    .isInstanceOf(HubUnreachable.class);
            startHub();
            assertThat(connected.get(30, TimeUnit.SECONDS)).isTrue();
            assertThat(won.get(30, TimeUnit.SECONDS).winner().id()).isEqualTo(two.id());
            heard.forEach(each -> each.await(PoolEvent.HubBack.class));
            var four = join();
            connects(four, three, "new", LONG);
            connects(three, four, "and back", LONG);
            awaitMessages(1_000);
            assertThat(talk).isNotDone();
            ends = true;
            talk.get(30, TimeUnit.SECONDS);
        }
        heard.forEach(HubGoneTest::nobodyWasMissed);
    }

    private static void nobodyWasMissed(Heard heard) {
        assertThat(heard.all())
                .noneMatch(PoolEvent.Restarted.class::isInstance)
                .noneMatch(PoolEvent.Suspected.class::isInstance)
                .noneMatch(PoolEvent.Died.class::isInstance);
    }

    private void whatCannotBeDoneIsSaidInTime(Node one, Node known, Node unknown) {
        // To one whose whereabouts are known, as if nothing had happened.
        connects(one, known, "again", LONG);
        refusesInTime(Unreachable.class, () -> connects(one, unknown, "unknown", SHORT));
        refusesInTime(HubUnreachable.class, () -> one.elections().elect("e", SHORT));
        refusesInTime(HubUnreachable.class, () -> Node.join(to().limit(SHORT)));
        assertThat(one.members()).as("the view stands still").hasSize(3);
        assertThat(one.elections().result("e", SHORT)).isEmpty();
    }

    private void refusesInTime(Class<? extends IbidemException> what, Runnable body) {
        long begun = System.nanoTime();
        assertThatThrownBy(body::run).isInstanceOf(what).hasMessageContaining("localhost:" + port);
        assertThat(Duration.ofNanos(System.nanoTime() - begun))
                .isLessThan(Duration.ofSeconds(9)); // what nobody limits takes 10 s
    }

    @Test
    void killed_again_and_again_new_connections_are_made_and_no_message_is_lost() throws Exception {
        startHub();
        var one = join();
        var two = join();
        nodes.forEach(node -> node.awaitMembers(2, LONG));
        var heard = List.of(Heard.by(one), Heard.by(two));
        try (var in = ReceivePort.open(two, TYPE, "in");
                var out = SendPort.open(one, TYPE, "out")) {
            out.connect(two.id(), "in");
            var talk = talk(out, in);
            for (int kill = 1; kill <= 5; kill++) {
                awaitMessages(1_000);
                hub.close();
                startHub();
                var newcomer = join();
                connects(newcomer, two, "to-" + kill, LONG);
                connects(one, newcomer, "from-" + kill, LONG);
                int times = kill;
                heard.forEach(each ->
                        each.await(
                                _ ->
                                        each.all().stream()
                                                        .filter(PoolEvent.HubBack.class::isInstance)
                                                        .count()
                                                >= times,
                                "return " + times));
            }
            ends = true;
            talk.get(30, TimeUnit.SECONDS);
        }
    }
}
