package org.ibidem.lab.bench.serial;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.function.Supplier;

/// One graph that is written and read.
///
/// @param name short and without blanks
/// @param make makes it
record Work(String name, Supplier<Object> make) {
    private static final int LEVELS = 10;
    private static final int BYTES = 100_000;
    private static final int MANY = 1_000_000;
    private static final int SOME = 1000;

    /// All there are.
    static final List<Work> ALL =
            List.of(
                    new Work("tree", () -> java.util.Objects.requireNonNull(Node.tree(LEVELS))),
                    new Work("order", Order::sample),
                    new Work("order-distinct", Order::distinct),
                    new Work("byte-100kB", Work::bytes),
                    new Work(
                            "int-100kB", () -> new Random(2).ints(BYTES / Integer.BYTES).toArray()),
                    new Work(
                            "double-100kB",
                            () -> new Random(2).doubles(BYTES / Double.BYTES).toArray()),
                    new Work("records", () -> Odd.points(MANY)),
                    new Work("list", () -> Odd.list(SOME)),
                    new Work("finals", () -> Odd.finals(SOME)),
                    new Work("closed", () -> Odd.closed(SOME)));

    /// Every class in it, for those who want to know before.
    static final List<Class<?>> CLASSES =
            List.of(
                    Node.class,
                    Order.class,
                    Order.Line.class,
                    Order.Address.class,
                    Order.Customer.class,
                    Order.Price.class,
                    Order.State.class,
                    Odd.Point.class,
                    Odd.Point[].class,
                    Odd.Link.class,
                    Odd.Finals.class,
                    Odd.Finals[].class,
                    PriorityQueue.class,
                    PriorityQueue[].class,
                    ArrayList.class,
                    HashMap.class,
                    byte[].class,
                    int[].class,
                    double[].class);

    static Work named(String name) {
        return ALL.stream()
                .filter(work -> work.name.equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no work is called " + name));
    }

    private static byte[] bytes() {
        var bytes = new byte[BYTES];
        new Random(2).nextBytes(bytes);
        return bytes;
    }
}
