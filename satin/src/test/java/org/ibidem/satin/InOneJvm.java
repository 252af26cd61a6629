package org.ibidem.satin;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.ibidem.hub.Hub;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.ibidem.topology.Location;
import org.junit.jupiter.api.AfterEach;

/// A pool whose processes are nodes in this JVM.
abstract class InOneJvm {
    final Hub hub = Hub.start(Hub.Options.DEFAULT.port(0));
    final List<Node> nodes = new ArrayList<>();
    final List<Satin> parts = new ArrayList<>();
    final List<FutureTask<Void>> working = new ArrayList<>();

    Satin part() {
        return part(Join.pool("satin"));
    }

    /// At a place of its own.
    Satin part(String location) {
        return part(Join.pool("satin").location(Location.parse(location)));
    }

    private Satin part(Join join) {
        var node = Node.join(join.hub("localhost:" + hub.port()));
        nodes.add(node);
        parts.add(Satin.open(node, Satin.Options.USUAL.loader(InOneJvm.class.getClassLoader())));
        return parts.getLast();
    }

    Satin worker() {
        var part = part();
        work(part);
        return part;
    }

    void work(Satin part) {
        var work =
                new FutureTask<Void>(() -> {
                    part.work();
                    return null;
                });
        working.add(work);
        Thread.ofPlatform().daemon().start(work);
    }

    @AfterEach
    void close() {
        parts.forEach(Satin::close);
        nodes.forEach(Node::close);
        hub.close();
    }
}
