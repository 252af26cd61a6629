package org.ibidem.apps.tsp;

import ibis.satin.SatinObject;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.ibidem.apps.Numbers;

/// Arguments: towns (13), up to which town of a trip calls are spawned (4).
public final class Tsp extends SatinObject implements TspInterface {
    private static final long serialVersionUID = 1;

    private final int[][] distances;
    private final int deep;

    /// So many towns, always the same.
    Tsp(int towns, int deep) {
        var random = new Random(towns);
        var x = random.ints(towns, 0, 1000).toArray();
        var y = random.ints(towns, 0, 1000).toArray();
        this.distances = new int[towns][towns];
        for (int i = 0; i < towns; i++) {
            for (int j = 0; j < towns; j++) {
                distances[i][j] = (int) Math.round(Math.hypot(x[i] - x[j], y[i] - y[j]));
            }
        }
        this.deep = deep;
    }

    @Override
    public int shortest(int[] trip, int count, int length, int bound) {
        if (count >= deep) {
            return searched(trip, count, length, bound);
        }
        var found = new int[trip.length];
        Arrays.fill(found, bound);
        for (int i = count; i < trip.length; i++) {
            var next = swapped(trip, count, i);
            int longer = length + distances[next[count - 1]][next[count]];
            if (longer < bound) {
                found[i] = shortest(next, count + 1, longer, bound);
            }
        }
        sync();
        return Arrays.stream(found).min().orElse(bound);
    }

    private static int[] swapped(int[] trip, int one, int other) {
        var swapped = trip.clone();
        swapped[one] = trip[other];
        swapped[other] = trip[one];
        return swapped;
    }

    private int searched(int[] trip, int count, int length, int bound) {
        if (length >= bound) {
            return bound;
        }
        if (count == trip.length) {
            return Math.min(bound, length + distances[trip[count - 1]][trip[0]]);
        }
        int best = bound;
        for (int i = count; i < trip.length; i++) {
            var next = swapped(trip, count, i);
            best =
                    searched(
                            next,
                            count + 1,
                            length + distances[next[count - 1]][next[count]],
                            best);
        }
        return best;
    }

    /// The length of the trip that goes to the nearest town each time.
    int nearest() {
        var trip = IntStream.range(0, distances.length).toArray();
        int length = 0;
        for (int at = 0; at + 1 < trip.length; at++) {
            int best = at + 1;
            for (int i = at + 2; i < trip.length; i++) {
                best = distances[trip[at]][trip[i]] < distances[trip[at]][trip[best]] ? i : best;
            }
            trip = swapped(trip, at + 1, best);
            length += distances[trip[at]][trip[at + 1]];
        }
        return length + distances[trip[trip.length - 1]][trip[0]];
    }

    /// By the shortest way to each town through each set of towns.
    int known() {
        int towns = distances.length - 1; // all but the one where trips begin
        var ways = new int[1 << towns][towns];
        for (int set = 1; set < 1 << towns; set++) {
            for (int last = 0; last < towns; last++) {
                int before = set & ~(1 << last);
                int best = before == 0 ? distances[towns][last] : Integer.MAX_VALUE / 2;
                for (int i = 0; i < towns; i++) {
                    if ((before & 1 << i) != 0) {
                        best = Math.min(best, ways[before][i] + distances[i][last]);
                    }
                }
                ways[set][last] = best;
            }
        }
        int best = Integer.MAX_VALUE;
        for (int last = 0; last < towns; last++) {
            best = Math.min(best, ways[(1 << towns) - 1][last] + distances[last][towns]);
        }
        return best;
    }

    /// Prints the length, and whether it is right.
    public static void main(String[] arguments) {
        var numbers = new Numbers("tsp [TOWNS [DEPTH]]", arguments);
        int towns = numbers.whole(0, 13, 2, 20);
        int deep = numbers.whole(1, 4, 0, 20);
        var tsp = new Tsp(towns, deep);
        var trip = IntStream.range(0, towns).toArray();
        int found = tsp.shortest(trip, 1, 0, tsp.nearest() + 1);
        System.out.println(
                "the shortest trip through "
                        + towns
                        + " towns is "
                        + found
                        + (found == tsp.known() ? ", right" : ", WRONG"));
    }
}
