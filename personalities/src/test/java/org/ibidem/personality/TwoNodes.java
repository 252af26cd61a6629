package org.ibidem.personality;

import java.time.Duration;
import org.ibidem.hub.Hub;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;

/// Two members of a pool that know each other, and their hub.
public record TwoNodes(Hub hub, Node one, Node two) implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    /// In a new pool of this name.
    public static TwoNodes join(String pool) {
        var hub = Hub.start(Hub.Options.DEFAULT.port(0));
        var join = Join.pool(pool).hub("localhost:" + hub.port()).size(2);
        var both = new TwoNodes(hub, Node.join(join.rank(0)), Node.join(join.rank(1)));
        both.one.awaitMembers(2, LIMIT);
        both.two.awaitMembers(2, LIMIT);
        return both;
    }

    @Override
    public void close() {
        one.close();
        two.close();
        hub.close();
    }
}
