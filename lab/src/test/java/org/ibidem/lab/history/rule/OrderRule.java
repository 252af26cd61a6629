package org.ibidem.lab.history.rule;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.ibidem.lab.history.Entry;
import org.ibidem.lab.history.History;
import org.ibidem.lab.history.Nodes;

/// All `ORDERED` members hear the same changes in the same order, and one that came late begins
/// with what the others knew at that place. The place is where it has won an election of its own,
/// `mark-ID`. They are compared with the member that came first and lives to the end.
final class OrderRule implements Rule {
    private static final String MARK = "mark-";

    /// Microseconds in which members hear of a change.
    private static final long ON_THEIR_WAY = 2_000_000;

    /// Events that are of the pool and for all.
    private static final Set<String> CHANGES =
            Set.of(
                    "joined",
                    "left",
                    "died",
                    "suspected",
                    "restored",
                    "elected",
                    "vacated",
                    "closed",
                    "terminated");

    /// What others are compared with.
    ///
    /// @param who heard it
    /// @param list of changes
    /// @param lost when the end of a journal was lost, or never
    private record Reference(String who, List<Entry> list, long lost) {
        /// How many of these others may never have heard, as they came so late.
        long late(List<Entry> changes) {
            return changes.stream().filter(each -> each.at() > lost - ON_THEIR_WAY).count();
        }
    }

    @Override
    public List<String> broken(History history) {
        var broken = new ArrayList<String>();
        var nodes = new Nodes(history);
        var lists = new HashMap<String, List<Entry>>();
        String first = "";
        for (var node : history.heard().entrySet()) {
            var who = node.getKey();
            if (nodes.knows(who) && nodes.membership(who).equals("ORDERED")) {
                lists.put(who, changes(who, node.getValue(), history));
                if (first.isEmpty() && lives(who, nodes, history)) {
                    first = who;
                }
            }
        }
        var all = lists.getOrDefault(first, List.of());
        var reference = new Reference(first, all, history.lost());
        for (var node : new TreeMap<>(lists).entrySet()) {
            boolean whole = lives(node.getKey(), nodes, history);
            compare(node.getKey(), node.getValue(), reference, whole).forEach(broken::add);
        }
        return broken;
    }

    private static boolean lives(String who, Nodes nodes, History history) {
        return nodes.end(who) >= Math.min(history.quiet(), history.lost());
    }

    /// That it is dead itself a node learns from a refusal.
    private static List<Entry> changes(String who, List<Entry> heard, History history) {
        long end = Math.min(history.quiet(), history.lost());
        return heard.stream()
                .takeWhile(each -> !(each.is("heard", "died") && each.word(1).equals(who)))
                .filter(each -> each.at() < end && CHANGES.contains(each.word(0)))
                .toList();
    }

    private static List<String> compare(
            String who, List<Entry> list, Reference reference, boolean whole) {
        var first = reference.who();
        var all = reference.list();
        int here = mark(list, who);
        int there = mark(all, who);
        if (here < 0 || there < 0) {
            boolean mayBe = here < 0 || reference.late(list.subList(here, here + 1)) > 0;
            return mayBe // it ended before it had begun, or it began as the end was lost
                    ? List.of()
                    : List.of(first + " has not heard of the election of " + who);
        }
        var knew = known(list.subList(0, here + 1));
        var known = known(all.subList(0, there + 1));
        if (!knew.equals(known)) {
            return List.of(
                    "%s began with another pool than %s knew then: %s, not %s"
                            .formatted(who, first, without(knew, known), without(known, knew)));
        }
        for (int i = 1; here + i < list.size() && there + i < all.size(); i++) {
            if (!list.get(here + i).words().equals(all.get(there + i).words())) {
                return List.of(
                        "%s heard another change than %s as number %d after its own: %s, not %s"
                                .formatted(who, first, i, list.get(here + i), all.get(there + i)));
            }
        }
        int more = (list.size() - here) - (all.size() - there);
        if (more > reference.late(list) || (whole && -more > reference.late(all))) {
            return List.of(
                    "%s heard %d changes %s than %s"
                            .formatted(who, Math.abs(more), more > 0 ? "more" : "less", first));
        }
        return List.of();
    }

    private static int mark(List<Entry> list, String who) {
        for (int i = 0; i < list.size(); i++) {
            if (list.get(i).is("heard", "elected") && list.get(i).word(1).equals(MARK + who)) {
                return i;
            }
        }
        return -1;
    }

    /// What somebody knows who has heard this.
    private static Set<String> known(List<Entry> changes) {
        var facts = new TreeSet<String>();
        Map<String, String> won = new HashMap<>();
        for (var change : changes) {
            var about = change.words().size() > 1 ? change.word(1) : "";
            switch (change.word(0)) {
                case "joined" -> facts.add("member " + about);
                case "left", "died" -> {
                    facts.remove("member " + about);
                    facts.remove("suspected " + about);
                }
                case "suspected" -> facts.add("suspected " + about);
                case "restored" -> facts.remove("suspected " + about);
                case "elected" -> won.put(about, change.word(2) + " " + change.word(3));
                case "vacated" -> won.remove(about);
                default -> facts.add(change.word(0));
            }
        }
        won.forEach((name, winner) -> facts.add("elected " + name + " " + winner));
        return facts;
    }

    private static Set<String> without(Set<String> some, Set<String> others) {
        var left = new TreeSet<>(some);
        left.removeAll(others);
        return left;
    }
}
