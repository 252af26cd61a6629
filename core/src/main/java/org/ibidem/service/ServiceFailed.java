package org.ibidem.service;

import org.ibidem.IbidemException;
import org.ibidem.connect.Unreachable;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// A request to another node was not answered, or was answered with a failure.
public final class ServiceFailed extends IbidemException {
    private static final long serialVersionUID = 1L;
    private final boolean cutOff;
    private final boolean gone;

    ServiceFailed(String message) {
        super(message);
        cutOff = false;
        gone = false;
    }

    ServiceFailed(String message, Throwable cause) {
        super(message, cause);
        cutOff = cause instanceof ServiceFailed failed && failed.cutOff;
        gone = cause instanceof ServiceFailed failed && failed.gone;
    }

    private ServiceFailed(String message, @Nullable Ending how) {
        super(message);
        cutOff = how instanceof Ending.Reset || how instanceof Ending.Altered;
        gone = how instanceof Ending.Left || how instanceof Ending.EndOfStream;
    }

    /// The service link ended before the answer.
    static ServiceFailed unanswered(NodeId peer, @Nullable Ending how) {
        return new ServiceFailed(
                switch (how) {
                    case Ending.Left(var reason) ->
                            "node " + peer.brief() + " has gone: it said that " + reason;
                    case Ending.EndOfStream() ->
                            "node "
                                    + peer.brief()
                                    + " has gone, or what it was reached through: the service link"
                                    + " has ended without a word";
                    case null, default ->
                            "the service link to node " + peer.brief() + " has ended: " + how;
                },
                how);
    }

    /// The peer had answered a moment ago, and there is no way to it any more.
    static ServiceFailed vanished(NodeId peer, Unreachable how) {
        var failed =
                new ServiceFailed(
                        "node "
                                + peer.brief()
                                + " has gone, or what it was reached through: it had answered"
                                + " before, and now "
                                + how.getMessage(),
                        new Ending.EndOfStream());
        failed.initCause(how);
        return failed;
    }

    /// Whether it says that the peer has gone.
    boolean isGone() {
        return gone;
    }

    /// Whether it was the network that failed, such as the connection to a hub through which the
    /// service link was routed: the peer may be well, and be reached again.
    boolean isCutOff() {
        return cutOff;
    }
}
