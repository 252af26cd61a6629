package mpi;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.ibidem.hub.Hub;
import org.ibidem.mpj.device.circuit.CircuitDevice;
import org.ibidem.registry.Join;
import org.ibidem.registry.Member;
import org.ibidem.registry.Node;
import org.ibidem.registry.access.Runtimes;
import org.ibidem.topology.Location;
import org.ibidem.topology.NodeId;

/// Ranks that are nodes of a pool, each with a device over a circuit; all in this JVM.
final class OverCircuits implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final String BEHIND = "behind-a-hub";

    private final Hub hub = Hub.start(Hub.Options.DEFAULT.port(0));
    private final List<Node> nodes = new ArrayList<>();
    private final String stack;
    private final List<NodeId> members;
    private final List<CircuitDevice> devices = new ArrayList<>();

    OverCircuits(int size, String stack, CircuitDevice.Limits limits) {
        this(size, stack, false, limits);
    }

    /// @param routed whether they reach each other through their hub only
    OverCircuits(int size, String stack, boolean routed, CircuitDevice.Limits limits) {
        this(size, stack, routed);
        for (var node : nodes) {
            devices.add(new CircuitDevice(node, members, stack, limits, node));
        }
    }

    /// Nodes without devices.
    ///
    /// @param routed whether they reach each other through their hub only
    OverCircuits(int size, String stack, boolean routed) {
        this.stack = stack;
        var join = Join.pool("mpj").hub("localhost:" + hub.port()).size(size);
        if (routed) {
            System.setProperty("ibidem.methods." + BEHIND, "routed"); // of that site, and no other
            join = join.open(true).location(new Location(List.of("here", BEHIND)));
        }
        for (int rank = 0; rank < size; rank++) {
            nodes.add(Node.join(join.rank(rank)));
        }
        members = nodes.getFirst().awaitMembers(size, LIMIT).stream().map(Member::id).toList();
    }

    CircuitDevice device(int rank) {
        return devices.get(rank);
    }

    /// One is told that another is dead.
    void dies(int rank, int toldTo) {
        Runtimes.of(nodes.get(toldTo)).gone(nodes.get(rank).id(), "it is dead");
    }

    /// What the ranks run over.
    Ranks.Job job() {
        return new Ranks.Job(devices::get, () -> nodes.forEach(Node::close));
    }

    void run(Ranks.Program program) {
        Ranks.run(job(), nodes.size(), false, program);
    }

    /// The first nodes are the ranks of a program, with new devices.
    void run(int size, CircuitDevice.Limits limits, Ranks.Program program) {
        var some = members.subList(0, size);
        var those =
                nodes.stream()
                        .limit(size)
                        .map(node -> new CircuitDevice(node, some, stack, limits, () -> {}))
                        .toList();
        Ranks.run(
                new Ranks.Job(those::get, () -> nodes.forEach(Node::close)), size, false, program);
    }

    @Override
    public void close() {
        nodes.forEach(Node::close);
        hub.close();
    }
}
