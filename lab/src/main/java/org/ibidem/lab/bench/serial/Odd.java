package org.ibidem.lab.bench.serial;

import java.io.Serializable;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/// What takes other ways than plain classes and collections.
final class Odd {
    private Odd() {}

    record Point(int x, int y, long time) implements Serializable {}

    /// An element of a list that is as deep as it is long.
    static final class Link implements Serializable {
        private static final long serialVersionUID = 1L;

        int value;
        @Nullable Link next;
    }

    /// All its fields are final.
    static final class Finals implements Serializable {
        private static final long serialVersionUID = 1L;

        final int a;
        final long b;
        final double c;
        final String name;
        final int[] numbers;

        Finals(int a, long b, double c, String name, int[] numbers) {
            this.a = a;
            this.b = b;
            this.c = c;
            this.name = name;
            this.numbers = numbers;
        }
    }

    static Link list(int length) {
        var first = new Link();
        var last = first;
        for (int i = 1; i < length; i++) {
            var link = new Link();
            link.value = i;
            last.next = link;
            last = link;
        }
        return first;
    }

    static Point[] points(int count) {
        var points = new Point[count];
        for (int i = 0; i < count; i++) {
            points[i] = new Point(i, -i, i * 3L);
        }
        return points;
    }

    static Finals[] finals(int count) {
        var all = new Finals[count];
        for (int i = 0; i < count; i++) {
            all[i] = new Finals(i, i * 2L, i / 3.0, "finals " + i, new int[] {i, i + 1});
        }
        return all;
    }

    /// Of a class in a module that is closed, for which nobody has written code.
    static PriorityQueue<?>[] closed(int count) {
        var all = new PriorityQueue<?>[count];
        for (int i = 0; i < count; i++) {
            var queue = new PriorityQueue<Integer>();
            queue.add(i);
            queue.add(-i);
            all[i] = queue;
        }
        return all;
    }
}
