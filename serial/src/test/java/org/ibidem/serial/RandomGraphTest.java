package org.ibidem.serial;

import java.util.List;
import java.util.random.RandomGenerator;
import org.ibidem.Seeded;
import org.ibidem.serial.graph.RandomClasses;
import org.ibidem.serial.graph.RandomGraphs;
import org.ibidem.serial.graph.Trip;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Graphs that nobody thought of, of classes that nobody wrote.
class RandomGraphTest {
    private static final int TIMES = Boolean.getBoolean("ibidem.full") ? 5000 : 60;

    @Test
    @Tag("slow")
    void random_graphs_of_random_classes_arrive_as_with_the_jdk() {
        Seeded.times(TIMES, random -> compare(random, RandomClasses.some(random)));
    }

    private static void compare(RandomGenerator random, List<Class<?>> classes) {
        var graph = RandomGraphs.of(random, classes);
        Trip.compareLoosely(graph, classes.getFirst().getClassLoader());
    }

    @Test
    @Tag("slow")
    void classes_that_have_changed_are_read_as_by_the_jdk() {
        Seeded.times(
                TIMES,
                random -> {
                    var versions = RandomClasses.changing(random);
                    var graph = RandomGraphs.of(random, RandomClasses.load(versions.before()));
                    var there = RandomClasses.load(versions.after());
                    Trip.compareLoosely(graph, there.getFirst().getClassLoader());
                });
    }
}
