package org.ibidem.apps.sor;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.ibidem.port.PortType;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.ReceiveSetup;
import org.ibidem.port.SendPort;
import org.ibidem.registry.Member;
import org.ibidem.registry.Node;
import org.jspecify.annotations.Nullable;

/// A reduction over all processes: tallies travel up a binary tree of the processes of a site, the
/// roots of the sites tell each other their sums ([Sites]), and the sum of all comes down again. So
/// it costs one way between sites, and not the two that a tree over all costs.
///
/// The children of the process in place p of its site are in places 2p + 1 and 2p + 2. A process
/// hears of its children through one many-to-one port: none of them can be a round ahead, since
/// each waits for the sum.
final class Tree implements AutoCloseable {
    private final Node node;
    private final String stack;
    private final ReceivePort fromChildren;
    private final SendPort toParent;
    private final List<SendPort> toChildren = new ArrayList<>();

    /// None at a root.
    private @Nullable ReceivePort fromParent;

    private @Nullable Sites sites;

    /// Opens what others of this job connect to.
    Tree(Node node, String stack) {
        this.node = node;
        this.stack = stack;
        this.fromChildren = ReceivePort.open(node, up(), "tallies");
        this.toParent = SendPort.open(node, up(), "tallies");
    }

    private PortType up() {
        return PortType.manyToOne().stack(stack);
    }

    private PortType down() {
        return PortType.oneToOne().stack(stack);
    }

    /// Opens what the parent alone may connect to, and connects to parent and children, or to the
    /// roots of other sites.
    ///
    /// @param members all processes, by rank
    void connect(List<Member> members) {
        var all = Sites.of(members);
        var mine = Sites.with(all, node.rank());
        int place = mine.indexOf(members.get(node.rank()));
        if (place > 0) {
            var parent = mine.get((place - 1) / 2).id();
            fromParent = ReceivePort.open(node, down(), "sum", ReceiveSetup.USUAL.only(parent));
            toParent.connect(parent, "tallies");
        } else if (all.size() > 1) {
            var roots = all.stream().map(List::getFirst).toList();
            sites = new Sites(node, stack, roots);
        }
        for (int child : IntStream.of(2 * place + 1, 2 * place + 2).toArray()) {
            if (child < mine.size()) {
                var to = SendPort.open(node, down(), "sum");
                to.connect(mine.get(child).id(), "sum");
                toChildren.add(to);
            }
        }
    }

    /// The sum of the tallies of all processes, each of which calls this once a round.
    Tally reduce(Tally mine) {
        var sum = mine;
        for (int i = 0; i < toChildren.size(); i++) {
            sum = sum.and(receive(fromChildren));
        }
        if (fromParent != null) {
            send(toParent, sum);
            sum = receive(fromParent);
        } else if (sites != null) {
            sum = sites.exchange(sum);
        }
        for (var child : toChildren) {
            send(child, sum);
        }
        return sum;
    }

    static void send(SendPort port, Tally tally) {
        try (var message = port.newMessage()) {
            tally.write(message);
            message.finish();
        }
    }

    static Tally receive(ReceivePort port) {
        try (var message = port.receive()) {
            return Tally.read(message);
        }
    }

    /// Messages sent so far.
    long messages() {
        return toParent.messages()
                + toChildren.stream().mapToLong(SendPort::messages).sum()
                + (sites == null ? 0 : sites.messages());
    }

    /// Bytes sent so far.
    long bytes() {
        return toParent.bytes()
                + toChildren.stream().mapToLong(SendPort::bytes).sum()
                + (sites == null ? 0 : sites.bytes());
    }

    @Override
    public void close() {
        toParent.close();
        toChildren.forEach(SendPort::close);
        if (sites != null) {
            sites.close();
        }
        if (fromParent != null) {
            fromParent.close();
        }
        fromChildren.close();
    }
}
