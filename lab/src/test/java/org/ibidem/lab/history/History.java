package org.ibidem.lab.history;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// What all processes of a run noted, by time.
public final class History {
    /// Microseconds after a fault in which nodes may not have their hub yet.
    private static final long RECOVERY = 2_000_000;

    private final List<Entry> entries;
    private final List<Call> calls;
    private final List<Fault> faults;
    private final long lost;
    private final long quiet;

    private History(List<Entry> entries) {
        this.entries = entries;
        this.calls = calls(entries);
        this.faults = faults(entries);
        this.lost = all("lost").stream().mapToLong(Entry::at).min().orElse(Call.NEVER);
        this.quiet = all("quiet").stream().mapToLong(Entry::at).max().orElse(Call.NEVER);
    }

    /// Something that was done to hub and nodes.
    ///
    /// @param name what
    /// @param from when it began
    /// @param to when all was well again
    public record Fault(String name, long from, long to) {}

    private static List<Fault> faults(List<Entry> entries) {
        var faults = new ArrayList<Fault>();
        var begun = new HashMap<String, Long>();
        for (var entry : entries) {
            if (entry.what().equals("begin")) {
                begun.put(entry.word(0), entry.at());
            } else if (entry.what().equals("end")) {
                faults.add(
                        new Fault(
                                entry.word(0), begun.remove(entry.word(0)), entry.at() + RECOVERY));
            }
        }
        begun.forEach((name, at) -> faults.add(new Fault(name, at, Call.NEVER)));
        return faults;
    }

    /// What was done to hub and nodes.
    public List<Fault> faults() {
        return faults;
    }

    /// One of these lines, of which those of one process are in order.
    public static History of(Collection<String> lines) {
        var entries = new ArrayList<Entry>();
        for (var line : lines) {
            if (!line.isBlank()) {
                entries.add(Entry.parse(line));
            }
        }
        entries.sort(Comparator.comparingLong(Entry::at)); // stable
        return new History(entries);
    }

    /// As [#of], of a text.
    public static History of(String text) {
        return of(text.lines().toList());
    }

    /// What these files hold; a line without an end was being written when its process was killed.
    public static History read(Collection<Path> files) throws IOException {
        var lines = new ArrayList<String>();
        for (var file : files) {
            var text = Files.readString(file);
            text.substring(0, text.lastIndexOf('\n') + 1).lines().forEach(lines::add);
        }
        return of(lines);
    }

    private static List<Call> calls(List<Entry> entries) {
        var calls = new LinkedHashMap<String, Call>();
        for (var entry : entries) {
            switch (entry.what()) {
                case "invoke" -> calls.put(entry.who() + " " + entry.word(0), Call.begun(entry));
                case "ok", "fail", "unknown" ->
                        calls.computeIfPresent(
                                entry.who() + " " + entry.word(0), (_, call) -> call.ended(entry));
                default -> {
                    // an event, or a fault
                }
            }
        }
        return List.copyOf(calls.values());
    }

    /// All of it.
    public List<Entry> entries() {
        return entries;
    }

    /// All calls, by when they began.
    public List<Call> calls() {
        return calls;
    }

    /// Calls of these operations by the name they are about.
    public Map<String, List<Call>> byName(String... operations) {
        return calls.stream()
                .filter(call -> List.of(operations).contains(call.operation()))
                .collect(Collectors.groupingBy(Call::name, TreeMap::new, Collectors.toList()));
    }

    /// Entries of one kind, all or those of one node.
    public List<Entry> all(String what) {
        return entries.stream().filter(entry -> entry.what().equals(what)).toList();
    }

    /// What each node heard, in order.
    public Map<String, List<Entry>> heard() {
        return all("heard").stream()
                .collect(
                        Collectors.groupingBy(Entry::who, LinkedHashMap::new, Collectors.toList()));
    }

    /// Whether any fault was at work within this time, or just before.
    public boolean troubled(long from, long until) {
        return faults.stream().anyMatch(fault -> fault.from() <= until && from <= fault.to());
    }

    /// When all calls had ended and all nodes agreed, before the nodes were closed; or never.
    public long quiet() {
        return quiet;
    }

    /// When the end of a journal was lost for the first time, or never.
    public long lost() {
        return lost;
    }
}
