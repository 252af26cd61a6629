package org.ibidem.hub;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.Closeable;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.ibidem.accept.Listener;
import org.ibidem.registry.Join;
import org.ibidem.registry.Membership;
import org.ibidem.registry.Node;
import org.ibidem.registry.PoolEvent;
import org.ibidem.registry.PoolEvent.Died;
import org.ibidem.registry.PoolEvent.HubBack;
import org.ibidem.registry.PoolEvent.HubLost;
import org.ibidem.registry.PoolEvent.Joined;
import org.ibidem.registry.PoolEvent.Restored;
import org.ibidem.registry.PoolEvent.Signalled;
import org.ibidem.registry.PoolEvent.Suspected;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/// With processes that are really killed and really stopped.
@Tag("lab")
@Isolated("starts processes, of which some are killed")
class HubProcessTest {
    private static final int STRANGERS = 10_000;
    private static final int OPEN_AT_ONCE = 3_000;
    private static final long MOST_GROWTH = 16L << 20;

    /// A second is promised; silence would be noticed after fifteen.
    private static final Duration SOON = Duration.ofSeconds(12);

    @Test
    void a_killed_node_is_dead_soon_five_times_of_five() throws Exception {
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0));
                var watcher = join(hub.port())) {
            for (int i = 0; i < 5; i++) {
                try (var victim = Forked.node(hub.port(), "demo")) {
                    var heard = Heard.by(watcher);
                    heard.await(event -> about(event, Joined.class, victim), "the victim");
                    victim.kill();
                    var died =
                            heard.await(
                                    event -> about(event, Died.class, victim), "the death", SOON);
                    // A system says "reset" for a socket that was closed before all was read.
                    assertThat(((Died) died).why())
                            .containsAnyOf("without a leave", "nobody listens");
                }
            }
        }
    }

    @Test
    void a_killed_hub_started_again_gets_all_its_members_back_and_none_is_dead() throws Exception {
        int port;
        var nodes = new ArrayList<Node>();
        var heard = new ArrayList<Heard>();
        try (var first = Forked.hub(0)) {
            port = Integer.parseInt(first.said());
            for (int i = 0; i < 5; i++) {
                nodes.add(join(port));
                heard.add(Heard.by(nodes.getLast()));
            }
            nodes.getFirst().awaitMembers(5, Heard.LONG);
            first.kill();
            for (var each : heard) {
                each.await(HubLost.class);
            }
        }
        var before = nodes.getFirst().members();
        try (var second = Forked.hub(port)) {
            assertThat(second.said()).isEqualTo(String.valueOf(port));
            for (var each : heard) {
                each.await(HubBack.class);
            }
            try (var late = join(port)) {
                for (var each : heard) {
                    each.await(
                            event -> event instanceof Joined(var who) && who.id().equals(late.id()),
                            "the late one");
                }
                assertThat(late.members()).containsAll(before).hasSize(6);
                assertThat(late.rank()).isEqualTo(5);
            }
            assertThat(heard)
                    .allSatisfy(each -> assertThat(each.all()).noneMatch(Died.class::isInstance));
            nodes.forEach(Node::close);
        }
    }

    @Test
    void a_stopped_node_is_suspected_never_dead_and_restored_when_it_goes_on() throws Exception {
        var quick = Bounds.DEFAULT.silence(Duration.ofMillis(500), Duration.ofMillis(1500));
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0).bounds(quick));
                var watcher = join(hub.port());
                var victim = Forked.node(hub.port(), "demo")) {
            var heard = Heard.by(watcher);
            heard.await(event -> about(event, Joined.class, victim), "the victim");
            victim.signal("STOP");
            heard.await(event -> about(event, Suspected.class, victim), "the suspicion");
            victim.signal("CONT");
            heard.await(event -> about(event, Restored.class, victim), "the return");
            assertThat(heard.all()).noneMatch(Died.class::isInstance);
        }
    }

    @Test
    void a_stopped_node_is_dead_when_its_suspicion_is_over() throws Exception {
        var bounds =
                Bounds.DEFAULT
                        .suspicion(Duration.ofSeconds(5))
                        .silence(Duration.ofMillis(300), Duration.ofMillis(900));
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0).bounds(bounds));
                var watcher = join(hub.port());
                var victim = Forked.node(hub.port(), "demo")) {
            var heard = Heard.by(watcher);
            heard.await(event -> about(event, Joined.class, victim), "the victim");
            victim.signal("STOP");
            var died = heard.await(event -> about(event, Died.class, victim), "the death");
            assertThat(((Died) died).why()).contains("no contact for 5 s");
        }
    }

    @Test
    void more_nodes_at_once_than_may_be_unproved_all_join() throws Exception {
        int count = Listener.MOST_UNPROVED + 500;
        var nodes = new ConcurrentLinkedQueue<Node>();
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0));
                Closeable _ = () -> nodes.forEach(Node::close)) {
            var join =
                    Join.pool("storm")
                            .hub("127.0.0.1:" + hub.port())
                            .membership(Membership.NONE)
                            .limit(Duration.ofSeconds(90));
            var joining = new ArrayList<CompletableFuture<Void>>();
            for (int i = 0; i < count; i++) {
                joining.add(
                        CompletableFuture.runAsync(
                                () -> nodes.add(Node.join(join)), Thread::startVirtualThread));
            }
            joining.forEach(CompletableFuture::join);
            assertThat(nodes).hasSize(count);
            System.out.println("storm: " + hub.tally());
        }
    }

    @Test
    void ten_thousand_connections_full_of_garbage_change_nothing_for_nodes_and_memory_stays_flat()
            throws Exception {
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0));
                var before = join(hub.port());
                var other = join(hub.port())) {
            var heard = Heard.by(before);
            other.awaitMembers(2, Heard.LONG);
            long heap = heap();
            var open = new ArrayDeque<Socket>();
            try {
                for (int i = 0; i < STRANGERS; i++) {
                    garbage(hub, i, open);
                    if (i % 500 == 499) {
                        var text = "after " + i;
                        other.signals().send(text, before.id());
                        heard.await(
                                event ->
                                        event instanceof Signalled said
                                                && text.equals(said.signal()),
                                text);
                    }
                }
                assertThat(heap() - heap)
                        .as("bytes of heap, with thousands at the door")
                        .isLessThan(MOST_GROWTH);
                try (var after = join(hub.port())) {
                    assertThat(after.awaitMembers(3, Heard.LONG)).hasSize(3);
                    assertThat(before.awaitMembers(3, Heard.LONG)).hasSize(3);
                }
            } finally {
                for (var socket : open) {
                    socket.close();
                }
            }
            assertThat(hub.tally().proved()).isGreaterThanOrEqualTo(3);
            assertThat(Heard.by(before).all()).noneMatch(HubLost.class::isInstance);
        }
    }

    /// Another protocol, silent, garbage, half a HELLO, an absurd length: by turns.
    private static final List<String> TEXTS =
            List.of(
                    "GET / HTTP/1.1\r\n\r\n",
                    "",
                    "\0\1\2\3\4\5\6\7",
                    "IBDM\2\0\2\0\u0080\0\3",
                    "IBDM\2\0\2\0\u00ff\u00ff");

    private static void garbage(Hub hub, int number, Deque<Socket> open) throws IOException {
        try {
            var socket = new Socket(InetAddress.getLoopbackAddress(), hub.port());
            open.add(socket);
            if (open.size() > OPEN_AT_ONCE) {
                open.removeFirst().close();
            }
            socket.getOutputStream()
                    .write(TEXTS.get(number % TEXTS.size()).getBytes(StandardCharsets.ISO_8859_1));
        } catch (ConnectException e) {
            throw new AssertionError(
                    "the hub does not accept any more, at connection " + number, e);
        } catch (IOException _) {
            // cut off while it wrote: as it should be
        }
    }

    private static long heap() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    private static boolean about(PoolEvent event, Class<? extends PoolEvent> kind, Forked who) {
        return kind.isInstance(event) && event.toString().contains(who.said().substring(0, 8));
    }

    private static Node join(int port) {
        return Node.join(Join.pool("demo").hub("localhost:" + port).membership(Membership.ORDERED));
    }
}
