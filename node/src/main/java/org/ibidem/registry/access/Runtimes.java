package org.ibidem.registry.access;

import java.util.Objects;
import java.util.function.Function;
import org.ibidem.registry.Node;
import org.ibidem.registry.Visitor;
import org.ibidem.station.NodeRuntime;
import org.jspecify.annotations.Nullable;

/// The runtime of a node: what deals with peers for it.
public final class Runtimes {
    private static @Nullable Function<Node, NodeRuntime> nodes;
    private static @Nullable Function<Visitor, Node> visitors;

    private Runtimes() {}

    /// Called by the initializer of [Node], which alone knows its runtime.
    public static void ofNodes(Function<Node, NodeRuntime> runtime) {
        nodes = runtime;
    }

    /// Called by the initializer of [Visitor], which alone knows its node.
    public static void ofVisitors(Function<Visitor, Node> node) {
        visitors = node;
    }

    /// The runtime of a node.
    public static NodeRuntime of(Node node) {
        return Objects.requireNonNull(nodes).apply(node);
    }

    /// The runtime of a visitor.
    public static NodeRuntime of(Visitor visitor) {
        return of(Objects.requireNonNull(visitors).apply(visitor));
    }
}
