package org.ibidem.rmi.program;

import org.ibidem.hub.Hub;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.ibidem.rmi.Rmi;
import org.ibidem.serial.ObjectPolicy;

/// A pool whose only node is that of this process.
final class OwnPool implements AutoCloseable {
    private final Hub hub = Hub.start(Hub.Options.DEFAULT.port(0));
    private final Node node = Node.join(Join.pool("own").hub("localhost:" + hub.port()));
    private final Rmi rmi;

    OwnPool(ObjectPolicy policy) {
        rmi = Rmi.open(node, Rmi.Options.usual().policy(policy).uninterruptible());
        Home.is(node, rmi);
    }

    @Override
    public void close() {
        Home.isNone();
        rmi.close();
        node.close();
        hub.close();
    }
}
