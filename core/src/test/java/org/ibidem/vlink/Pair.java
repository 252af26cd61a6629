package org.ibidem.vlink;

import java.util.concurrent.atomic.AtomicInteger;
import org.ibidem.station.Neighbourhood;
import org.ibidem.station.NodeRuntime;

/// Two nodes without a hub that know where each other is.
final class Pair implements AutoCloseable {
    private static final AtomicInteger PAIRS = new AtomicInteger();

    /// What the names of its threads begin with: other tests run at the same time.
    final String name = "pair " + PAIRS.incrementAndGet();

    private final Neighbourhood all = new Neighbourhood(name);
    final NodeRuntime one = runtime();
    final NodeRuntime two = runtime();
    final VLinks from = VLinks.of(one);
    final VLinks to = VLinks.of(two);

    NodeRuntime runtime() {
        return all.runtime();
    }

    @Override
    public void close() {
        one.close();
        two.close();
        all.close();
    }
}
