package org.ibidem.lab.history.rule;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import org.ibidem.lab.history.Call;
import org.ibidem.lab.history.History;
import org.ibidem.lab.history.Nodes;

/// Messages between nodes arrive in order, once and as they were, what is confirmed has arrived,
/// and nothing is lost where nothing was done to anybody.
final class ParcelRule implements Rule {
    /// Microseconds without a processor that may be the reason.
    private static final long STILL = 500_000;

    @Override
    public List<String> broken(History history) {
        var nodes = new Nodes(history);
        var broken = new ArrayList<String>();
        var whole = new HashMap<String, Integer>();
        for (var entry : history.all("parcel")) {
            if (entry.word(0).equals("whole")) {
                whole.merge(entry.word(1), 1, Integer::sum);
            } else {
                broken.add("another message came than the one that follows: " + entry);
            }
        }
        whole.forEach((row, times) -> {
            if (times > 1) {
                broken.add("the row " + row + " has arrived " + times + " times");
            }
        });
        for (var call : history.calls()) {
            if (call.operation().equals("parcels") && call.ok()) {
                if (call.result().getFirst().equals("arrived")) {
                    if (!whole.containsKey(call.name())) {
                        broken.add("confirmed, and has not arrived: " + call);
                    }
                } else if (!excused(call, history, nodes)) {
                    broken.add("lost, although nothing was done to anybody: " + call);
                }
            }
        }
        return broken;
    }

    private static boolean excused(Call call, History history, Nodes nodes) {
        var to = call.arguments().get(1);
        long from = call.invoked();
        long until = call.ended();
        return history.troubled(from, until)
                || nodes.end(to) <= until
                || nodes.end(call.who()) <= until
                || nodes.lostWithin(to, from, until) > STILL
                || nodes.lostWithin(call.who(), from, until) > STILL;
    }
}
