package org.ibidem.lab.badday;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.withinAMinute;

import java.rmi.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.ibidem.hub.Bounds;
import org.ibidem.hub.Hub;
import org.ibidem.lab.badday.Calls.Counting;
import org.ibidem.lab.badday.Calls.Later;
import org.ibidem.lab.badday.Calls.Thing;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.ibidem.registry.PoolEvent;
import org.ibidem.rmi.CallTimedOut;
import org.ibidem.rmi.ReplyLost;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/// Remote calls between processes of which one is killed or stopped.
@Tag("lab")
@Isolated("kills processes, and looks at what the collector has left")
@Timeout(180)
@ParameterizedClass
@ValueSource(strings = {"tcp", "shm"})
class CallsKilledTest {
    private static final Duration SHORT = Duration.ofSeconds(2);

    private final String stack;
    private final Set<String> events = ConcurrentHashMap.newKeySet();

    CallsKilledTest(String stack) {
        this.stack = stack;
    }

    private static Hub hub() {
        return Hub.start(Hub.Options.DEFAULT.port(0));
    }

    /// Notes what happens in the pool.
    private Node join(int port) {
        var node = Node.join(Join.pool("demo").hub("localhost:" + port));
        node.events(event -> {
            switch (event) {
                case PoolEvent.Suspected it -> events.add("suspected " + it.member().id());
                case PoolEvent.Died it -> events.add("died " + it.member().id());
                default -> events.add(event.getClass().getSimpleName());
            }
        });
        return node;
    }

    private static void lost(CompletableFuture<?> call) {
        assertThatThrownBy(() -> call.get(Other.LONG.toSeconds(), TimeUnit.SECONDS))
                .hasCauseInstanceOf(ReplyLost.class)
                .hasMessageContaining("it may have run");
    }

    private static void collected(String what, BooleanSupplier holds) throws Exception {
        withinAMinute(
                what,
                () -> {
                    System.gc();
                    return holds.getAsBoolean();
                });
    }

    /// Before a call: it is stopped already when that is sent. In a call: while it runs, and in the
    /// middle of its reply. After it: the result stays, the next call is not sent.
    @Test
    void a_server_that_is_killed_before_in_and_after_calls() throws Exception {
        try (var hub = hub();
                var node = join(hub.port());
                var rmi = Calls.open(node, stack);
                var other = join(hub.port());
                var others = Calls.open(other, stack)) {
            NodeId first;
            try (var server = Other.node("callee", hub.port(), stack)) {
                first = NodeId.parse(server.said("ready"));
                var desk = Calls.desk(rmi);
                var later = rmi.beside(desk, Later.class);
                assertThat(desk.add(5)).isEqualTo(5);
                var calls = new ArrayList<CompletableFuture<?>>(List.of(later.await(1)));
                server.said("inside");
                var within = rmi.within(desk, Other.LONG);
                calls.add(awaiting(within));
                server.said("inside");
                var torn = others.beside(Calls.desk(others), Later.class).torn();
                server.said("tearing");
                server.stop();
                calls.add(later.add(1));
                calls.add(later.add(1));
                assertThat(calls).noneMatch(CompletableFuture::isDone);
                server.kill();
                calls.forEach(CallsKilledTest::lost);
                lost(torn);
                assertThatThrownBy(() -> desk.add(1))
                        .isInstanceOf(ConnectException.class)
                        .hasMessageContaining("not called");
            }
            withinAMinute("its death is known", () -> events.contains("died " + first));
            try (var next = Other.node("callee", hub.port(), stack)) {
                next.said("ready");
                assertThat(Calls.desk(rmi).add(1)).isEqualTo(1);
                assertThat(Calls.desk(others).add(1)).isEqualTo(2);
            }
        }
    }

    /// By a thread that waits for it, not by a future of its own.
    private static CompletableFuture<Integer> awaiting(Calls.Desk desk) {
        var over = new CompletableFuture<Integer>();
        Thread.startVirtualThread(() -> {
            try {
                over.complete(desk.await(2));
            } catch (Exception e) {
                over.completeExceptionally(e);
            }
        });
        return over;
    }

    /// One of its calls has not come whole: that one does not run.
    @Test
    void a_caller_that_is_killed_in_calls_ends_those_and_no_others() throws Exception {
        try (var hub = hub();
                var node = join(hub.port());
                var rmi = Calls.open(node, stack);
                var other = join(hub.port());
                var others = Calls.open(other, stack)) {
            var counting = new Counting(rmi);
            rmi.names().bind("desk", rmi.export(counting));
            var desk = Calls.desk(others);
            var waits = others.beside(desk, Later.class).await(3);
            try (var caller = Other.node("caller", hub.port(), stack)) {
                assertThat(caller.said("has")).isEqualTo("7");
                withinAMinute("all are there", () -> counting.inside.get() == 3);
                assertThat(rmi.exported()).isEqualTo(2);
                caller.end();
                caller.said("tearing");
                caller.kill();
            }
            withinAMinute("its calls are cancelled", () -> counting.interrupted.get() == 2);
            collected("what it had is let go", () -> rmi.exported() == 1);
            withinAMinute("it is told", () -> counting.unreferenced.get() == 1);
            assertThat(desk.add(1)).isEqualTo(1);
            assertThat(counting.inside).hasValue(1);
            assertThat(waits).isNotDone();
            counting.open.countDown();
            assertThat(waits.get(Other.LONG.toSeconds(), TimeUnit.SECONDS)).isEqualTo(3);
            assertThat(counting.interrupted).hasValue(2);
            assertThat(counting.taken).hasValue(0);
        }
    }

    @Test
    void a_reply_that_is_too_late_is_nobody_s_and_no_other_call_gets_it() throws Exception {
        try (var hub = hub();
                var node = join(hub.port());
                var rmi = Calls.open(node, stack);
                var server = Other.node("callee", hub.port(), stack)) {
            server.said("ready");
            var desk = Calls.desk(rmi);
            assertThat(desk.add(1)).isEqualTo(1);
            server.stop();
            assertThatThrownBy(() -> rmi.within(desk, SHORT).add(100))
                    .isInstanceOf(CallTimedOut.class)
                    .hasMessageContaining("it may have run");
            var waits = rmi.beside(desk, Later.class).add(1000);
            server.signal("CONT");
            int sum = waits.get(Other.LONG.toSeconds(), TimeUnit.SECONDS);
            assertThat(sum).as("the late one has run once or never").isIn(1001, 1101);
            for (int i = 1; i < 10; i++) {
                int now = desk.add(1);
                assertThat(now - i).isIn(1001, 1101); // it may be cancelled or run until now
            }
        }
    }

    @Test
    void calls_go_on_and_references_travel_when_the_hub_is_killed() throws Exception {
        try (var hub = Other.hub(0)) {
            int port = Integer.parseInt(hub.said("ready"));
            try (var node = join(port);
                    var rmi = Calls.open(node, stack);
                    var server = Other.node("callee", port, stack)) {
                server.said("ready");
                var desk = Calls.desk(rmi);
                var waits = rmi.beside(desk, Later.class).await(1);
                server.said("inside");
                hub.kill();
                withinAMinute("the hub is missed", () -> events.contains("HubLost"));
                for (int i = 1; i < 100; i++) {
                    assertThat(desk.add(1)).isEqualTo(i);
                    assertThat(desk.make().value()).isEqualTo(7);
                }
                assertThat(waits).isNotDone();
                server.kill();
                lost(waits);
                assertThatThrownBy(() -> desk.add(1)).isInstanceOf(ConnectException.class);
            }
        }
    }

    /// What nobody has is collected meanwhile, so its owner has looked.
    @Test
    void a_client_that_is_stopped_keeps_what_it_has_and_one_that_is_dead_does_not()
            throws Exception {
        var patient =
                Bounds.DEFAULT
                        .suspicion(Duration.ofMinutes(5))
                        .silence(Duration.ofMillis(500), Duration.ofSeconds(2));
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0).bounds(patient));
                var node = join(hub.port());
                var rmi = Calls.open(node, stack)) {
            var counting = new Counting(rmi);
            rmi.names().bind("desk", rmi.export(counting));
            try (var holder = Other.node("holder", hub.port(), stack)) {
                assertThat(holder.said("has")).isEqualTo("7");
                holder.stop();
                withinAMinute("it is suspected", () -> has("suspected"));
                Thing nobodys = new Counting(rmi).make();
                assertThat(rmi.exported()).isEqualTo(3);
                assertThat(nobodys.value()).isEqualTo(7);
                nobodys = null;
                collected("what nobody has is let go", () -> rmi.exported() == 2);
                assertThat(counting.unreferenced).hasValue(0);
                holder.signal("CONT");
                withinAMinute("it is back", () -> has("Restored"));
                holder.end();
                assertThat(holder.said("value")).isEqualTo("7");
                assertThat(rmi.exported()).isEqualTo(2);
                holder.kill();
            }
            collected("what it had is let go", () -> rmi.exported() == 1);
            withinAMinute("it is told", () -> counting.unreferenced.get() == 1);
            assertThat(has("died")).isTrue();
        }
    }

    private boolean has(String event) {
        return events.stream().anyMatch(each -> each.startsWith(event));
    }
}
