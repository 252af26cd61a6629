package org.ibidem.lab.history.rule;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.ibidem.lab.history.Call;
import org.ibidem.lab.history.Entry;
import org.ibidem.lab.history.History;
import org.ibidem.lab.history.Nodes;

/// Nobody is told dead who lives and was heard of within the time of suspicion; nor told that it
/// has left who does not leave. Where the end of a journal was lost, a join that was only just
/// acknowledged may be in it: such a node is told that it is no member.
final class DeathRule implements Rule {
    /// Microseconds before that: the last thing written down is lost.
    private static final long JUST = 200_000;

    private final long suspicion;

    /// @param suspicion microseconds after which a silent member is held for dead
    DeathRule(long suspicion) {
        this.suspicion = suspicion;
    }

    @Override
    public List<String> broken(History history) {
        var nodes = new Nodes(history);
        var broken = new ArrayList<String>();
        var forgotten = forgotten(history);
        for (var entry : history.entries()) {
            if (entry.at() > history.lost() && forgotten.contains(subject(entry))) {
                continue;
            }
            if (entry.is("heard", "died") || entry.is("heard", "left")) {
                judge(subject(entry), entry, nodes, broken);
            } else if (entry.what().equals("unknown") && entry.word(1).equals("Departed")) {
                judge(subject(entry), entry, nodes, broken);
            }
        }
        return broken;
    }

    private static String subject(Entry entry) {
        return entry.what().equals("heard") && entry.words().size() > 1
                ? entry.word(1)
                : entry.who();
    }

    private static Set<String> forgotten(History history) {
        return history.calls().stream()
                .filter(call -> call.ok() && call.operation().equals("join"))
                .filter(call -> Math.abs(history.lost() - call.ended()) < JUST)
                .map(Call::who)
                .collect(Collectors.toSet());
    }

    private void judge(String who, Entry entry, Nodes nodes, List<String> broken) {
        if (!nodes.knows(who) || nodes.doom(who) <= entry.at()) {
            return;
        }
        long silence = nodes.silence(who, entry.at());
        if (silence < suspicion || entry.is("heard", "left")) {
            broken.add(
                    "%s lives, was silent for %d ms at most, and is gone for others: %s"
                            .formatted(who, silence / 1_000, entry));
        }
    }
}
