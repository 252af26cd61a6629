package org.ibidem.lab.history.rule;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.ibidem.lab.history.Entry;
import org.ibidem.lab.history.History;
import org.ibidem.lab.history.Nodes;

/// In the end all know the same: those who live are members, nobody else is, and elections have the
/// same winners for all.
final class ViewRule implements Rule {
    @Override
    public List<String> broken(History history) {
        var nodes = new Nodes(history);
        var members = new TreeMap<String, TreeSet<String>>();
        var elections = new TreeMap<String, Map<String, String>>();
        for (var entry : history.all("view")) {
            var words = entry.words();
            if (words.getFirst().equals("members")) {
                members.put(entry.who(), new TreeSet<>(words.subList(1, words.size())));
            } else {
                var won = new HashMap<String, String>();
                for (int i = 1; i < words.size(); i += 3) {
                    won.put(words.get(i), words.get(i + 1) + " " + words.get(i + 2));
                }
                elections.put(entry.who(), won);
            }
        }
        var broken = new ArrayList<String>();
        var living = new TreeSet<String>();
        var departed = departed(history);
        for (var call : history.calls()) {
            if (call.operation().equals("join")
                    && call.ok()
                    && nodes.end(call.who()) >= history.quiet()
                    && !departed.contains(call.who())) {
                living.add(call.who());
            }
        }
        members.forEach((who, seen) -> {
            if (nodes.end(who) >= history.quiet() && !seen.equals(living)) {
                broken.add(who + " takes for members " + seen + ", but there are " + living);
            }
        });
        elections.forEach((who, won) -> {
            var first = elections.firstEntry();
            if (!won.equals(first.getValue())) {
                broken.add(
                        "%s and %s know of other winners: %s, %s"
                                .formatted(who, first.getKey(), won, first.getValue()));
            }
        });
        return broken;
    }

    private static Set<String> departed(History history) {
        return history.all("unknown").stream()
                .filter(each -> each.word(1).equals("Departed"))
                .map(Entry::who)
                .collect(Collectors.toSet());
    }
}
