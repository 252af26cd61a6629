package org.ibidem.hub.pools;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.ibidem.buffer.ControlReader;
import org.ibidem.buffer.ControlWriter;
import org.ibidem.registry.Member;
import org.ibidem.registry.PoolEvent;
import org.ibidem.registry.PoolEvent.Change;
import org.ibidem.registry.wire.Parts;
import org.ibidem.registry.wire.Protocol;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// The elections of one pool. Whoever stands first wins; when the winner is gone, the one who has
/// stood for longest. A vacant election is kept: the next winner needs a higher term.
final class Races {
    final Map<String, Race> races = new LinkedHashMap<>();

    static final class Race {
        final Set<NodeId> candidates = new LinkedHashSet<>();
        @Nullable Member winner;
        long term;

        boolean wonBy(NodeId id) {
            return winner != null && winner.id().equals(id);
        }
    }

    boolean full(String name) {
        return races.size() >= Protocol.MOST_NAMES && !races.containsKey(name);
    }

    /// A member stands.
    ///
    /// @return the change, if it wins by that
    List<Change> stand(String name, Member candidate) {
        var race = races.computeIfAbsent(name, _ -> new Race());
        race.candidates.add(candidate.id());
        return race.winner == null ? List.of(win(name, race, candidate)) : List.of();
    }

    /// The result of an election that somebody stands in.
    PoolEvent.Elected result(String name) {
        var race = races.get(name);
        if (race == null || race.winner == null) {
            throw new IllegalStateException("election '" + name + "' has no winner");
        }
        return new PoolEvent.Elected(name, race.winner, race.term);
    }

    /// A member stands in this election no more.
    ///
    /// @param members who is who
    List<Change> withdraw(String name, NodeId id, Function<NodeId, Member> members) {
        var race = races.get(name);
        if (race == null) {
            return List.of();
        }
        race.candidates.remove(id);
        if (!race.wonBy(id)) {
            return List.of();
        }
        race.winner = null;
        return race.candidates.isEmpty()
                ? List.of(new PoolEvent.Vacated(name, race.term))
                : List.of(win(name, race, members.apply(race.candidates.iterator().next())));
    }

    /// A member is gone.
    List<Change> gone(NodeId id, Function<NodeId, Member> members) {
        var changes = new ArrayList<Change>();
        races.keySet().forEach(name -> changes.addAll(withdraw(name, id, members)));
        return changes;
    }

    /// A member remembers a result from before the hub was started anew.
    ///
    /// @param present whether the winner is a member now
    List<Change> recall(PoolEvent.Elected result, boolean present) {
        var race = races.computeIfAbsent(result.election(), _ -> new Race());
        if (result.term() <= race.term) {
            return clashes(race, result)
                    ? List.of(win(result.election(), race, Objects.requireNonNull(race.winner)))
                    : List.of();
        }
        boolean hadWinner = race.winner != null;
        long before = race.term;
        race.term = result.term();
        race.winner = present ? result.winner() : null;
        if (present) {
            race.candidates.add(result.winner().id());
            return List.of(result);
        }
        return hadWinner ? List.of(new PoolEvent.Vacated(result.election(), before)) : List.of();
    }

    /// Another one has won the same term meanwhile: whoever goes by terms has to tell them apart.
    private static boolean clashes(Race race, PoolEvent.Elected result) {
        return result.term() == race.term
                && race.winner != null
                && !race.wonBy(result.winner().id());
    }

    /// All elections that have a winner.
    List<PoolEvent.Elected> results() {
        var results = new ArrayList<PoolEvent.Elected>();
        races.forEach((name, race) -> {
            if (race.winner != null) {
                results.add(new PoolEvent.Elected(name, race.winner, race.term));
            }
        });
        return results;
    }

    private static Change win(String name, Race race, Member winner) {
        race.winner = winner;
        race.term++;
        return new PoolEvent.Elected(name, winner, race.term);
    }

    void write(ControlWriter out) {
        out.i32(races.size());
        races.forEach((name, race) -> {
            Parts.flag(Parts.name(out, name).i64(race.term), race.winner != null);
            if (race.winner != null) {
                Parts.member(out, race.winner);
            }
            out.i32(race.candidates.size());
            race.candidates.forEach(id -> Parts.id(out, id));
        });
    }

    void read(ControlReader in) {
        for (int left = in.i32("elections"); left > 0; left--) {
            var race = new Race();
            races.put(Parts.name(in), race);
            race.term = in.i64("term");
            race.winner = Parts.flag(in, "won") ? Parts.member(in) : null;
            for (int some = in.i32("candidates"); some > 0; some--) {
                race.candidates.add(Parts.id(in));
            }
        }
    }
}
