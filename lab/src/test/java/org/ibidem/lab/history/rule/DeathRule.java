package org.ibidem.lab.history.rule;

import java.util.ArrayList;
import java.util.List;
import org.ibidem.lab.history.Entry;
import org.ibidem.lab.history.History;
import org.ibidem.lab.history.Nodes;

/// Nobody is told dead who lives and was heard of within the time of suspicion; nor told that it
/// has left who does not leave.
final class DeathRule implements Rule {
    private final long suspicion;

    /// @param suspicion microseconds after which a silent member is held for dead
    DeathRule(long suspicion) {
        this.suspicion = suspicion;
    }

    @Override
    public List<String> broken(History history) {
        var nodes = new Nodes(history);
        var broken = new ArrayList<String>();
        for (var entry : history.entries()) {
            if (entry.is("heard", "died") || entry.is("heard", "left")) {
                judge(entry.word(1), entry, nodes, broken);
            } else if (entry.what().equals("unknown") && entry.word(1).equals("Departed")) {
                judge(entry.who(), entry, nodes, broken);
            }
        }
        return broken;
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
