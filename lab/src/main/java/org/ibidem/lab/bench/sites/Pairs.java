package org.ibidem.lab.bench.sites;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/// What slices of one stack took, and those of another right beside them.
///
/// A slice and its neighbour see the same machine; so the ratio of the two says more than times
/// that lie minutes apart, and the median of such ratios passes over those pairs between which the
/// machine changed.
///
/// @param one what each took over the first stack
/// @param other over the second, in the same order
public record Pairs(List<Double> one, List<Double> other) {
    private static final int RESAMPLES = 10_000;
    private static final double TAIL = 0.025;

    /// How many times as long the first took, in each pair.
    private List<Double> ratios() {
        var ratios = new ArrayList<Double>();
        for (int i = 0; i < one.size(); i++) {
            ratios.add(one.get(i) / other.get(i));
        }
        return ratios;
    }

    /// The median of the ratios.
    public double ratio() {
        return median(ratios());
    }

    /// Between which bounds the median of the ratios lies with 95 %: by a bootstrap over pairs, the
    /// same each time.
    double[] bounds() {
        var ratios = numbers(ratios());
        var random = new Random(1);
        var medians = new double[RESAMPLES];
        var sample = new double[ratios.length];
        for (int i = 0; i < RESAMPLES; i++) {
            for (int n = 0; n < sample.length; n++) {
                sample[n] = ratios[random.nextInt(ratios.length)];
            }
            medians[i] = medianOf(sample);
        }
        Arrays.sort(medians);
        return new double[] {
            medians[(int) (RESAMPLES * TAIL)], medians[(int) (RESAMPLES * (1 - TAIL))]
        };
    }

    /// In how many pairs the second was faster.
    long faster() {
        return ratios().stream().filter(ratio -> ratio > 1).count();
    }

    /// What half of them are below.
    public static double median(List<Double> all) {
        return medianOf(numbers(all));
    }

    private static double[] numbers(List<Double> all) {
        return all.stream().mapToDouble(Double::doubleValue).toArray();
    }

    /// Sorts them.
    private static double medianOf(double[] all) {
        Arrays.sort(all);
        int half = all.length / 2;
        return all.length % 2 == 1 ? all[half] : (all[half - 1] + all[half]) / 2;
    }

    /// What one in ten is below.
    public static double bestDecile(List<Double> all) {
        return all.stream().sorted().toList().get(all.size() / 10);
    }

    @Override
    public String toString() {
        var bounds = bounds();
        return String.format(
                Locale.ROOT,
                "pairs %.3f (95 %%: %.3f to %.3f; faster in %d of %d), median %.3f, best decile %.3f",
                ratio(),
                bounds[0],
                bounds[1],
                faster(),
                one.size(),
                median(one) / median(other),
                bestDecile(one) / bestDecile(other));
    }
}
