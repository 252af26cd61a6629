package org.ibidem.lab.bench.figures;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Two contestants at one measure, compared where the cores were equally far apart for both.
///
/// @param mine the one that is ours
/// @param other the one it is compared with
/// @param distances at which both have turns, the one that says most first; none where they are not
///   known
record Pair(Figures.Series mine, Figures.Series other, List<Distance> distances) {
    /// The two, if both took part.
    static Optional<Pair> of(Figures figures, String measure, String ours, String peer) {
        return figures.series(measure, ours)
                .flatMap(mine ->
                        figures.series(measure, peer)
                                .map(other ->
                                        new Pair(
                                                mine,
                                                other,
                                                shared(mine, other, figures.distances(measure)))));
    }

    private static List<Distance> shared(
            Figures.Series mine, Figures.Series other, List<Distance> all) {
        Comparator<Distance> byTurns =
                Comparator.comparingInt(
                        d -> Math.min(mine.where(d).turns().size(), other.where(d).turns().size()));
        return all.stream()
                .filter(d -> !mine.where(d).turns().isEmpty() && !other.where(d).turns().isEmpty())
                .sorted(byTurns.reversed())
                .toList();
    }

    /// Both as far as they compare.
    Pair alike() {
        return distances.isEmpty() ? this : at(distances.getFirst());
    }

    private Pair at(Distance where) {
        return new Pair(mine.where(where), other.where(where), List.of());
    }

    /// How many times better ours is.
    double ratio() {
        return mine.better(other);
    }

    /// `FORM MEASURE PEER VALUE AIM`, and for people what it is made of.
    List<String> lines(String form, String measure, String ours, String peer, double aim) {
        var lines = new ArrayList<String>();
        lines.add(
                String.format(
                        Locale.ROOT,
                        "%s %s %s %.3f %.3f",
                        form,
                        measure,
                        peer,
                        alike().ratio(),
                        aim));
        lines.add(String.format(Locale.ROOT, "#   by round: %s (%s)", byRound(first()), ours));
        for (var where : distances) {
            var there = at(where);
            lines.add(
                    String.format(
                            Locale.ROOT,
                            "#   %s: %.3f, by round %s; %.4g and %.4g %s; %d and %d turns",
                            where,
                            there.ratio(),
                            byRound(where),
                            there.mine.best(),
                            there.other.best(),
                            mine.measure().kind().unit(),
                            there.mine.turns().size(),
                            there.other.turns().size()));
        }
        return lines;
    }

    private @Nullable Distance first() {
        return distances.isEmpty() ? null : distances.getFirst();
    }

    private String byRound(@Nullable Distance where) {
        double ratio = mine.paired(other, where);
        return Double.isNaN(ratio) ? "none" : String.format(Locale.ROOT, "%.3f", ratio);
    }
}
