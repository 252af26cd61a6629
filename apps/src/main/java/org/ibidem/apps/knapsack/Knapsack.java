package org.ibidem.apps.knapsack;

import ibis.satin.SatinObject;
import java.util.Random;
import org.ibidem.apps.Numbers;

/// Arguments: things (26), after how many decisions calls are no longer spawned (10).
public final class Knapsack extends SatinObject implements KnapsackInterface {
    private static final long serialVersionUID = 1;

    private final int[] weights;
    private final int[] values;
    private final int deep;

    /// So many things, always the same.
    Knapsack(int things, int deep) {
        var random = new Random(things);
        this.weights = random.ints(things, 10, 100).toArray();
        this.values = random.ints(things, 10, 100).toArray();
        this.deep = deep;
    }

    @Override
    public int best(int first, int room) {
        if (first >= deep) {
            return tried(first, room);
        }
        int with = 0;
        if (weights[first] <= room) {
            with = best(first + 1, room - weights[first]);
        }
        int without = best(first + 1, room);
        sync();
        return Math.max(without, weights[first] <= room ? with + values[first] : 0);
    }

    private int tried(int first, int room) {
        if (first == weights.length) {
            return 0;
        }
        int without = tried(first + 1, room);
        return weights[first] > room
                ? without
                : Math.max(without, values[first] + tried(first + 1, room - weights[first]));
    }

    /// By the best value for each room, one thing after the other.
    int known(int room) {
        var best = new int[room + 1];
        for (int thing = 0; thing < weights.length; thing++) {
            for (int left = room; left >= weights[thing]; left--) {
                best[left] = Math.max(best[left], best[left - weights[thing]] + values[thing]);
            }
        }
        return best[room];
    }

    /// Prints the value, and whether it is right.
    public static void main(String[] arguments) {
        var numbers = new Numbers("knapsack [THINGS [DEPTH]]", arguments);
        int things = numbers.whole(0, 26, 1, 60);
        int deep = numbers.whole(1, 10, 0, 60);
        var sack = new Knapsack(things, Math.min(deep, things));
        int room = 25 * things;
        int found = sack.best(0, room);
        System.out.println(
                "the best of "
                        + things
                        + " things are worth "
                        + found
                        + (found == sack.known(room) ? ", right" : ", WRONG"));
    }
}
