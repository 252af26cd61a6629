package org.ibidem.apps.life;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.ibidem.registry.Member;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// Plans the eras: asks all members what they hold, tells them what to do, waits until it is done,
/// and again. Remembers nothing that the next coordinator could not ask for. Called by one thread.
final class Coordinator {
    private final NodeId me;
    private final Planner planner;
    private final Post post;
    private final Watcher watcher;

    private final Map<NodeId, Integer> members = new HashMap<>();
    private final Map<NodeId, Letter.Hold> holds = new HashMap<>();
    private final Set<NodeId> waiting = new HashSet<>();
    private long attempt;
    private boolean active;
    private @Nullable Plan plan;
    private @Nullable Plan completed;
    private long population;

    /// Who is told how it goes.
    interface Watcher {
        /// An attempt at an era begins.
        void begun(Plan plan);

        /// An era is over; this many cells live. The next one begins when this returns.
        void done(Plan plan, long population);

        /// The whole field is here.
        void gathered(Plan plan);
    }

    Coordinator(NodeId me, Planner planner, Post post, Watcher watcher) {
        this.me = me;
        this.planner = planner;
        this.post = post;
        this.watcher = watcher;
    }

    /// Whether this process is the coordinator, as far as it knows.
    boolean active() {
        return active;
    }

    /// Somebody has joined, and gets rows with the next era.
    void joined(Member member) {
        members.put(member.id(), member.rank());
    }

    /// Somebody is gone. An era that needs it is planned anew.
    void gone(NodeId member) {
        members.remove(member);
        holds.remove(member);
        if (!active) {
            return;
        }
        boolean awaited = waiting.remove(member);
        var now = plan;
        if (now == null) {
            if (awaited) {
                planIfAllSaid();
            }
        } else if (now.needs(member)) {
            ask();
        }
    }

    /// This process has won the election.
    ///
    /// @param term of the election: no attempt of another winner has a number from here on
    void elected(long term) {
        active = true;
        attempt = term << Integer.SIZE;
        completed = null;
        ask();
    }

    /// Another one has.
    void replaced() {
        active = false;
    }

    /// Begins an attempt: asks all what they hold.
    void ask() {
        attempt++;
        plan = null;
        holds.clear();
        waiting.clear();
        waiting.addAll(members.keySet());
        List.copyOf(waiting).forEach(member -> post.send(member, new Letter.Ask(attempt)));
    }

    /// Takes a letter of the attempt under way.
    void take(NodeId from, Letter letter) {
        if (!active || letter.attempt() != attempt) {
            return;
        }
        switch (letter) {
            case Letter.Hold hold -> {
                if (plan == null && waiting.remove(from)) {
                    holds.put(from, hold);
                    planIfAllSaid();
                }
            }
            case Letter.Done done -> {
                if (plan != null && waiting.remove(from)) {
                    population += done.population();
                    completeIfAllDone(plan);
                }
            }
            case Letter.Trouble _ -> ask();
            default -> throw new IllegalArgumentException("not for a coordinator: " + letter);
        }
    }

    private void planIfAllSaid() {
        if (!waiting.isEmpty() || holds.isEmpty()) {
            return;
        }
        release();
        var now = planner.plan(crew());
        plan = now;
        population = 0;
        now.blocks().forEach(block -> waiting.add(block.owner()));
        watcher.begun(now);
        holds.keySet().forEach(member -> post.send(member, new Letter.Work(attempt, now)));
    }

    /// Those may go that were not needed for a whole era.
    private void release() {
        var last = completed;
        if (last == null) {
            return;
        }
        holds.entrySet()
                .removeIf(entry -> {
                    boolean goes =
                            entry.getValue().leaving()
                                    && !entry.getKey().equals(me)
                                    && last.place(entry.getKey()).isEmpty();
                    if (goes) {
                        post.send(entry.getKey(), new Letter.Release(attempt));
                    }
                    return goes;
                });
    }

    private Planner.Crew crew() {
        var all = new ArrayList<>(holds.keySet());
        all.sort(Comparator.comparing(member -> members.getOrDefault(member, 0)));
        var staying = new ArrayList<>(all);
        staying.removeIf(member -> {
            var hold = holds.get(member);
            return hold != null && hold.leaving();
        });
        var held = new HashMap<NodeId, List<Strip.Held>>();
        holds.forEach((member, hold) -> held.put(member, hold.held()));
        return new Planner.Crew(staying.isEmpty() ? all : staying, held, me);
    }

    private void completeIfAllDone(Plan done) {
        if (!waiting.isEmpty()) {
            return;
        }
        completed = done;
        if (done.steps() == 0) {
            watcher.gathered(done);
        } else {
            watcher.done(done, population);
            ask();
        }
    }
}
