package org.ibidem.cli;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.Eventually.eventually;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.ibidem.buffer.Frame;
import org.ibidem.circuit.Circuit;
import org.ibidem.circuit.CircuitReceiver;
import org.ibidem.hub.Hub;
import org.ibidem.port.PortType;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.SendPort;
import org.ibidem.registry.Join;
import org.ibidem.registry.Member;
import org.ibidem.registry.Node;
import org.ibidem.registry.operation.Diagnosis;
import org.ibidem.topology.Location;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/// `ibidem explain` says over what a circuit, and a port, go at this moment: to each member another
/// way.
@Tag("slow")
@Timeout(120)
@Isolated("sets properties that nodes read as they join")
class ExplainWaysTest {
    private static final String BEHIND = "behind-a-hub";
    private static final String SHM = "ibidem.shm";

    @TempDir static Path elsewhere;

    private final Hub hub = Hub.start(Hub.Options.DEFAULT.port(0));
    private final List<AutoCloseable> opened = new ArrayList<>(List.of(hub));
    private final List<Node> nodes = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        System.clearProperty("ibidem.methods." + BEHIND);
        for (var one : opened.reversed()) {
            one.close();
        }
    }

    private void join(Join as) {
        var node = Node.join(as.rank(nodes.size()));
        nodes.add(node);
        opened.add(node);
    }

    /// Two that share memory, one that finds another folder, and one that is reached through the
    /// hub only.
    private void joinAll() {
        System.setProperty("ibidem.methods." + BEHIND, "routed"); // of that site, and no other
        var join = Join.pool("ways").hub("localhost:" + hub.port()).size(4).open(true);
        join(join);
        join(join);
        System.setProperty(SHM, elsewhere.toString());
        try {
            join(join);
            join(join.location(new Location(List.of("here", BEHIND))));
        } finally {
            System.clearProperty(SHM);
        }
    }

    private static final class Drops implements CircuitReceiver {
        @Override
        public boolean frame(int from, Frame frame) {
            return true;
        }

        @Override
        public void lost(int from, boolean inOrder, String why) {
            // all end together
        }
    }

    private Circuit open() {
        var ids =
                nodes.getFirst().awaitMembers(4, Duration.ofSeconds(30)).stream()
                        .map(Member::id)
                        .toList();
        var all = new ArrayList<Circuit>();
        for (var node : nodes) {
            all.add(Circuit.open(node, "three", ids, "multi(shm, tcp)", new Drops()));
        }
        opened.addAll(all);
        return all.getFirst();
    }

    private static boolean sends(Circuit circuit, int to) {
        var room = new Frame();
        circuit.enter();
        try {
            circuit.poll();
            if (!circuit.claim(to, room, 1)) {
                return false;
            }
            room.position += 1;
            circuit.commit(to, room, 0);
            return true;
        } finally {
            circuit.leave();
        }
    }

    /// What a node says that goes from it to another, when a third one asks.
    private List<String> told(int from, int to) {
        return Diagnosis.of(nodes.get(2))
                .ways(nodes.get(from).id(), nodes.get(to).id(), Duration.ofSeconds(40))
                .tried()
                .stream()
                .map(way -> way.method() + " " + way.why())
                .toList();
    }

    /// What stands below the last heading.
    private String explained(String from, String to) {
        var out = new StringWriter();
        var err = new StringWriter();
        String[] words = {
            "explain", from, to, "--pool", "ways", "--hub", "localhost:" + hub.port()
        };
        int code =
                Main.commandLine(words)
                        .setOut(new PrintWriter(out, true))
                        .setErr(new PrintWriter(err, true))
                        .execute(words);
        assertThat(code).as(err.toString()).isZero();
        var said = out.toString();
        return said.substring(said.indexOf("what goes there now:"));
    }

    @Test
    void one_circuit_goes_over_three_ways_at_once_and_it_says_so() {
        joinAll();
        var circuit = open();
        for (int to = 1; to < 4; to++) {
            int member = to;
            eventually("member " + to + " is reached", () -> sends(circuit, member));
        }
        assertThat(circuit.way(1)).isEqualTo("shm");
        assertThat(circuit.way(2)).matches("tcp by direct to \\S+:\\d+.* \\(shm: no, .*");
        assertThat(circuit.way(3)).matches("tcp by routed to \\S+.* \\(shm: no, .*");
        assertThat(told(0, 1)).containsExactly("circuit 'three' over shm");
        assertThat(told(0, 2))
                .singleElement(as(InstanceOfAssertFactories.STRING))
                .matches("circuit 'three' over tcp by direct to \\S+:\\d+.*");
        assertThat(told(1, 0)).isEmpty();
        assertThat(explained("0", "3"))
                .matches(
                        "(?s).*:\\R\\Rcircuit  'three' over tcp by routed to .*through the hub\\R");
    }

    /// Ports are told by the same.
    @Test
    void of_a_port_it_says_so_until_that_is_closed() {
        joinAll();
        var type = PortType.oneToOne().stack("multi(shm, tcp)");
        try (var in = ReceivePort.open(nodes.get(1), type, "answers")) {
            try (var out = SendPort.open(nodes.get(0), type, "out")) {
                out.connect(nodes.get(1).id(), in.name());
                assertThat(told(0, 1)).containsExactly("port 'answers' over shm");
            }
            eventually("it is gone", () -> told(0, 1).isEmpty());
        }
    }

    @Test
    void of_more_ways_than_are_told_it_says_how_many() {
        joinAll();
        var type = PortType.manyToOne().stack("tcp");
        try (var in = ReceivePort.open(nodes.get(1), type, "many")) {
            for (int i = 0; i < 35; i++) {
                var out = SendPort.open(nodes.get(0), type, "out " + i);
                opened.add(out);
                out.connect(nodes.get(1).id(), in.name());
            }
            assertThat(told(0, 1)).hasSize(32).endsWith("and 4 more, which are not told");
        }
    }
}
