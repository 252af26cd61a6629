package org.ibidem.lab.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Who took part in a history, in which process, and when nothing of it could be heard.
public final class Nodes {
    /// What lies between two stretches of silence may have been too short to be heard.
    private static final long GAP = 500_000;

    /// So long a node may take to be back after its hub is.
    private static final long BACK = 2_000_000;

    /// By so much those who are told of a node's end may hear of it later than others, who are not,
    /// hear of what follows from it.
    private static final long LATE = 1_000_000;

    private final Map<String, Entry> nodes = new TreeMap<>();
    private final Map<String, Long> killed = new HashMap<>();
    private final Map<String, List<Span>> silent = new HashMap<>();
    private final Map<String, List<Span>> late = new HashMap<>();
    private final Map<String, Long> doomed = new HashMap<>();
    private final Map<String, Long> gone = new HashMap<>();

    /// A stretch of time.
    ///
    /// @param from its first microsecond
    /// @param to its last one
    public record Span(long from, long to) {}

    /// Those of this history.
    public Nodes(History history) {
        for (var entry : history.entries()) {
            switch (entry.what()) {
                case "is" -> nodes.put(entry.who(), entry);
                case "killed" -> killed.put(entry.who(), entry.at());
                case "stopped", "cut", "unable" ->
                        silent.computeIfAbsent(entry.who(), _ -> new ArrayList<>())
                                .add(new Span(entry.at(), Call.NEVER));
                case "continued", "healed", "able" -> end(entry);
                case "late" ->
                        late.computeIfAbsent(entry.who(), _ -> new ArrayList<>())
                                .add(
                                        new Span(
                                                entry.at() - Long.parseLong(entry.word(0)),
                                                entry.at()));
                case "heard" -> {
                    if (entry.is("heard", "died") || entry.is("heard", "left")) {
                        gone.merge(entry.word(1), entry.at(), Math::min);
                    }
                }
                default -> {
                    // calls and events
                }
            }
        }
        for (var call : history.calls()) {
            switch (call.operation()) {
                case "close" -> doomed.merge(call.who(), call.invoked(), Math::min);
                case "assume" -> doomed.merge(call.name(), call.invoked(), Math::min);
                case "join" -> {
                    if (!call.ok()) {
                        doomed.merge(call.who(), call.invoked(), Math::min);
                    }
                }
                default -> {
                    // means no end
                }
            }
        }
    }

    private void end(Entry entry) {
        var spans = silent.getOrDefault(entry.who(), List.of());
        if (!spans.isEmpty() && spans.getLast().to() == Call.NEVER) {
            spans.set(spans.size() - 1, new Span(spans.getLast().from(), entry.at()));
        }
    }

    /// All of them.
    public Iterable<String> all() {
        return nodes.keySet();
    }

    /// Whether it is one of them.
    public boolean knows(String node) {
        return nodes.containsKey(node);
    }

    /// `ORDERED`, `EVENTUAL`, `NONE`.
    public String membership(String node) {
        return nodes.get(node).word(2);
    }

    /// Since when it is no wonder if it is no member any more: it was killed, it leaves, somebody
    /// holds it for dead, or it has never heard that it has joined.
    public long doom(String node) {
        return Math.min(killed(node), doomed.getOrDefault(node, Call.NEVER));
    }

    /// Since when it is no member any more, or may be none, whatever the reason.
    public long end(String node) {
        return Math.min(doom(node), gone.getOrDefault(node, Call.NEVER));
    }

    /// Since when what follows from its end may be heard of.
    public long follows(String node) {
        var heard = gone.get(node);
        return Math.min(doom(node), heard == null ? Call.NEVER : heard - LATE);
    }

    /// When its process was killed, or never.
    public long killed(String node) {
        var is = nodes.get(node);
        return is == null ? Call.NEVER : killed.getOrDefault(is.word(0), Call.NEVER);
    }

    /// How long at most nothing could be heard of it without a break, up to this time; not counted
    /// what the hub could not have heard either.
    public long silence(String node, long until) {
        long longest = 0;
        long from = 0;
        long to = Long.MIN_VALUE / 2;
        long gap = GAP;
        var spans = new ArrayList<>(silences(node));
        spans.addAll(unable());
        spans.sort(Comparator.comparingLong(Span::from));
        for (var span : spans) {
            if (span.from() >= until) {
                break;
            }
            if (span.from() - to > gap) {
                from = span.from();
            }
            if (span.to() >= to) {
                gap = unable().contains(span) ? BACK : GAP;
            }
            to = Math.max(to, Math.min(span.to(), until));
            longest = Math.max(longest, to - from - within(from, to, unable()));
        }
        return longest;
    }

    private List<Span> unable() {
        return silent.getOrDefault("hub", List.of());
    }

    private static long within(long from, long until, List<Span> spans) {
        long sum = 0;
        for (var span : spans) {
            sum += Math.max(0, Math.min(span.to(), until) - Math.max(span.from(), from));
        }
        return sum;
    }

    /// How much of this span its process stood still or had no processor, or its link was cut.
    public long lostWithin(String node, long from, long until) {
        var is = nodes.get(node);
        var spans = new ArrayList<>(silences(node));
        spans.addAll(is == null ? List.of() : late.getOrDefault(is.word(0), List.of()));
        spans.sort(Comparator.comparingLong(Span::from));
        long sum = 0;
        long counted = from;
        for (var span : spans) {
            long to = Math.min(span.to(), until);
            sum += Math.max(0, to - Math.max(span.from(), counted));
            counted = Math.max(counted, to);
        }
        return sum;
    }

    private List<Span> silences(String node) {
        var is = nodes.get(node);
        if (is == null) {
            return List.of();
        }
        var spans = new ArrayList<>(silent.getOrDefault(is.word(0), List.of()));
        spans.addAll(silent.getOrDefault(is.word(1), List.of()));
        spans.sort(Comparator.comparingLong(Span::from));
        return spans;
    }
}
