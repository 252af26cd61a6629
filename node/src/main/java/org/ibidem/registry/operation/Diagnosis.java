package org.ibidem.registry.operation;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.ibidem.link.Line;
import org.ibidem.peer.Course;
import org.ibidem.peer.Deliberation;
import org.ibidem.peer.Purpose;
import org.ibidem.registry.Node;
import org.ibidem.registry.Visitor;
import org.ibidem.registry.access.Runtimes;
import org.ibidem.selector.Alternatives;
import org.ibidem.selector.Selector;
import org.ibidem.station.NodeRuntime;
import org.ibidem.topology.NodeId;

/// What reaches a peer, how fast, and over which link: tried now, for people who ask.
public final class Diagnosis {
    private final NodeRuntime runtime;

    private Diagnosis(NodeRuntime runtime) {
        this.runtime = runtime;
    }

    /// As this node sees it.
    public static Diagnosis of(Node node) {
        return new Diagnosis(Runtimes.of(node));
    }

    /// As this visitor sees it.
    public static Diagnosis of(Visitor visitor) {
        return new Diagnosis(Runtimes.of(visitor));
    }

    /// Tries every connect method towards a peer, one after the other.
    ///
    /// @param each time limit of each
    public Deliberation explain(NodeId peer, Duration each) {
        return runtime.explanations().explain(peer, each);
    }

    /// Has another node do so.
    ///
    /// @param from the node that tries
    /// @param each time limit of each
    public Deliberation explain(NodeId from, NodeId peer, Duration each) {
        return isThis(from)
                ? explain(peer, each)
                : runtime.explanations().explain(from, peer, each);
    }

    /// Tries every network driver towards a peer, in the order in which `auto` would, by making a
    /// link.
    ///
    /// @param from the node that tries: this one or another
    /// @param each time limit of each
    public Deliberation trials(NodeId from, NodeId peer, Duration each) {
        var trials = runtime.trials();
        return isThis(from) ? trials.trials(peer, each) : trials.trials(from, peer, each);
    }

    /// What goes from a node to another now, channel by channel; at most 32.
    public Deliberation ways(NodeId from, NodeId peer, Duration limit) {
        var ways = runtime.ways();
        return isThis(from) ? ways.to(peer) : ways.to(from, peer, limit);
    }

    /// The course that data to a peer takes; a link is made if there is none.
    ///
    /// @param notation of the stack, or `auto`
    /// @throws org.ibidem.IbidemException when none could be made within `limit`
    public Alternatives.Found<Course> course(NodeId peer, String notation, Duration limit) {
        var selector = new Selector(runtime.catalog(), runtime.domains(), runtime.secrecy());
        return new Alternatives(selector, runtime.tasks(), runtime::line)
                .first(
                        notation,
                        runtime.contact(peer, limit),
                        limit,
                        (stack, left) -> runtime.trials().course(peer, stack, left));
    }

    /// The connect methods by which a link to this peer is being tried at this moment.
    public List<String> trying(NodeId peer) {
        return runtime.trying(peer);
    }

    /// How the last connection to a peer came about, if this node made one lately and had a choice.
    public Optional<Deliberation> deliberation(NodeId peer, Purpose purpose) {
        return runtime.deliberation(peer, purpose);
    }

    /// What is known of the line to a peer.
    public Line line(NodeId peer) {
        return runtime.line(peer);
    }

    /// Asks a peer whether it is there, over the service link, which is made if there is none.
    ///
    /// @return how long the answer took
    /// @throws org.ibidem.IbidemException when there is none within `limit`
    public Duration ping(NodeId peer, Duration limit) {
        return runtime.ping(peer, limit);
    }

    private boolean isThis(NodeId node) {
        return node.equals(runtime.id());
    }
}
