package org.ibidem.hub;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.ibidem.registry.Node;
import org.ibidem.registry.PoolEvent;

/// The events a node told of, to wait on.
final class Heard implements Consumer<PoolEvent> {
    static final Duration LONG = Duration.ofSeconds(30);

    private final List<PoolEvent> events = new ArrayList<>();

    static Heard by(Node node) {
        var heard = new Heard();
        node.events(heard);
        return heard;
    }

    @Override
    public synchronized void accept(PoolEvent event) {
        events.add(event);
        notifyAll();
    }

    synchronized List<PoolEvent> all() {
        return List.copyOf(events);
    }

    /// For the messages of assertions.
    @Override
    public String toString() {
        return all().toString();
    }

    <T extends PoolEvent> T await(Class<T> kind) {
        return kind.cast(await(kind::isInstance, kind.getSimpleName()));
    }

    synchronized PoolEvent await(Predicate<PoolEvent> wanted, String what) {
        return await(wanted, what, LONG);
    }

    synchronized PoolEvent await(Predicate<PoolEvent> wanted, String what, Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        while (true) {
            var found = events.stream().filter(wanted).findFirst();
            if (found.isPresent()) {
                return found.get();
            }
            long millis = (deadline - System.nanoTime()) / 1_000_000;
            if (millis <= 0) {
                throw new AssertionError("no " + what + " among " + events);
            }
            try {
                wait(millis);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }
}
