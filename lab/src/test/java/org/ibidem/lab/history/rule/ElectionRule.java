package org.ibidem.lab.history.rule;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.ibidem.lab.history.Call;
import org.ibidem.lab.history.Entry;
import org.ibidem.lab.history.History;
import org.ibidem.lab.history.Nodes;

/// An election has one winner for each term, terms rise, and who stands, lives and has not
/// withdrawn is passed over by nobody: no winner is replaced, no election is vacant.
///
/// A node stands for sure from an elect whose outcome it got until it withdraws: an elect that is
/// given up afterwards changes nothing. One that withdraws while it elects may do either.
final class ElectionRule implements Rule {
    /// What somebody knew of an election.
    ///
    /// @param winner of the term; empty: it was vacated
    /// @param since the hub has said so after that
    /// @param until and before that
    private record Known(long term, String winner, long since, long until, String by) {}

    @Override
    public List<String> broken(History history) {
        var broken = new ArrayList<String>();
        var nodes = new Nodes(history);
        var elects = history.byName("elect");
        var withdraws = history.byName("withdraw");
        known(history)
                .forEach((name, known) -> {
                    if (known.getFirst().until() < history.lost()) {
                        known.removeIf(each -> each.until() >= history.lost());
                    }
                    var race =
                            new Race(
                                    name,
                                    known,
                                    elects.getOrDefault(name, List.of()),
                                    withdraws.getOrDefault(name, List.of()),
                                    nodes);
                    race.winnersAreOne(broken);
                    race.termsRise(broken);
                    race.whoStandsStays(broken);
                });
        return broken;
    }

    private static Map<String, List<Known>> known(History history) {
        var known = new TreeMap<String, List<Known>>();
        for (var call : history.calls()) {
            if (call.operation().equals("elect") && call.ok()) {
                known.computeIfAbsent(call.name(), _ -> new ArrayList<>())
                        .add(
                                new Known(
                                        call.number(1),
                                        call.result().get(0),
                                        call.invoked(),
                                        call.ended(),
                                        call.toString()));
            }
        }
        for (var entry : history.all("heard")) {
            if (entry.is("heard", "elected") || entry.is("heard", "vacated")) {
                known.computeIfAbsent(entry.word(1), _ -> new ArrayList<>()).add(known(entry));
            }
        }
        known.values().forEach(each -> each.sort(Comparator.comparingLong(Known::until)));
        return known;
    }

    private static Known known(Entry entry) {
        boolean vacated = entry.word(0).equals("vacated");
        return new Known(
                Long.parseLong(entry.words().getLast()),
                vacated ? "" : entry.word(2),
                Long.MIN_VALUE,
                entry.at(),
                entry.toString());
    }

    private record Race(
            String name, List<Known> known, List<Call> elects, List<Call> withdraws, Nodes nodes) {
        void winnersAreOne(List<String> broken) {
            var winners = new TreeMap<Long, Known>();
            for (var each : known) {
                if (!each.winner().isEmpty()) {
                    var other = winners.putIfAbsent(each.term(), each);
                    if (other != null && !other.winner().equals(each.winner())) {
                        broken.add(
                                "election %s, term %d has two winners: %s; %s"
                                        .formatted(name, each.term(), other.by(), each.by()));
                    }
                }
            }
        }

        /// Whoever asks after an answer gets no older one, and nobody hears of an older one later.
        void termsRise(List<String> broken) {
            var asked = known.stream().filter(each -> each.since() != Long.MIN_VALUE).toList();
            long highest = 0;
            int next = 0;
            for (var each :
                    asked.stream().sorted(Comparator.comparingLong(Known::since)).toList()) {
                while (next < asked.size() && asked.get(next).until() < each.since()) {
                    highest = Math.max(highest, asked.get(next++).term());
                }
                if (each.term() < highest) {
                    broken.add(
                            "election %s had term %d before %s"
                                    .formatted(name, highest, each.by()));
                }
            }
            var heard = new TreeMap<String, Long>();
            for (var each : known) {
                if (each.since() == Long.MIN_VALUE && !each.winner().isEmpty()) {
                    var who = each.by().split(" ", -1)[1];
                    long before = heard.getOrDefault(who, 0L);
                    if (each.term() <= before) {
                        broken.add(
                                "election %s: term %d was heard before %s"
                                        .formatted(name, before, each.by()));
                    }
                    heard.put(who, Math.max(before, each.term()));
                }
            }
        }

        void whoStandsStays(List<String> broken) {
            for (var elect : elects) {
                long until =
                        elect.ok() ? Math.min(withdrawn(elect), nodes.follows(elect.who())) : 0;
                if (until > 0) {
                    lost(elect, until, broken);
                }
            }
        }

        /// When this node may have withdrawn after that; 0: perhaps at the same time.
        private long withdrawn(Call elect) {
            long first = Call.NEVER;
            for (var withdraw : withdraws) {
                if (withdraw.who().equals(elect.who()) && withdraw.ended() >= elect.invoked()) {
                    first =
                            withdraw.invoked() <= elect.ended()
                                    ? 0
                                    : Math.min(first, withdraw.invoked());
                }
                if (first == 0) {
                    return 0;
                }
            }
            return first;
        }

        /// From the term that the elect gave on: none that this node has won ends before it
        /// withdraws, and none ends without a winner.
        private void lost(Call elect, long until, List<String> broken) {
            long term = elect.number(1);
            long won = elect.result().get(0).equals(elect.who()) ? term : Call.NEVER;
            for (var each : known) {
                if (each.until() >= until) {
                    return;
                }
                boolean later = each.term() > won || (each.term() == won && vacated(each));
                if (later && !each.winner().equals(elect.who())) {
                    broken.add(
                            "election %s: %s has won term %d, lives and has not withdrawn, but %s"
                                    .formatted(name, elect.who(), won, each.by()));
                    return;
                }
                if (vacated(each) && each.term() >= term) {
                    broken.add(
                            "election %s is vacant, though %s stands by %s: %s"
                                    .formatted(name, elect.who(), elect, each.by()));
                    return;
                }
                if (each.term() >= term && each.winner().equals(elect.who())) {
                    won = won == Call.NEVER ? each.term() : Math.max(won, each.term());
                }
            }
        }

        private static boolean vacated(Known known) {
            return known.winner().isEmpty();
        }
    }
}
