package org.ibidem.mpj.device;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.ibidem.hub.Hub;
import org.ibidem.mpj.device.circuit.CircuitDevice;
import org.ibidem.mpj.device.threads.Threads;
import org.ibidem.registry.Join;
import org.ibidem.registry.Member;
import org.ibidem.registry.Node;
import org.ibidem.registry.access.Runtimes;
import org.ibidem.topology.Location;
import org.ibidem.topology.NodeId;

/// The devices of one job, all in this JVM: so one thread can play all processes, which move while
/// it waits.
final class Fleet implements AutoCloseable {
    /// Messages up to this size leave at once.
    static final int EAGER = 4 << 10;

    private static final int WINDOW = 32 << 10;
    private static final Duration LIMIT = Duration.ofSeconds(30);

    /// What the messages travel by.
    enum Over {
        THREADS(""),
        SHM("shm"),
        TCP("tcp"),
        RELIABLE_UDP("reliable > udp"),

        /// Streams that a hub carries.
        ROUTED("tcp");

        private final String stack;

        Over(String stack) {
            this.stack = stack;
        }

        Fleet open(int size) {
            return this == THREADS ? ofThreads(size) : ofNodes(size, this);
        }
    }

    /// The site whose nodes are reached through a hub.
    private static final String BEHIND = "behind-a-hub";

    final List<Device> devices = new ArrayList<>();
    private final List<Runnable> opened = new ArrayList<>();
    private final List<Runnable> deaths = new ArrayList<>();

    private static Fleet ofThreads(int size) {
        var fleet = new Fleet();
        var threads = new Threads(size, EAGER, WINDOW);
        for (int id = 0; id < size; id++) {
            fleet.devices.add(threads.device(id));
            fleet.deaths.add(() -> threads.fail("it is dead"));
        }
        return fleet;
    }

    private static Fleet ofNodes(int size, Over over) {
        var fleet = new Fleet();
        var hub = Hub.start(Hub.Options.DEFAULT.port(0));
        fleet.opened.add(hub::close);
        var join = Join.pool("fleet").hub("localhost:" + hub.port()).size(size);
        if (over == Over.ROUTED) {
            System.setProperty("ibidem.methods." + BEHIND, "routed"); // of that site, and no other
            join = join.open(true).location(new Location(List.of("here", BEHIND)));
        }
        var nodes = new ArrayList<Node>();
        for (int rank = 0; rank < size; rank++) {
            nodes.add(Node.join(join.rank(rank)));
        }
        nodes.forEach(node -> fleet.opened.add(node::close));
        var ids = nodes.getFirst().awaitMembers(size, LIMIT).stream().map(Member::id).toList();
        for (var node : nodes) {
            fleet.devices.add(device(node, ids, over.stack));
            fleet.deaths.add(() ->
                    nodes.stream()
                            .filter(other -> !other.equals(node))
                            .forEach(other -> Runtimes.of(other).gone(node.id(), "it is dead")));
        }
        return fleet;
    }

    private static Device device(Node node, List<NodeId> ids, String stack) {
        var limits = new CircuitDevice.Limits(EAGER, WINDOW);
        return new CircuitDevice(node, ids, stack, limits, () -> {});
    }

    Device device(int id) {
        return devices.get(id);
    }

    /// All others are told that one is dead.
    void dies(int id) {
        deaths.get(id).run();
    }

    /// Waits until it holds, while all move.
    void until(BooleanSupplier reached) {
        while (!reached.getAsBoolean()) {
            devices.forEach(Device::progress);
            if (Thread.currentThread().isInterrupted()) {
                throw new AssertionError("it never came to that");
            }
        }
    }

    /// What a request comes to, while all move.
    Envelope end(Request request) {
        until(request::isDone);
        return request.await();
    }

    void end(Request... all) {
        Arrays.stream(all).forEach(this::end);
    }

    /// Every device that sends to every other has its links.
    Fleet connected(int context) {
        var all = new ArrayList<Request>();
        for (var one : devices) {
            IntStream.range(0, devices.size())
                    .filter(to -> to != one.id())
                    .forEach(to -> {
                        all.add(one.irecv(new Taken(1), to, 0, context));
                        all.add(one.isend(new Pattern(1, 1), to, 0, context));
                    });
        }
        all.forEach(this::end);
        return this;
    }

    @Override
    public void close() {
        opened.reversed().forEach(Runnable::run);
    }
}
