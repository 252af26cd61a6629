package org.ibidem.lab.history.rule;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.ibidem.lab.history.Call;
import org.ibidem.lab.history.Entry;
import org.ibidem.lab.history.History;
import org.ibidem.lab.history.Nodes;

/// A signal reaches each it was sent to once, and in the order in which they were sent.
final class SignalRule implements Rule {
    @Override
    public List<String> broken(History history) {
        var nodes = new Nodes(history);
        var sent = new HashMap<String, Call>();
        for (var call : history.calls()) {
            if (call.operation().equals("signal")) {
                sent.put(call.name(), call);
            }
        }
        var joined = new HashMap<String, Long>();
        history.calls().stream()
                .filter(call -> call.operation().equals("join") && call.ok())
                .forEach(call -> joined.put(call.who(), call.ended()));
        history.all("listens").forEach(each -> joined.merge(each.who(), each.at(), Math::max));
        var broken = new ArrayList<String>();
        var heard = history.heard();
        joined.forEach((who, since) -> {
            var got = signals(heard.getOrDefault(who, List.of()));
            once(who, got, sent, broken);
            inOrder(who, got, sent, broken);
            if (nodes.end(who) >= Math.min(history.quiet(), history.lost())) {
                all(who, since, got, sent, history, broken);
            }
        });
        return broken;
    }

    private static List<String> signals(List<Entry> heard) {
        return heard.stream()
                .filter(each -> each.word(0).equals("signalled"))
                .map(each -> each.word(2))
                .toList();
    }

    private static void once(
            String who, List<String> got, Map<String, Call> sent, List<String> broken) {
        var seen = new HashSet<String>();
        for (var signal : got) {
            var call = sent.get(signal);
            if (!seen.add(signal)) {
                broken.add(who + " heard the signal " + signal + " twice");
            } else if (call == null || call.end() == Call.End.FAIL || !isTo(call, who)) {
                broken.add(who + " heard the signal " + signal + ", which was not sent to it");
            }
        }
    }

    private static boolean isTo(Call call, String who) {
        return call.arguments().get(1).equals("all") || call.arguments().contains(who);
    }

    private static void inOrder(
            String who, List<String> got, Map<String, Call> sent, List<String> broken) {
        long latest = Long.MIN_VALUE;
        for (var signal : got) {
            var call = sent.get(signal);
            if (call != null && call.ok() && call.ended() < latest) {
                broken.add(who + " heard a later signal before " + call);
            }
            latest = call == null ? latest : Math.max(latest, call.invoked());
        }
    }

    private static void all(
            String who,
            long since,
            List<String> got,
            Map<String, Call> sent,
            History history,
            List<String> broken) {
        var has = new HashSet<>(got);
        long end = Math.min(history.quiet(), history.lost());
        for (var call : sent.values()) {
            boolean due = call.ok() && isTo(call, who) && call.invoked() > since;
            if (due && call.ended() < end && !has.contains(call.name())) {
                broken.add(who + " has not heard " + call);
            }
        }
    }
}
