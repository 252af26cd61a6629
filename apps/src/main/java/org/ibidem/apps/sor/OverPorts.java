package org.ibidem.apps.sor;

import java.util.List;
import org.ibidem.registry.Member;
import org.ibidem.registry.Node;

/// The others over ports: rows from neighbour to neighbour, residuals along a tree.
final class OverPorts implements Others {
    private final Halo halo;
    private final Tree tree;
    private final Gather gather;

    /// Of process `node.rank()` of `ranks`.
    OverPorts(Node node, Options options, int ranks) {
        this.halo = new Halo(node, options, ranks);
        this.tree = new Tree(node, options.stack());
        this.gather = new Gather(node, options, ranks);
    }

    /// What residuals are summed up along.
    Tree tree() {
        return tree;
    }

    @Override
    public void connect(List<Member> members) {
        halo.connect(members);
        tree.connect(members);
        gather.connect(members);
    }

    @Override
    public void send(Block block, int colour) {
        halo.send(block, colour);
    }

    @Override
    public void receive(Block block, int colour) {
        halo.receive(block, colour);
    }

    @Override
    public Tally reduce(double residual) {
        return tree.reduce(
                new Tally(
                        residual, halo.messages() + tree.messages(), halo.bytes() + tree.bytes()));
    }

    @Override
    public void gather(Block block, RowReader reader) {
        gather.gather(block, reader);
    }

    @Override
    public void close() {
        gather.close();
        tree.close();
        halo.close();
    }
}
