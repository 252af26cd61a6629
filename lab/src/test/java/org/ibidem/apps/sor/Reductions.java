package org.ibidem.apps.sor;

import java.time.Duration;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;

/// One process of `sor` that computes nothing: it only reduces, so often as it is told.
public final class Reductions {
    private Reductions() {}

    public static void main(String[] args) {
        try (var node = Node.join(Join.fromEnvironment());
                var tree = new Tree(node, "tcp")) {
            tree.connect(node.awaitMembers(node.size(), Duration.ofSeconds(60)));
            for (int left = Integer.parseInt(args[0]); left > 0; left--) {
                tree.reduce(new Tally(left, 1, 1));
            }
        }
    }
}
