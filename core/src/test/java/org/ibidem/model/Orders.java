package org.ibidem.model;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

/// Runs real code in every order in which its threads can take their steps, and looks for one that
/// goes wrong (Godefroid, "Model checking for programming languages using VeriSoft", 1997). Only
/// one thread runs at a time, from one step to the next: what code does between two steps is to be
/// seen by nobody else, as under a lock. Every order is a run of its own from the start; one that
/// comes to where another was before goes no further.
public final class Orders {
    private static final int MOST_RUNS = 200_000;

    /// What an exploration found.
    ///
    /// @param states how many different states there are
    /// @param wrong what went wrong, and the steps to it; or empty
    public record Result(int states, List<String> wrong) {}

    /// What the threads of one run do, and what is to hold at its end.
    public interface Scenario {
        /// Starts threads.
        void begin();

        /// All that they share.
        String state();

        /// When nobody can go on any more.
        ///
        /// @param waiting the last steps of those who have not ended
        void end(List<String> waiting);
    }

    /// Ends a thread whose run is over.
    private static final class Abort extends Error {
        private static final long serialVersionUID = 1L;

        Abort() {
            super("the run is over", null, false, false);
        }
    }

    /// A thread. Where it is, is what it has done since its last [#anew].
    private static final class Actor {
        final String name;
        final Semaphore permit = new Semaphore(0);
        String at = "begin";
        long history;
        BooleanSupplier when = () -> true;

        Actor(String name) {
            this.name = name;
        }

        void comesTo(String step, BooleanSupplier can) {
            at = step;
            when = can;
            history = history * 0x5DEECE66DL + step.hashCode();
        }

        @Override
        public String toString() {
            return name + ": " + at;
        }
    }

    /// Of those who could go on, who did.
    private static final class Choice {
        final int of;
        int taken;

        Choice(int of) {
            this.of = of;
        }
    }

    private final List<Actor> actors = new ArrayList<>();
    private final List<String> path = new ArrayList<>();
    private final Semaphore over = new Semaphore(0);
    private final List<Choice> choices;
    private final Set<String> seen;
    private Supplier<String> state = () -> "";

    /// Null: nobody has begun.
    private Actor running;

    private int made;
    private Throwable wrong;
    private volatile boolean aborted;

    private Orders(List<Choice> choices, Set<String> seen) {
        this.choices = choices;
        this.seen = seen;
    }

    /// Explores all orders of what each of these scenarios does, which are to be the same.
    public static Result explore(Function<Orders, Scenario> scenario) {
        var choices = new ArrayList<Choice>();
        var seen = new HashSet<String>();
        for (int runs = 0; runs < MOST_RUNS; runs++) {
            var orders = new Orders(choices, seen);
            orders.run(scenario.apply(orders));
            if (orders.wrong != null) {
                orders.path.add(String.valueOf(orders.wrong));
                return new Result(seen.size(), orders.path);
            }
            while (!choices.isEmpty() && ++choices.getLast().taken == choices.getLast().of) {
                choices.removeLast();
            }
            if (choices.isEmpty()) {
                return new Result(seen.size(), List.of());
            }
        }
        throw new IllegalStateException("more than " + MOST_RUNS + " runs");
    }

    private void run(Scenario scenario) {
        state = scenario::state;
        scenario.begin();
        next();
        over.acquireUninterruptibly();
        if (wrong == null && actors.stream().noneMatch(Orders::canGoOn)) {
            try {
                scenario.end(actors.stream().map(Actor::toString).toList());
            } catch (AssertionError e) {
                wrong = e;
            }
        }
        aborted = true;
        actors.forEach(actor -> actor.permit.release());
    }

    private static boolean canGoOn(Actor actor) {
        return actor.when.getAsBoolean();
    }

    /// A thread that takes part.
    public void start(String name, Runnable body) {
        var actor = new Actor(name);
        actors.add(actor);
        Thread.ofVirtual()
                .start(() -> {
                    try {
                        actor.permit.acquireUninterruptibly();
                        if (!aborted) {
                            body.run();
                            actors.remove(actor);
                            next();
                        }
                    } catch (Abort _) {
                        // as all of this run
                    } catch (Throwable e) { // whatever it is, the run is over
                        fails(e);
                    }
                });
    }

    private void fails(Throwable e) {
        if (!aborted) {
            wrong = e;
            over.release();
        }
    }

    /// What the running thread does next is a step, and others may do theirs before.
    public void step(String what) {
        step(what, () -> true);
    }

    /// The same; it waits until it can.
    public void step(String what, BooleanSupplier can) {
        if (aborted) {
            throw new Abort();
        }
        var me = running;
        if (me == null) {
            return; // they have not begun
        }
        me.comesTo(what, can);
        next();
        me.permit.acquireUninterruptibly();
        if (aborted) {
            throw new Abort();
        }
    }

    /// What the running thread does from now on depends on nothing that it did before.
    public void anew() {
        running.history = 0;
    }

    /// Somebody goes on, if anybody can, and if it was not seen what comes of it.
    private void next() {
        var can = actors.stream().filter(Orders::canGoOn).toList();
        if (can.isEmpty() || !isNew()) {
            over.release();
            return;
        }
        if (made == choices.size()) {
            choices.add(new Choice(can.size()));
        }
        var chosen = can.get(choices.get(made++).taken);
        path.add(chosen.toString());
        running = chosen;
        chosen.permit.release();
    }

    private boolean isNew() {
        var where = new StringBuilder(state.get());
        for (var actor : actors) {
            where.append('|').append(actor.name).append(actor.at).append(actor.history);
        }
        return seen.add(where.toString()) || made < choices.size();
    }
}
