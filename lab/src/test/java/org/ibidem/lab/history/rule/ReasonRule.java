package org.ibidem.lab.history.rule;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.ibidem.lab.history.History;

/// What fails does so for a reason that there was, and a hub that keeps its state is the same one
/// after every restart: no pool begins anew, nobody misses events.
final class ReasonRule implements Rule {
    /// The hub was away, its disk full, the caller interrupted or no member any more.
    private static final Set<String> REASONS =
            Set.of(
                    "HubUnreachable",
                    "OperationRefused",
                    "HubFull",
                    "Departed",
                    "Interrupted",
                    "Closed");

    @Override
    public List<String> broken(History history) {
        var broken = new ArrayList<String>();
        for (var entry : history.entries()) {
            boolean failed = entry.what().equals("fail") || entry.what().equals("unknown");
            boolean anew = entry.is("heard", "restarted") || entry.is("heard", "missed");
            if (failed && !REASONS.contains(entry.word(1))) {
                broken.add("there is no reason for this: " + entry);
            } else if (anew && entry.at() < history.lost()) {
                broken.add("the hub has kept its state, but: " + entry);
            }
        }
        return broken;
    }
}
