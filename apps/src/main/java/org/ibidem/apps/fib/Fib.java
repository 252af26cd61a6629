package org.ibidem.apps.fib;

import ibis.satin.SatinObject;
import org.ibidem.apps.Numbers;

/// Arguments: n (35), below which n calls are no longer spawned (2).
public final class Fib extends SatinObject implements FibInterface {
    private static final long serialVersionUID = 1;

    private final int threshold;

    /// Spawns calls for n from `threshold` on.
    Fib(int threshold) {
        this.threshold = threshold;
    }

    @Override
    public long fib(int n) {
        if (n < 2) {
            return n;
        }
        if (n < threshold) {
            return fib(n - 1) + fib(n - 2);
        }
        long x = fib(n - 1);
        long y = fib(n - 2);
        sync();
        return x + y;
    }

    private static long sum(int n) {
        long last = 0;
        long next = 1;
        for (int i = 0; i < n; i++) {
            long sum = last + next;
            last = next;
            next = sum;
        }
        return last;
    }

    /// Prints the number, and whether it is right.
    public static void main(String[] arguments) {
        var numbers = new Numbers("fib [N [THRESHOLD]]", arguments);
        int n = numbers.whole(0, 35, 0, 92);
        int threshold = numbers.whole(1, 2, 2, 92);
        long found = new Fib(threshold).fib(n);
        System.out.println("fib(" + n + ") = " + found + (found == sum(n) ? ", right" : ", WRONG"));
    }
}
