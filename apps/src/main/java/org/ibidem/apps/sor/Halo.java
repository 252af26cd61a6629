package org.ibidem.apps.sor;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.ibidem.IbidemException;
import org.ibidem.port.PortType;
import org.ibidem.port.ReadMessage;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.ReceiveSetup;
import org.ibidem.port.SendPort;
import org.ibidem.port.Target;
import org.ibidem.registry.Member;
import org.ibidem.registry.Node;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// Exchanges the outermost rows of a block with the processes above and below.
///
/// Sending does not wait for the receiver, who is sending too and reads later. A process sends its
/// next row only after it has read the other's last, so two rows of one colour are on their way at
/// most; where two may not fit into the memory of every link, a thread of its own sends them, which
/// costs more than the message.
final class Halo implements AutoCloseable {
    /// Bytes of a row of which two fit into the smallest memory that a link can be given, 4 KiB.
    private static final int SURE_TO_FIT = 1 << 10;

    /// The same for links as they come: rings of 64 KiB, and what the system keeps for a socket.
    private static final int USUALLY_FITS = 8 << 10;

    private static final Set<String> AS_THEY_COME = Set.of("loopback", "shm", "tcp");

    private static final Duration A_WHILE = Duration.ofSeconds(1);

    private final Node node;
    private final PortType type;
    private final Rows rows;
    private final int ranks;
    private final int cells;
    private final ExecutorService senders = Executors.newVirtualThreadPerTaskExecutor();
    private final boolean objects;

    /// Of a row.
    private final int bytes;

    private boolean sureToFit;
    private List<Neighbour> neighbours = List.of();

    /// The other side of one edge of the block.
    ///
    /// @param rank who
    /// @param own the row of ours that it needs
    /// @param foreign the row of its that we need
    /// @param port what its receive port for us is called
    private record Edge(int rank, int own, int foreign, String port) {}

    /// What travels over one edge.
    private static final class Neighbour {
        final Edge edge;
        final SendPort out;
        final ReceivePort in;
        final double[] sent;
        final double[] received;
        private @Nullable Future<?> sending;

        Neighbour(Edge edge, SendPort out, ReceivePort in, int cells) {
            this.edge = edge;
            this.out = out;
            this.in = in;
            this.sent = new double[cells];
            this.received = new double[cells];
        }

        void send(int count, boolean objects) {
            try (var message = out.newMessage()) {
                if (objects) {
                    message.writeObject(new RowPart(edge.own, Arrays.copyOf(sent, count)));
                } else {
                    message.writeArray(sent, 0, count);
                }
                message.finish();
            }
        }

        /// Whether the thread is done, or has failed.
        boolean hasSent() {
            return sending != null && sending.isDone();
        }

        /// Waits until the row given to a thread is sent: from then on its cells and its port are
        /// free.
        void settle() {
            var last = sending;
            if (last == null) {
                return;
            }
            sending = null;
            try {
                last.get();
            } catch (ExecutionException e) {
                throw e.getCause() instanceof IbidemException known
                        ? known
                        : new IllegalStateException(e.getCause());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IbidemException("interrupted while a row was being sent", e);
            }
        }
    }

    /// Of process `node.rank()` of `ranks`.
    Halo(Node node, Options options, int ranks) {
        this.node = node;
        this.ranks = ranks;
        this.type = RowPart.type(PortType.oneToOne(), options);
        this.objects = options.objects();
        this.rows = Rows.of(node.rank(), ranks, options.size());
        this.cells = (options.size() + 1) / 2;
        this.bytes = cells * Double.BYTES;
    }

    private Neighbour open(int step, NodeId peer) {
        var own = step < 0 ? rows.first() : rows.last();
        var here = step < 0 ? "above" : "below";
        var there = step < 0 ? "below" : "above";
        var setup = (objects ? RowPart.setup() : ReceiveSetup.USUAL).only(peer);
        var out = SendPort.open(node, type, here);
        var in = ReceivePort.open(node, type, here, setup);
        var edge = new Edge(node.rank() + step, own, own + step, there);
        return new Neighbour(edge, out, in, cells);
    }

    /// Opens the ports, each for one neighbour, and connects to those of the neighbours.
    void connect(List<Member> members) {
        neighbours =
                IntStream.of(-1, 1)
                        .filter(step -> node.rank() + step >= 0 && node.rank() + step < ranks)
                        .mapToObj(step -> open(step, members.get(node.rank() + step).id()))
                        .toList();
        boolean usual = true;
        for (var neighbour : neighbours) {
            var edge = neighbour.edge;
            var there = new Target(members.get(edge.rank()).id(), edge.port());
            neighbour.out.connect(there.node(), there.port());
            var way = neighbour.out.way(there);
            usual &= way != null && AS_THEY_COME.contains(way.stack());
        }
        sureToFit = !objects && bytes <= (usual ? USUALLY_FITS : SURE_TO_FIT);
    }

    /// Sends the cells of one colour in the block's outermost rows.
    void send(Block block, int colour) {
        for (var neighbour : neighbours) {
            neighbour.settle();
            int count = block.take(neighbour.edge.own(), colour, neighbour.sent);
            if (sureToFit) {
                neighbour.send(count, objects);
            } else {
                neighbour.sending = senders.submit(() -> neighbour.send(count, objects));
            }
        }
    }

    /// Receives the cells of one colour in the rows next to the block's; waits for them.
    void receive(Block block, int colour) {
        for (var neighbour : neighbours) {
            int foreign = neighbour.edge.foreign();
            var cells = neighbour.received;
            try (var message = next(neighbour.in)) {
                if (objects) {
                    cells = RowPart.read(message, foreign);
                } else {
                    message.readArray(cells, 0, block.count(foreign, colour));
                }
            }
            block.put(foreign, colour, cells);
        }
    }

    /// The next row. Where a thread sends ours, it may have failed, and the others wait for that
    /// row.
    private ReadMessage next(ReceivePort in) {
        if (sureToFit) {
            return in.receive();
        }
        var message = in.receive(A_WHILE);
        while (message == null) {
            neighbours.stream().filter(Neighbour::hasSent).forEach(Neighbour::settle);
            message = in.receive(A_WHILE);
        }
        return message;
    }

    /// Messages sent so far.
    long messages() {
        neighbours.forEach(Neighbour::settle);
        return neighbours.stream().mapToLong(n -> n.out.messages()).sum();
    }

    /// Bytes sent so far.
    long bytes() {
        neighbours.forEach(Neighbour::settle);
        return neighbours.stream().mapToLong(n -> n.out.bytes()).sum();
    }

    /// A row that is still being sent is given up: this is the end, or something has failed.
    @Override
    public void close() {
        senders.shutdownNow();
        senders.close();
        neighbours.forEach(neighbour -> neighbour.out.close());
        neighbours.forEach(neighbour -> neighbour.in.close());
    }
}
