package org.ibidem.lab.bench.sites;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// What a process tells of one slice, or all together tell.
///
/// @param stack which of the stacks
/// @param nanos it took
/// @param spent nanoseconds on a core, and waiting for one; how often the thread gave its core up
///   and lost it; waits that spun until something came, sleeps, doorbells
record Slice(int stack, long nanos, List<Long> spent) {
    static final int KINDS = 7;

    /// From the line of a process.
    static Slice parse(String line) {
        var words = Stream.of(line.split(" ", -1)).map(Long::valueOf).toList();
        return new Slice(words.get(0).intValue(), words.get(1), words.subList(2, 2 + KINDS));
    }

    /// The same slice as several processes tell it: the first one's time, and what all spent.
    static Slice together(List<Slice> all) {
        var first = all.getFirst();
        var sums =
                IntStream.range(0, KINDS)
                        .mapToObj(
                                kind -> all.stream().mapToLong(each -> each.spent.get(kind)).sum())
                        .toList();
        return new Slice(first.stack, first.nanos, sums);
    }
}
