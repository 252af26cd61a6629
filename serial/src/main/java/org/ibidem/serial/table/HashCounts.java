package org.ibidem.serial.table;

import java.util.concurrent.ThreadLocalRandom;

/// How often each number was met. Open addressing; where a number lies is chosen by chance, so
/// nobody can choose numbers that crowd.
final class HashCounts {
    private static final int FIRST = 64;

    private final int odd = ThreadLocalRandom.current().nextInt() | 1;
    private int[] numbers = new int[FIRST];

    /// 0: the place is free.
    private int[] counts = new int[FIRST];

    private int taken;

    /// Counts a number.
    ///
    /// @return how often it was met before
    int add(int number) {
        if (taken == counts.length / 2) {
            grow();
        }
        int at = place(number);
        if (counts[at] == 0) {
            numbers[at] = number;
            taken++;
        }
        return counts[at]++;
    }

    private int place(int number) {
        int mixed = (number ^ number >>> Short.SIZE) * odd;
        int mask = counts.length - 1;
        int at = mixed >>> Integer.numberOfLeadingZeros(mask); // the upper bits, mixed best
        while (counts[at] != 0 && numbers[at] != number) {
            at = (at + 1) & mask;
        }
        return at;
    }

    private void grow() {
        var oldNumbers = numbers;
        var oldCounts = counts;
        numbers = new int[Math.multiplyExact(2, oldNumbers.length)];
        counts = new int[numbers.length];
        for (int i = 0; i < oldNumbers.length; i++) {
            if (oldCounts[i] != 0) {
                int at = place(oldNumbers[i]);
                numbers[at] = oldNumbers[i];
                counts[at] = oldCounts[i];
            }
        }
    }
}
