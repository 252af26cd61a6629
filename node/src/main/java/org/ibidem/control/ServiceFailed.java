package org.ibidem.control;

import org.ibidem.IbidemException;
import org.ibidem.connect.Unreachable;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// A request to another node was not answered, or was answered with a failure.
public final class ServiceFailed extends IbidemException {
    private static final long serialVersionUID = 1L;
    private final boolean cutOff;
    private final boolean gone;
    private final boolean answer;

    /// Says why there was no answer.
    public ServiceFailed(String message) {
        super(message);
        cutOff = false;
        gone = false;
        answer = false;
    }

    /// The same, with what it came from.
    public ServiceFailed(String message, Throwable cause) {
        super(message, cause);
        cutOff = cause instanceof ServiceFailed failed && failed.cutOff;
        gone = cause instanceof ServiceFailed failed && failed.gone;
        answer = cause instanceof Answer;
    }

    private ServiceFailed(String message, @Nullable Ending how) {
        super(message);
        cutOff = how instanceof Ending.Reset || how instanceof Ending.Altered;
        gone = how instanceof Ending.Left || how instanceof Ending.EndOfStream;
        answer = false;
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
    public static ServiceFailed vanished(NodeId peer, Unreachable how) {
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

    /// What the peer answered in the place of what it was asked for.
    static final class Answer extends IbidemException {
        private static final long serialVersionUID = 1L;

        Answer(String why) {
            super(why);
        }
    }

    /// Whether the peer has answered: with a failure.
    public boolean isAnswer() {
        return answer;
    }

    /// Whether it says that the peer has gone.
    public boolean isGone() {
        return gone;
    }

    /// Whether it was the network that failed, such as the connection to a hub through which the
    /// service link was routed: the peer may be well, and be reached again.
    public boolean isCutOff() {
        return cutOff;
    }
}
