package org.ibidem.lab.bench.figures;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.ibidem.lab.bench.Measure;
import org.jspecify.annotations.Nullable;

/// Everything one run measured.
public final class Figures {
    private static final double DECILE = 0.1;

    private final Map<String, Map<String, Series>> byMeasure = new LinkedHashMap<>();

    /// Of a processor, by contestant.
    private final Map<String, Double> idle = new LinkedHashMap<>();

    /// Begins empty.
    public Figures() {}

    /// What came of one turn of one contestant.
    ///
    /// @param samples in the unit of the measure
    /// @param allocated bytes per message, both processes together
    /// @param apart how far the cores were from each other, in nanoseconds; NaN: not known
    public record Turn(double[] samples, double allocated, double apart) {
        /// One of which that is not known.
        public Turn(double[] samples, double allocated) {
            this(samples, allocated, Double.NaN);
        }
    }

    /// All turns of one contestant at one measure.
    ///
    /// @param measure whose unit the figures have
    /// @param turns one for each round
    public record Series(Measure measure, List<Turn> turns) {
        /// The best decile of all samples: what a tenth of them reach.
        public double best() {
            return best(turns.stream().flatMapToDouble(t -> Arrays.stream(t.samples())).toArray());
        }

        /// The median of all samples.
        public double median() {
            return at(
                    turns.stream().flatMapToDouble(t -> Arrays.stream(t.samples())).toArray(), 0.5);
        }

        /// Bytes allocated per message in the best decile of the rounds: the steady state.
        public double allocated() {
            return at(turns.stream().mapToDouble(Turn::allocated).toArray(), DECILE);
        }

        /// How many times better this is than `other`, above 1 when it is better: the median over
        /// the rounds of what the best deciles of the same round say. A machine that changes its
        /// pace between rounds does not disturb it.
        ///
        /// @param where only rounds in which both were at this distance; null: all
        public double paired(Series other, @Nullable Distance where) {
            var ratios =
                    IntStream.range(0, Math.min(turns.size(), other.turns.size()))
                            .filter(r -> is(where, turns.get(r)) && is(where, other.turns.get(r)))
                            .mapToDouble(r ->
                                    better(
                                            best(turns.get(r).samples()),
                                            best(other.turns.get(r).samples())))
                            .toArray();
            return ratios.length == 0 ? Double.NaN : at(ratios, 0.5);
        }

        /// The turns at this distance.
        public Series where(Distance where) {
            return new Series(measure, turns.stream().filter(t -> is(where, t)).toList());
        }

        private static boolean is(@Nullable Distance where, Turn turn) {
            return where == null || where.has(turn.apart());
        }

        /// How many times better the best decile is than that of `other`, above 1 when it is
        /// better.
        public double better(Series other) {
            return better(best(), other.best());
        }

        private double better(double mine, double others) {
            return measure.kind().moreIsBetter() ? mine / others : others / mine;
        }

        private double best(double[] samples) {
            return at(samples, measure.kind().moreIsBetter() ? 1 - DECILE : DECILE);
        }
    }

    /// Adds a turn.
    public void add(String contestant, Measure measure, Turn turn) {
        byMeasure
                .computeIfAbsent(measure.name(), _ -> new LinkedHashMap<>())
                .computeIfAbsent(contestant, _ -> new Series(measure, new ArrayList<>()))
                .turns()
                .add(turn);
    }

    /// Adds what the processes of a contestant use while nobody sends.
    ///
    /// @param share of one processor's time
    public void idle(String contestant, double share) {
        idle.put(contestant, share);
    }

    /// The same, as it was added.
    public Optional<Double> idle(String contestant) {
        return Optional.ofNullable(idle.get(contestant));
    }

    /// What a contestant did at a measure, if it took part.
    public Optional<Series> series(String measure, String contestant) {
        return Optional.ofNullable(byMeasure.getOrDefault(measure, Map.of()).get(contestant));
    }

    /// The distances at which the cores were while this was measured, the one with the most turns
    /// first; none where they are not known.
    public List<Distance> distances(String measure) {
        var values =
                byMeasure.getOrDefault(measure, Map.of()).values().stream()
                        .flatMap(s -> s.turns().stream())
                        .mapToDouble(Turn::apart)
                        .toArray();
        return Distance.among(values).stream()
                .sorted(Comparator.comparingInt(Distance::turns).reversed())
                .toList();
    }

    /// The sample that a share of them lies below, by the nearest rank.
    static double at(double[] values, double share) {
        var sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[Math.clamp(Math.round(share * (sorted.length - 1)), 0, sorted.length - 1)];
    }
}
