package org.ibidem.registry.uplink;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.ibidem.registry.Events;
import org.ibidem.registry.PoolEvent;
import org.ibidem.registry.Subscription;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// The events that wait for one subscriber, polled by it or given to it by a task. It holds 4096 of
/// them; who is further behind gets, after those, the difference between them and what is known
/// then.
final class Inbox implements Events, Subscription {
    static final int MOST = 4096;

    private static final Logger LOG = System.getLogger(Inbox.class.getName());

    private final Uplink uplink;
    private final Guard guard;
    private final Predicate<PoolEvent> wanted;
    private final @Nullable Consumer<PoolEvent> consumer;
    private final ArrayDeque<PoolEvent> waiting = new ArrayDeque<>();
    private @Nullable View told; // what those waiting lead to, when events after them were dropped
    private final Map<NodeId, String> dead = new HashMap<>(); // of those told of, since then
    private boolean running;
    private boolean paused;
    private boolean closed;

    /// @param consumer who gets the events; null: they are polled
    Inbox(
            Uplink uplink,
            Guard guard,
            Predicate<PoolEvent> wanted,
            @Nullable Consumer<PoolEvent> consumer) {
        this.uplink = uplink;
        this.guard = guard;
        this.wanted = wanted;
        this.consumer = consumer;
    }

    // Called by the feed, under the lock.

    boolean full() {
        return told == null && waiting.size() >= MOST;
    }

    void fallBehind(View then) {
        told = then;
    }

    void offer(PoolEvent event) {
        var before = told;
        if (before != null) {
            if (event instanceof PoolEvent.Died(var member, var why)
                    && before.member(member.id()) != null) {
                dead.put(member.id(), why);
            }
        } else if (wanted.test(event)) {
            waiting.add(event);
            wake();
        }
    }

    void fill(List<? extends PoolEvent> events) {
        for (var event : events) {
            if (wanted.test(event)) {
                waiting.add(event);
            }
        }
        wake();
    }

    private void wake() {
        guard.changed();
        if (consumer != null && !running && !paused && !closed && !waiting.isEmpty()) {
            running = true;
            uplink.tasks().start("events", this::work);
        }
    }

    /// The next event, or null; under the lock.
    private @Nullable PoolEvent take() {
        if (waiting.isEmpty() && told != null && !closed) {
            var now = uplink.difference(told, dead);
            told = null;
            dead.clear();
            fill(List.of(new PoolEvent.Missed("it took too few of its events to keep them all")));
            fill(now);
        }
        return closed ? null : waiting.poll();
    }

    // Given by a task.

    private void work() {
        for (var event = next(); event != null; event = next()) {
            call(event);
        }
    }

    private @Nullable PoolEvent next() {
        return guard.locked(() -> {
            var event = paused ? null : take();
            running = event != null;
            return event;
        });
    }

    private void call(PoolEvent event) {
        try {
            if (consumer != null) {
                consumer.accept(event);
            }
        } catch (RuntimeException | Error e) { // an assertion, or a class that is not there, say
            LOG.log(
                    Level.ERROR,
                    "a consumer of pool events failed on " + event + "; it gets the next ones",
                    e);
        }
    }

    @Override
    public void pause() {
        guard.run(() -> paused = true);
    }

    @Override
    public void resume() {
        guard.run(() -> {
            paused = false;
            wake();
        });
    }

    // Polled.

    @Override
    public Optional<PoolEvent> poll() {
        return guard.locked(() -> Optional.ofNullable(take()));
    }

    @Override
    public Optional<PoolEvent> next(Duration limit) {
        long deadline = guard.deadline(limit);
        var event = poll();
        while (event.isEmpty()
                && guard.await(
                        () -> !waiting.isEmpty() || told != null || ended(), guard.left(deadline))
                && !guard.locked(this::ended)) {
            event = poll();
        }
        return event;
    }

    @Override
    public List<PoolEvent> pollAll() {
        return guard.locked(() -> {
            var all = new ArrayList<PoolEvent>();
            for (var event = take(); event != null; event = take()) {
                all.add(event);
            }
            return all;
        });
    }

    private boolean ended() {
        return closed || (waiting.isEmpty() && uplink.closed());
    }

    @Override
    public void close() {
        guard.run(() -> {
            closed = true;
            waiting.clear();
            told = null;
            dead.clear();
            uplink.unsubscribe(this);
            guard.changed();
        });
    }
}
