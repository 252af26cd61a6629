package org.ibidem.rmi;

import java.rmi.RemoteException;
import java.time.Duration;
import org.ibidem.topology.NodeId;

/// The nodes that a part has stubs of, told by calls of their directories; the part itself without.
final class OtherNodes implements Holding.Owners {
    private static final Duration AGAIN = Duration.ofMillis(500);
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(1);

    private final Part part;

    OtherNodes(Part part) {
        this.part = part;
    }

    private boolean isHere(NodeId node) {
        return node.equals(part.node().id());
    }

    @Override
    public boolean isGone(NodeId owner) {
        return part.isGone(owner);
    }

    @Override
    public void tell(Holding.Key object, boolean has, long number) throws RemoteException {
        if (isHere(object.node())) {
            part.heard(object.node(), object.object(), has, number);
            return;
        }
        var owner = part.directory(object.node(), LIMIT);
        if (has) {
            owner.hold(object.object(), number);
        } else {
            owner.release(object.object(), number);
        }
    }

    @Override
    public void tellNothing(NodeId owner) throws RemoteException {
        if (part.isConnected(owner)) {
            part.directory(owner, CLOSE_LIMIT).releaseAll();
        }
    }

    @Override
    public void start(Holding.Key object, Runnable body) {
        if (isHere(object.node())) {
            body.run(); // no message
        } else {
            part.tasks().start("tells of a stub", body);
        }
    }

    @Override
    public void later(Holding.Key object, Runnable body) {
        part.later(AGAIN, "tells of a stub again", body);
    }
}
