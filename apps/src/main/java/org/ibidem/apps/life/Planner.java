package org.ibidem.apps.life;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.ibidem.topology.NodeId;

/// Makes a plan from what the members hold. No I/O, no clock.
final class Planner {
    private final int size;
    private final int era;
    private final int generations;

    /// @param size rows of the field
    /// @param era generations in an era
    /// @param generations of the game
    Planner(int size, int era, int generations) {
        this.size = size;
        this.era = era;
        this.generations = generations;
    }

    /// Who there is.
    ///
    /// @param members that stay, in the order of their blocks; not empty
    /// @param held what each member holds that may send, those that leave among them
    /// @param gatherer who gets the whole field in the end
    record Crew(List<NodeId> members, Map<NodeId, List<Strip.Held>> held, NodeId gatherer) {
        /// Keeps its own copies.
        Crew {
            members = List.copyOf(members);
            held = Map.copyOf(held);
        }
    }

    /// The next era: from the newest generation of which all rows are there.
    Plan plan(Crew crew) {
        var covered = covered(crew);
        int generation = covered.last();
        var below = covered.lower(generation);
        int steps = Math.min(era, generations - generation);
        var workers = steps == 0 ? List.of(crew.gatherer()) : crew.members();
        var blocks = blocks(workers);
        return new Plan(
                generation,
                below == null ? 0 : below,
                steps,
                blocks,
                transfers(blocks, generation, crew));
    }

    /// The generations of which all rows are there. Generation 0 always is.
    private NavigableSet<Integer> covered(Crew crew) {
        var rows = new TreeMap<Integer, BitSet>();
        rows.put(0, all());
        crew.held()
                .values()
                .forEach(list ->
                        list.forEach(held ->
                                rows.computeIfAbsent(held.generation(), _ -> new BitSet())
                                        .set(held.first(), held.first() + held.count())));
        var covered = new TreeSet<Integer>();
        rows.forEach((generation, set) -> {
            if (set.equals(all())) {
                covered.add(generation);
            }
        });
        return covered;
    }

    private BitSet all() {
        var all = new BitSet();
        all.set(0, size);
        return all;
    }

    private List<Plan.Block> blocks(List<NodeId> workers) {
        var blocks = new ArrayList<Plan.Block>();
        int count = Math.min(workers.size(), size);
        for (int i = 0; i < count; i++) {
            int first = (int) ((long) size * i / count);
            int end = (int) ((long) size * (i + 1) / count);
            blocks.add(new Plan.Block(workers.get(i), first, end - first));
        }
        return blocks;
    }

    /// Rows whose worker has them stay where they are; of generation 0 all do.
    private List<Plan.Transfer> transfers(List<Plan.Block> blocks, int generation, Crew crew) {
        var transfers = new ArrayList<Plan.Transfer>();
        if (generation == 0) {
            return transfers;
        }
        var holders = new HashMap<NodeId, BitSet>();
        crew.held()
                .forEach((member, list) -> {
                    var rows = new BitSet();
                    list.stream()
                            .filter(held -> held.generation() == generation)
                            .forEach(held -> rows.set(held.first(), held.first() + held.count()));
                    holders.put(member, rows);
                });
        for (var block : blocks) {
            var missing = new BitSet();
            missing.set(block.first(), block.first() + block.count());
            missing.andNot(holders.getOrDefault(block.owner(), new BitSet()));
            holders.forEach((member, rows) -> {
                var given = (BitSet) rows.clone();
                given.and(missing);
                missing.andNot(given);
                runs(
                        given,
                        (first, count) ->
                                transfers.add(
                                        new Plan.Transfer(member, block.owner(), first, count)));
            });
        }
        return transfers;
    }

    private interface Run {
        void at(int first, int count);
    }

    private static void runs(BitSet rows, Run run) {
        for (int first = rows.nextSetBit(0); first >= 0; ) {
            int end = rows.nextClearBit(first);
            run.at(first, end - first);
            first = rows.nextSetBit(end);
        }
    }
}
