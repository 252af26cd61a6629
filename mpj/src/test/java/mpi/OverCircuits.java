package mpi;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.ibidem.hub.Hub;
import org.ibidem.mpj.device.circuit.CircuitDevice;
import org.ibidem.registry.Join;
import org.ibidem.registry.Member;
import org.ibidem.registry.Node;
import org.ibidem.topology.NodeId;

/// Ranks that are nodes of a pool, each with a device over a circuit; all in this JVM.
final class OverCircuits implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final Hub hub = Hub.start(Hub.Options.DEFAULT.port(0));
    private final List<Node> nodes = new ArrayList<>();
    private final List<NodeId> members;
    private final List<CircuitDevice> devices = new ArrayList<>();

    OverCircuits(int size, String stack, CircuitDevice.Limits limits) {
        var join = Join.pool("mpj").hub("localhost:" + hub.port()).size(size);
        IntStream.range(0, size).forEach(rank -> nodes.add(Node.join(join.rank(rank))));
        members = nodes.getFirst().awaitMembers(size, LIMIT).stream().map(Member::id).toList();
        for (var node : nodes) {
            devices.add(new CircuitDevice(node, members, stack, limits, node));
        }
    }

    CircuitDevice device(int rank) {
        return devices.get(rank);
    }

    /// One is told that another is dead.
    void dies(int rank, int toldTo) {
        nodes.get(toldTo).station().gone(nodes.get(rank).id(), "it is dead");
    }

    /// What the ranks run over.
    Ranks.Job job() {
        return new Ranks.Job(devices::get, () -> nodes.forEach(Node::close));
    }

    void run(Ranks.Program program) {
        Ranks.run(job(), nodes.size(), false, program);
    }

    @Override
    public void close() {
        nodes.forEach(Node::close);
        hub.close();
    }
}
