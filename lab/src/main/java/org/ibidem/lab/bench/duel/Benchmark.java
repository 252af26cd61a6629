package org.ibidem.lab.bench.duel;

import java.util.List;
import java.util.Set;
import org.ibidem.lab.bench.Contestant;
import org.ibidem.lab.bench.Measure;
import org.ibidem.lab.bench.figures.Aim;

/// What is measured, who takes part, and what is hoped for.
///
/// @param name what it is called on the command line
/// @param about one line for people
/// @param contestants in the order of the table
/// @param measures in the order of the table
/// @param aims in the order of the lines at the end
public record Benchmark(
        String name,
        String about,
        List<Contestant> contestants,
        List<Measure> measures,
        List<Aim> aims) {
    /// A part of it.
    ///
    /// @param names of the measures that are left; empty: all
    public Benchmark only(Set<String> names) {
        if (names.isEmpty()) {
            return this;
        }
        var some = measures.stream().filter(m -> names.contains(m.name())).toList();
        var theirs = aims.stream().filter(a -> names.contains(a.measure())).toList();
        return new Benchmark(name, about, contestants, some, theirs);
    }

    /// The measure of this name.
    public Measure measure(String wanted) {
        return measures.stream()
                .filter(m -> m.name().equals(wanted))
                .findFirst()
                .orElseThrow(
                        () -> new IllegalArgumentException(name + " has no measure " + wanted));
    }

    /// The contestant of this name.
    public Contestant contestant(String wanted) {
        return contestants.stream()
                .filter(c -> c.name().equals(wanted))
                .findFirst()
                .orElseThrow(
                        () -> new IllegalArgumentException(name + " has no contestant " + wanted));
    }
}
