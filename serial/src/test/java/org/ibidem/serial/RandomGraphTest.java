package org.ibidem.serial;

import org.ibidem.Seeded;
import org.ibidem.serial.graph.RandomClasses;
import org.ibidem.serial.graph.RandomGraphs;
import org.ibidem.serial.graph.Trip;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Graphs that nobody thought of, of classes that nobody wrote.
class RandomGraphTest {
    private static final int TIMES = Boolean.getBoolean("ibidem.full") ? 5000 : 40;

    private static void arrive(boolean hooked) {
        Seeded.times(
                TIMES,
                random -> {
                    var classes = RandomClasses.some(random, hooked);
                    var graph = RandomGraphs.of(random, classes);
                    compare(graph, classes.getFirst().getClassLoader(), hooked);
                });
    }

    private static void arriveWhereClassesHaveChanged(boolean hooked) {
        Seeded.times(
                TIMES,
                random -> {
                    var versions = RandomClasses.changing(random, hooked);
                    var graph = RandomGraphs.of(random, RandomClasses.load(versions.before()));
                    var there = RandomClasses.load(versions.after());
                    compare(graph, there.getFirst().getClassLoader(), hooked);
                });
    }

    private static void compare(Object graph, ClassLoader there, boolean hooked) {
        if (hooked) {
            Trip.compareHooks(graph, there);
        } else {
            Trip.compareLoosely(graph, there);
        }
    }

    @Test
    @Tag("slow")
    void random_graphs_of_random_classes_arrive_as_with_the_jdk() {
        arrive(false);
    }

    @Test
    @Tag("slow")
    void graphs_of_classes_with_hooks_arrive_as_with_the_jdk() {
        arrive(true);
    }

    @Test
    @Tag("slow")
    void classes_that_have_changed_are_read_as_by_the_jdk() {
        arriveWhereClassesHaveChanged(false);
    }

    @Test
    @Tag("slow")
    void classes_with_hooks_that_have_changed_are_read_as_by_the_jdk() {
        arriveWhereClassesHaveChanged(true);
    }
}
