package org.ibidem.lab.badday;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.ibidem.arbitration.WaitPolicy;
import org.ibidem.hub.Hub;
import org.ibidem.monitor.Monitor;
import org.ibidem.port.ConnectionLost;
import org.ibidem.port.PortType;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.SendPort;
import org.ibidem.port.Target;
import org.ibidem.port.Way;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.ibidem.station.NodeRuntime;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Two processes on one machine of which one has namespaces of its own, as in a container that
/// shares the network: shared memory is taken where both see the same, and only there.
@Tag("lab")
@Timeout(120)
class NamespacesTest {
    private static final PortType AUTO = PortType.oneToOne().stack("auto");
    private static final int MESSAGES = 300;

    /// Whoever waits sleeps, so that each message rings.
    private static final List<String> SLEEPING = List.of("env", "IBIDEM_WAIT=sleep");

    private final Hub hub = Hub.start(Hub.Options.DEFAULT.port(0));
    private final Node node = Node.join(Join.pool("demo").hub("localhost:" + hub.port()));

    @AfterEach
    void close() {
        node.close();
        hub.close();
    }

    private Other echo(List<String> within) throws Exception {
        var command = new ArrayList<>(SLEEPING);
        command.addAll(within);
        return Other.nodeWithin(command, "echo", hub.port(), AUTO.stack());
    }

    /// Both ends of a pair of connections, and what they go over.
    private final class Pair implements AutoCloseable {
        private final ReceivePort in;
        private final SendPort out;
        private final NodeId peer;
        private final String itsWay;
        private int sent;

        Pair(Other other) throws Exception {
            node.waiting(WaitPolicy.SLEEP);
            in = ReceivePort.open(node, AUTO, "in");
            itsWay = other.said("way");
            peer = NodeId.parse(other.said("ready"));
            out = SendPort.open(node, AUTO, "out");
        }

        Way way() {
            out.connect(peer, "in");
            return Objects.requireNonNull(out.way(new Target(peer, "in")));
        }

        void converse() {
            for (int end = sent + MESSAGES; sent < end; sent++) {
                try (var message = out.newMessage()) {
                    Role.write(message, sent, Role.SMALL);
                }
                try (var message = in.receive()) {
                    Role.verify(message, sent, Role.SMALL);
                }
            }
        }

        @Override
        public void close() {
            out.close();
            in.close();
        }
    }

    @Test
    void where_each_has_a_folder_of_its_own_tcp_is_taken_and_the_reason_is_told() throws Exception {
        var reason = "its folder for shared memory is another one than /dev/shm here";
        try (var other = echo(Namespaces.ownMemory());
                var pair = new Pair(other)) {
            var way = pair.way();
            assertThat(way.stack()).isEqualTo("tcp");
            assertThat(way.passedOver()).anyMatch(why -> why.startsWith("shm: no, " + reason));
            assertThat(pair.itsWay).startsWith("tcp").contains("shm: no, " + reason);
            pair.converse();
            for (var screen :
                    List.of(
                            Screen.explain(hub, node.id(), pair.peer),
                            Screen.explain(hub, pair.peer, node.id()))) {
                assertThat(screen.driver("shm")).startsWith("shm no ").contains(reason);
                assertThat(screen.driver("tcp")).startsWith("tcp yes ");
            }
        }
    }

    /// What it has said of its folder when it joined does not hold any more; the meeting finds out.
    @Test
    void where_the_folders_only_seem_to_be_the_same_tcp_is_taken_too() throws Exception {
        var count = String.valueOf(MESSAGES);
        var within = Namespaces.ownMounts();
        try (var other = Other.nodeWithin(within, "reader", hub.port(), AUTO.stack(), count);
                var out = SendPort.open(node, AUTO, "out")) {
            var peer = NodeId.parse(other.said("ready"));
            Namespaces.coverMemory(other.pid());
            assertThat(Screen.explain(hub, node.id(), peer).driver("shm"))
                    .startsWith("shm no ")
                    .contains("cannot map the shared file");
            assertThat(Screen.explain(hub, peer, node.id()).driver("shm"))
                    .startsWith("shm no ")
                    .contains("its folder for shared memory is another one");
            out.connect(peer, "in");
            var way = Objects.requireNonNull(out.way(new Target(peer, "in")));
            assertThat(way.stack()).isEqualTo("tcp");
            assertThat(way.passedOver())
                    .anyMatch(why -> why.startsWith("shm: no, ") && why.contains("cannot map"));
            for (int i = 0; i < MESSAGES; i++) {
                try (var message = out.newMessage()) {
                    Role.write(message, i, Role.SMALL);
                }
            }
            assertThat(other.said("read")).isEqualTo(count);
        }
    }

    /// Neither can open by `/proc` what the other tells of: they ring by their connection.
    @Test
    void memory_is_shared_between_processes_that_number_each_other_differently() throws Exception {
        try (var other = echo(Namespaces.ownProcesses());
                var pair = new Pair(other)) {
            assertThat(pair.way().stack()).isEqualTo("shm");
            assertThat(pair.itsWay).startsWith("shm");
            pair.converse();
            var its = countersOf(pair.peer);
            assertThat(Monitor.process(its)).isNotEqualTo(other.pid());
            assertThat(Monitor.isGone(its)).isFalse();
            try (var third = Other.node("idler", hub.port(), "shm")) { // it looks for dead ones
                third.said("ready");
                assertThat(its).exists();
            }
            assertThat(Screen.counters().text())
                    .contains("process " + Monitor.process(its) + ", node " + pair.peer);
            assertThat(Screen.explain(hub, node.id(), pair.peer).driver("shm"))
                    .startsWith("shm yes ");
            other.kill();
            assertThatThrownBy(pair.in::receive).isInstanceOf(ConnectionLost.class);
        }
    }

    /// The row of its node is the first of its file.
    private static Path countersOf(NodeId id) throws Exception {
        for (var file : Monitor.files(Path.of(NodeRuntime.monitorFolder()))) {
            if (Files.readString(file, StandardCharsets.ISO_8859_1).contains("node " + id)) {
                return file;
            }
        }
        throw new AssertionError("no counters of node " + id);
    }

    /// Semaphores and the like; clocks that differ by a year.
    @ParameterizedTest
    @ValueSource(strings = {"-i", "-T -f --kill-child --monotonic 31536000 --boottime 31536000"})
    void memory_is_shared_where_namespaces_have_no_part_in_it(String options) throws Exception {
        try (var other = echo(Namespaces.of(options));
                var pair = new Pair(other)) {
            assertThat(pair.way().stack()).isEqualTo("shm");
            assertThat(pair.itsWay).startsWith("shm");
            pair.converse();
        }
    }

    @Test
    void users_that_are_others_take_tcp() throws Exception {
        try (var other = echo(Namespaces.of("-U"));
                var pair = new Pair(other)) {
            var way = pair.way();
            assertThat(way.stack()).isEqualTo("tcp");
            assertThat(way.passedOver()).contains("shm: no, it runs as another user");
            pair.converse();
        }
    }

    /// A broadcast is opened by its writer's number.
    @Test
    void one_write_for_several_is_not_where_one_cannot_open_it() throws Exception {
        var type = PortType.oneToMany().stack("shm");
        try (var told = new Told();
                var near = Other.node("listener", hub.port(), "shm");
                var far =
                        Other.nodeWithin(Namespaces.ownProcesses(), "listener", hub.port(), "shm");
                var out = SendPort.open(node, type, "out")) {
            for (var each : List.of(near, far)) {
                out.connect(NodeId.parse(each.said("ready")), "in");
            }
            var sent = new AtomicInteger();
            var why = told.last(2, () -> send(out, sent.getAndIncrement(), Role.SMALL));
            assertThat(why).isEqualTo("receiver 1 does not see the memory");
            send(out, sent.get(), 0);
            for (var each : List.of(near, far)) {
                assertThat(each.said("read")).isEqualTo(String.valueOf(sent.get() + 1));
            }
        }
    }

    private static void send(SendPort out, int number, int bytes) {
        try (var message = out.newMessage()) {
            message.writeInt(bytes);
            Role.write(message, number, bytes);
        }
    }
}
