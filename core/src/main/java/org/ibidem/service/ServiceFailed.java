package org.ibidem.service;

import org.ibidem.IbidemException;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// A request to another node was not answered, or was answered with a failure.
public final class ServiceFailed extends IbidemException {
    private static final long serialVersionUID = 1L;
    private final boolean cutOff;

    ServiceFailed(String message) {
        super(message);
        cutOff = false;
    }

    ServiceFailed(String message, Throwable cause) {
        super(message, cause);
        cutOff = cause instanceof ServiceFailed failed && failed.cutOff;
    }

    private ServiceFailed(String message, boolean cutOff) {
        super(message);
        this.cutOff = cutOff;
    }

    /// The service link ended before the answer.
    static ServiceFailed unanswered(NodeId peer, @Nullable Ending how) {
        return new ServiceFailed(
                "the service link to node " + peer.brief() + " has ended: " + how,
                how instanceof Ending.Reset);
    }

    /// Whether it was the network that failed, such as the connection to a hub through which the
    /// service link was routed: the peer may be well, and be reached again.
    boolean isCutOff() {
        return cutOff;
    }
}
