package org.ibidem.apps.sor;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.ibidem.port.PortType;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.ReceiveSetup;
import org.ibidem.port.SendPort;
import org.ibidem.registry.Member;
import org.ibidem.registry.Node;

/// Exchanges the outermost rows of a block with the processes above and below.
///
/// Sending does not wait for the receiver: one row of one colour fits into any link's memory, and a
/// process sends its next only after it has read the other's last.
final class Halo implements AutoCloseable {
    private final List<Neighbour> neighbours;
    private final boolean objects;

    /// The other side of one edge of the block.
    ///
    /// @param rank who
    /// @param own the row of ours that it needs
    /// @param foreign the row of its that we need
    /// @param port what its receive port for us is called
    private record Neighbour(
            int rank,
            int own,
            int foreign,
            String port,
            SendPort out,
            ReceivePort in,
            double[] cells) {}

    /// Opens the ports of process `node.rank()` of `ranks`.
    Halo(Node node, Options options, int ranks) {
        var type = PortType.oneToOne().stack(options.stack());
        int size = options.size();
        this.objects = options.objects();
        var setup = objects ? RowPart.setup() : ReceiveSetup.USUAL;
        var rows = Rows.of(node.rank(), ranks, size);
        this.neighbours =
                IntStream.of(-1, 1)
                        .filter(step -> node.rank() + step >= 0 && node.rank() + step < ranks)
                        .mapToObj(step -> {
                            var own = step < 0 ? rows.first() : rows.last();
                            var here = step < 0 ? "above" : "below";
                            var there = step < 0 ? "below" : "above";
                            var out = SendPort.open(node, type, here);
                            var in = ReceivePort.open(node, type, here, setup);
                            var cells = new double[(size + 1) / 2];
                            return new Neighbour(
                                    node.rank() + step, own, own + step, there, out, in, cells);
                        })
                        .toList();
    }

    /// Connects to the neighbours, once they all have their ports.
    void connect(List<Member> members) {
        for (var neighbour : neighbours) {
            neighbour.out().connect(members.get(neighbour.rank()).id(), neighbour.port());
        }
    }

    /// Sends the cells of one colour in the block's outermost rows.
    void send(Block block, int colour) {
        for (var neighbour : neighbours) {
            int count = block.take(neighbour.own(), colour, neighbour.cells());
            try (var message = neighbour.out().newMessage()) {
                if (objects) {
                    var cells = Arrays.copyOf(neighbour.cells(), count);
                    message.writeObject(new RowPart(neighbour.own(), cells));
                } else {
                    message.writeArray(neighbour.cells(), 0, count);
                }
                message.finish();
            }
        }
    }

    /// Receives the cells of one colour in the rows next to the block's; waits for them.
    void receive(Block block, int colour) {
        for (var neighbour : neighbours) {
            int row = neighbour.foreign();
            var cells = neighbour.cells();
            try (var message = neighbour.in().receive()) {
                if (objects) {
                    cells = RowPart.read(message, row);
                } else {
                    message.readArray(cells, 0, block.count(row, colour));
                }
            }
            block.put(row, colour, cells);
        }
    }

    /// Messages sent so far.
    long messages() {
        return neighbours.stream().mapToLong(n -> n.out().messages()).sum();
    }

    /// Bytes sent so far.
    long bytes() {
        return neighbours.stream().mapToLong(n -> n.out().bytes()).sum();
    }

    @Override
    public void close() {
        neighbours.forEach(neighbour -> neighbour.out().close());
        neighbours.forEach(neighbour -> neighbour.in().close());
    }
}
