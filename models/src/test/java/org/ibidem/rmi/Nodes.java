package org.ibidem.rmi;

import java.util.ArrayList;
import java.util.List;
import org.ibidem.hub.Hub;
import org.ibidem.registry.Join;
import org.ibidem.registry.Membership;
import org.ibidem.registry.Node;
import org.ibidem.registry.Visitor;

/// A pool of nodes of this JVM.
final class Nodes implements AutoCloseable {
    private Hub hub = Hub.start(Hub.Options.DEFAULT.port(0));
    private final List<Node> nodes = new ArrayList<>();
    private final List<Rmi> parts = new ArrayList<>();

    Node node() {
        return node(Membership.EVENTUAL);
    }

    Node node(Membership membership) {
        var join = Join.pool("rmi").hub("localhost:" + hub.port());
        nodes.add(Node.join(join.membership(membership)));
        return nodes.getLast();
    }

    /// One that looks into the pool.
    Visitor visitor() {
        return Visitor.of(Join.pool("rmi").hub("localhost:" + hub.port()));
    }

    Rmi part() {
        return part(Rmi.Options.usual());
    }

    Rmi part(Rmi.Options options) {
        parts.add(Rmi.open(node(), options));
        return parts.getLast();
    }

    Node node(int index) {
        return nodes.get(index);
    }

    /// From now on nobody can be asked who is where.
    void endHub() {
        hub.close();
    }

    /// Another takes its place, so that who leaves need not wait for it in vain.
    void beginHub() {
        hub = Hub.start(Hub.Options.DEFAULT.port(hub.port()));
    }

    @Override
    public void close() {
        parts.forEach(Rmi::close);
        nodes.forEach(Node::close);
        hub.close();
    }
}
