package org.ibidem.lab.history;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/// One line of a history: `AT WHO WHAT WORDS…`, with one space between. What is what:
///
/// ```
/// invoke NUMBER LIMIT OPERATION ARGUMENTS…   a node begins a call
/// ok NUMBER RESULT…                          it is done
/// fail NUMBER WHY                            it is not done, and never will be
/// unknown NUMBER WHY                         nobody knows; it may still be done
/// listens                                    it hears all events from now on
/// heard EVENT ARGUMENTS…                     an event of the node's pool
/// view members ID…, view elections NAME ID TERM…   what the node knows in the end
/// is WORKER LINK MEMBERSHIP                  of a node: its process, what it reaches the hub by
/// killed, stopped, continued                 of a process
/// late MICROSECONDS                          of a process: so long until now it did not run
/// cut, healed                                of a link
/// unable, able                               of the hub: stopped, or without room on its disk
/// begin FAULT, end FAULT                     of the nemesis
/// quiet                                      all was done, and all agreed; nodes are closed now
/// lost                                       of a hub: the end of its journal, what it had answered
/// ```
///
/// @param at microseconds, by the clock that all processes of the machine share
/// @param who a node, by the first digits of its id, or a process, a link, the nemesis
/// @param what as above
/// @param words the rest
public record Entry(long at, String who, String what, List<String> words) {
    /// Microseconds now.
    public static long now() {
        return System.nanoTime() / 1_000;
    }

    /// One made of anything; white space within a word becomes `_`.
    static Entry of(long at, String who, String what, Object... words) {
        return new Entry(
                at, who, what, Arrays.stream(words).map(word -> clean(word.toString())).toList());
    }

    private static String clean(String word) {
        return word.isEmpty() ? "_" : word.replaceAll("\\s+", "_");
    }

    static Entry parse(String line) {
        var parts = line.strip().split("\\s+", -1);
        if (parts.length < 3) {
            throw new IllegalArgumentException("no line of a history: " + line);
        }
        return new Entry(
                Long.parseLong(parts[0]),
                parts[1],
                parts[2],
                List.of(parts).subList(3, parts.length));
    }

    /// The word with this index.
    public String word(int index) {
        return words.get(index);
    }

    /// Whether it is this, with this as its first word.
    public boolean is(String kind, String first) {
        return what.equals(kind) && !words.isEmpty() && words.getFirst().equals(first);
    }

    @Override
    public String toString() {
        return at
                + " "
                + who
                + " "
                + what
                + words.stream().map(word -> " " + word).collect(Collectors.joining());
    }
}
