package org.ibidem.lab.history.rule;

import java.util.ArrayList;
import java.util.List;
import org.ibidem.lab.history.Call;
import org.ibidem.lab.history.History;
import org.ibidem.lab.history.Nodes;

/// Every call ends within its limit, the time not counted in which its process stood still or had
/// no processor.
final class LimitRule implements Rule {
    private final long slack;

    /// @param slack microseconds more that a call may take: to have its waiting ended by the hub (a
    ///   second), and for want of a processor
    LimitRule(long slack) {
        this.slack = slack;
    }

    @Override
    public List<String> broken(History history) {
        var nodes = new Nodes(history);
        var broken = new ArrayList<String>();
        for (var call : history.calls()) {
            if (call.end() == Call.End.NONE && killed(call, nodes)) {
                continue;
            }
            long end =
                    call.end() == Call.End.NONE ? history.entries().getLast().at() : call.ended();
            long took = end - call.invoked() - nodes.lostWithin(call.who(), call.invoked(), end);
            if (call.end() == Call.End.NONE && took <= call.limit() + slack) {
                continue; // the end of the history came first
            }
            if (took > call.limit() + slack) {
                broken.add(
                        "took %d ms of %d: %s".formatted(took / 1_000, call.limit() / 1_000, call));
            }
        }
        return broken;
    }

    private static boolean killed(Call call, Nodes nodes) {
        return nodes.killed(call.who()) != Call.NEVER;
    }
}
