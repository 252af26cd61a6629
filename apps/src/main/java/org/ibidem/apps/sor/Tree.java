package org.ibidem.apps.sor;

import java.util.List;
import java.util.stream.IntStream;
import org.ibidem.port.PortType;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.SendPort;
import org.ibidem.registry.Member;
import org.ibidem.registry.Node;

/// A reduction over all processes: tallies travel up a binary tree of ranks, the sum of all comes
/// down again.
///
/// The children of rank r are 2r + 1 and 2r + 2. A process hears of its children through one
/// many-to-one port: none of them can be a round ahead, since each waits for the sum.
final class Tree implements AutoCloseable {
    private final int parent;
    private final List<Integer> children;
    private final ReceivePort fromChildren;
    private final ReceivePort fromParent;
    private final SendPort toParent;
    private final List<SendPort> toChildren;

    /// Opens the ports of process `node.rank()` of `ranks`.
    Tree(Node node, String stack, int ranks) {
        int rank = node.rank();
        var up = PortType.manyToOne().stack(stack);
        var down = PortType.oneToOne().stack(stack);
        this.parent = rank == 0 ? -1 : (rank - 1) / 2;
        this.children =
                IntStream.of(2 * rank + 1, 2 * rank + 2)
                        .filter(child -> child < ranks)
                        .boxed()
                        .toList();
        this.fromChildren = ReceivePort.open(node, up, "tallies");
        this.fromParent = ReceivePort.open(node, down, "sum");
        this.toParent = SendPort.open(node, up, "tallies");
        this.toChildren = children.stream().map(_ -> SendPort.open(node, down, "sum")).toList();
    }

    /// Connects to parent and children, once they all have their ports.
    void connect(List<Member> members) {
        if (parent >= 0) {
            toParent.connect(members.get(parent).id(), "tallies");
        }
        for (int i = 0; i < children.size(); i++) {
            toChildren.get(i).connect(members.get(children.get(i)).id(), "sum");
        }
    }

    /// The sum of the tallies of all processes, each of which calls this once a round.
    Tally reduce(Tally mine) {
        var sum = mine;
        for (int i = 0; i < children.size(); i++) {
            sum = sum.and(receive(fromChildren));
        }
        if (parent >= 0) {
            send(toParent, sum);
            sum = receive(fromParent);
        }
        for (var child : toChildren) {
            send(child, sum);
        }
        return sum;
    }

    private static void send(SendPort port, Tally tally) {
        try (var message = port.newMessage()) {
            tally.write(message);
            message.finish();
        }
    }

    private static Tally receive(ReceivePort port) {
        try (var message = port.receive()) {
            return Tally.read(message);
        }
    }

    /// Messages sent so far.
    long messages() {
        return toParent.messages() + toChildren.stream().mapToLong(SendPort::messages).sum();
    }

    /// Bytes sent so far.
    long bytes() {
        return toParent.bytes() + toChildren.stream().mapToLong(SendPort::bytes).sum();
    }

    @Override
    public void close() {
        toParent.close();
        toChildren.forEach(SendPort::close);
        fromParent.close();
        fromChildren.close();
    }
}
