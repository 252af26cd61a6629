package org.ibidem.lab.bench.figures;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/// What a benchmark hopes for: one of its last lines.
public sealed interface Aim {
    /// The lines it comes to, given what was measured; those that a program reads begin with
    /// `ratio` or `limit`, all others with `#`.
    List<String> lines(Figures figures);

    /// At which measure.
    String measure();

    /// Our figure against what a user could choose instead: above 1 is better.
    ///
    /// @param measure at what
    /// @param ours the contestant that is ours
    /// @param peer the one it is compared with
    /// @param aim the ratio hoped for
    record Ratio(String measure, String ours, String peer, double aim) implements Aim {
        @Override
        public List<String> lines(Figures figures) {
            return pair(figures, "ratio", measure, ours, peer, aim);
        }
    }

    /// The share we reach of a floor that nobody can beat: 1 is equal.
    ///
    /// @param measure at what
    /// @param ours the contestant that is ours
    /// @param floor the contestant nobody can beat
    /// @param aim the share hoped for
    record Limit(String measure, String ours, String floor, double aim) implements Aim {
        @Override
        public List<String> lines(Figures figures) {
            return pair(figures, "limit", measure, ours, floor, aim);
        }
    }

    /// As `Limit`, where what is hoped for is a difference: the share aimed at follows from the
    /// floor measured.
    ///
    /// @param measure at what; a ping-pong
    /// @param ours the contestant that is ours
    /// @param floor the contestant nobody can beat
    /// @param nanos by how much ours may be slower
    record Within(String measure, String ours, String floor, double nanos) implements Aim {
        @Override
        public List<String> lines(Figures figures) {
            return Pair.of(figures, measure, ours, floor)
                    .map(this::lines)
                    .orElseGet(() -> List.of(none("limit", measure, ours, floor)));
        }

        private List<String> lines(Pair pair) {
            double mine = pair.alike().mine().best();
            double bare = pair.alike().other().best();
            var difference =
                    String.format(
                            Locale.ROOT,
                            "# %s: %s takes %.1f ns, %s %.1f ns: %+.1f ns (aim: at most +%.0f ns)",
                            measure,
                            ours,
                            mine,
                            floor,
                            bare,
                            mine - bare,
                            nanos);
            var lines = pair.lines("limit", measure, ours, floor, bare / (bare + nanos));
            return Stream.concat(Stream.of(difference), lines.stream()).toList();
        }
    }

    /// No garbage: the share is 1 / (1 + bytes allocated per message), so 1 where nothing is
    /// allocated.
    ///
    /// @param measure at what
    /// @param ours the contestant that is ours
    record NoGarbage(String measure, String ours) implements Aim {
        private static final double AIM =
                0.99; // a background thread may allocate some bytes in a million messages

        @Override
        public List<String> lines(Figures figures) {
            return figures.series(measure, ours)
                    .map(mine ->
                            List.of(
                                    String.format(
                                            Locale.ROOT,
                                            "# %s: %s allocates %.4f bytes per message",
                                            measure,
                                            ours,
                                            mine.allocated()),
                                    String.format(
                                            Locale.ROOT,
                                            "limit %s-garbage none %.3f %.3f",
                                            measure,
                                            1 / (1 + mine.allocated()),
                                            AIM)))
                    .orElseGet(() -> List.of("# no figure: garbage of " + ours + " at " + measure));
        }
    }

    private static List<String> pair(
            Figures figures, String form, String measure, String ours, String peer, double aim) {
        return Pair.of(figures, measure, ours, peer)
                .map(p -> p.lines(form, measure, ours, peer, aim))
                .orElseGet(() -> List.of(none(form, measure, ours, peer)));
    }

    private static String none(String form, String measure, String ours, String peer) {
        return "# no figure: " + form + " " + measure + " of " + ours + " to " + peer;
    }
}
