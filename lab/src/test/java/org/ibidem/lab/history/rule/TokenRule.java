package org.ibidem.lab.history.rule;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Set;
import org.ibidem.lab.history.Call;
import org.ibidem.lab.history.History;
import org.ibidem.lab.history.Nodes;
import org.jspecify.annotations.Nullable;

/// No token is lost or doubled: those added are there or were taken once. One that was taken when
/// nobody waited any more is given back, by the time of the call `settled`, unless its node ended
/// before.
///
/// An `add` serves those who wait, and says how many are left: so many calls that take one must
/// come right behind it.
final class TokenRule implements Rule {
    private static final String GIVE = "give";

    /// Microseconds after its limit: some time later whoever waits in vain goes on, whether its hub
    /// has heard of that or not.
    private static final long UNHEARD = 900_000;

    private static final Set<String> READS = Set.of("count", "settled");

    /// How many there are.
    ///
    /// @param count that nobody has taken
    /// @param served that an `add` has given to those who wait
    /// @param owed taken by nodes that give them back
    /// @param astray the same by nodes that may have ended before
    record State(long count, long served, long owed, long astray) {
        @Nullable State count(long by) {
            return count + by < 0 ? null : new State(count + by, served, owed, astray);
        }
    }

    @Override
    public List<String> broken(History history) {
        var nodes = new Nodes(history);
        var broken = new ArrayList<String>();
        history.byName("add", "take", "count", "settled")
                .forEach((name, calls) -> {
                    var known = new ArrayList<Call>();
                    for (var call : Linear.known(calls, history)) {
                        var sure = mayComeLate(call, history, nodes) ? call.forgotten() : call;
                        if (sure.open() && READS.contains(sure.operation())) {
                            continue; // Whether it was done or not, it says nothing.
                        }
                        known.add(sure);
                        if (sure.open() && sure.operation().equals("take")) {
                            known.add(give(sure));
                        }
                    }
                    Linear.check("tokens " + name, new Tokens(nodes), known, broken);
                });
        return broken;
    }

    /// One that waited and got none, and whose hub may have been away, or did not listen to it any
    /// more, or had not heard in time that its waiting is over: if it is asked later, a token may
    /// come then.
    private static boolean mayComeLate(Call call, History history, Nodes nodes) {
        return call.ok()
                && call.operation().equals("take")
                && waits(call)
                && call.result().getFirst().equals("false")
                && (call.ended() - call.invoked() >= call.limit() + UNHEARD
                        || history.troubled(call.invoked(), call.ended())
                        || nodes.end(call.who()) <= call.ended());
    }

    private static boolean waits(Call take) {
        return take.arguments().size() > 1;
    }

    private static Call give(Call take) {
        return new Call(
                take.who(),
                take.number(),
                take.limit(),
                GIVE,
                take.arguments(),
                take.invoked(),
                Call.NEVER,
                Call.End.NONE,
                List.of());
    }

    /// The tokens of one name.
    private record Tokens(Nodes nodes, java.util.Map<String, Boolean> stays)
            implements Model<State> {
        Tokens(Nodes nodes) {
            this(nodes, new HashMap<>());
        }

        @Override
        public State first() {
            return new State(0, 0, 0, 0);
        }

        private boolean staysToTheEnd(Call call) {
            return stays.computeIfAbsent(call.who(), who -> nodes.end(who) == Call.NEVER);
        }

        @Override
        public @Nullable State after(State state, Call call) {
            if (state.served() > 0 && !call.operation().equals("take")) {
                return null;
            }
            return switch (call.operation()) {
                case "add" -> add(state, call);
                case "take" -> take(state, call);
                case GIVE -> give(state, call);
                case "settled" ->
                        state.owed() == 0 && call.number(0) == state.count() ? state : null;
                default -> call.ok() && call.number(0) != state.count() ? null : state;
            };
        }

        private static @Nullable State add(State state, Call call) {
            long all = state.count() + Long.parseLong(call.arguments().get(1));
            if (!call.ok()) {
                return new State(all, 0, state.owed(), state.astray());
            }
            long left = call.number(0);
            return left > all ? null : new State(left, all - left, state.owed(), state.astray());
        }

        private @Nullable State take(State state, Call call) {
            boolean none = call.ok() && call.result().getFirst().equals("false");
            if (none) {
                return state.served() == 0 && state.count() == 0 ? state : null;
            }
            var left =
                    state.served() > 0
                            ? new State(
                                    state.count(), state.served() - 1, state.owed(), state.astray())
                            : state.count(-1);
            if (left == null || call.ok()) {
                return left;
            }
            return staysToTheEnd(call)
                    ? new State(left.count(), left.served(), left.owed() + 1, left.astray())
                    : new State(left.count(), left.served(), left.owed(), left.astray() + 1);
        }

        private @Nullable State give(State state, Call call) {
            if (staysToTheEnd(call)) {
                return state.owed() == 0
                        ? null
                        : new State(state.count() + 1, 0, state.owed() - 1, state.astray());
            }
            return state.astray() == 0
                    ? null
                    : new State(state.count() + 1, 0, state.owed(), state.astray() - 1);
        }

        @Override
        public Object effect(Call call) {
            boolean matters = call.open() || call.operation().equals("take");
            boolean stays = !matters || staysToTheEnd(call);
            return List.of(call.operation(), call.arguments(), call.result(), call.ok(), stays);
        }
    }
}
