package org.ibidem.lab.model;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.ibidem.port.PortType;

/// Random stacks: filters that change nothing over any driver, and faults among them.
final class Stacks {
    private static final List<String> DRIVERS =
            List.of("loopback", "shm", "tcp", "auto", "multi(shm, tcp)", "multiplex > tcp");
    private static final List<String> FILTERS =
            List.of("fragment", "checksum", "conversion", "delay(by=1ms)");
    private static final List<String> FAULTS =
            List.of(
                    "drop(rate=0.04)",
                    "corrupt(rate=0.04)",
                    "duplicate(rate=0.1)",
                    "reorder(rate=0.04)");
    private static final int MOST_FILTERS = 3;

    private Stacks() {}

    /// A stack that promises as much as that of this type.
    static PortType put(PortType type, RandomGenerator random) {
        var layers = filters(random);
        if (random.nextInt(4) == 0) {
            layers.addFirst("multicast");
        }
        if (Types.breaks(type)) {
            layers.add("cut(after=" + (4 + random.nextInt(8)) + "k)");
        } else if (Types.doubtful(type)) {
            layers.addAll(faults(random));
        }
        layers.add(pick(random, DRIVERS));
        return type.stack(String.join(" > ", layers));
    }

    private static List<String> filters(RandomGenerator random) {
        var layers = new ArrayList<String>();
        for (int left = random.nextInt(MOST_FILTERS + 1); left > 0; left--) {
            var filter = pick(random, FILTERS);
            boolean fragments = filter.equals("fragment");
            layers.add(fragments ? "fragment(size=" + (500 + random.nextInt(4000)) + ")" : filter);
        }
        return layers;
    }

    /// One to three, below a checksum that has what it finds wrong count as lost.
    private static List<String> faults(RandomGenerator random) {
        var layers = new ArrayList<>(List.of("checksum(then=lose)"));
        for (int left = 1 + random.nextInt(3); left > 0; left--) {
            layers.add(pick(random, FAULTS));
        }
        return layers;
    }

    private static <T> T pick(RandomGenerator random, List<T> list) {
        return list.get(random.nextInt(list.size()));
    }
}
