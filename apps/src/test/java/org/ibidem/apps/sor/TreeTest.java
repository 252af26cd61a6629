package org.ibidem.apps.sor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.ibidem.hub.Hub;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.ibidem.topology.Location;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TreeTest {
    /// In round r the worst cell is rank r's, and nobody has sent more than it.
    @ParameterizedTest
    @Tag("slow")
    @CsvSource({"1, 1", "2, 1", "7, 1", "2, 2", "7, 3", "18, 18"})
    void the_largest_residual_and_the_sum_of_the_counts_come_to_all(int ranks, int sites)
            throws Exception {
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0));
                var threads = Executors.newFixedThreadPool(ranks)) {
            var join = Join.pool("tree").hub("localhost:" + hub.port()).size(ranks);
            var work = new ArrayList<Callable<List<Tally>>>();
            for (int i = 0; i < ranks; i++) {
                var mine = join.rank(i).location(new Location(List.of("host", "s" + i % sites)));
                work.add(() -> rounds(mine, ranks));
            }
            for (var heard : threads.invokeAll(work, 60, TimeUnit.SECONDS)) {
                for (int round = 0; round < ranks; round++) {
                    long all = ranks * (ranks - 1L) / 2 + 100;
                    assertThat(heard.get().get(round))
                            .isEqualTo(new Tally(1000 + round, all, 3 * all));
                }
            }
        }
    }

    private static List<Tally> rounds(Join join, int ranks) {
        var heard = new ArrayList<Tally>();
        try (var node = Node.join(join);
                var tree = new Tree(node, "auto")) {
            tree.connect(node.awaitMembers(ranks, Duration.ofSeconds(30)));
            for (int round = 0; round < ranks; round++) {
                boolean mine = round == node.rank();
                double residual = mine ? 1000 + round : node.rank();
                long count = node.rank() + (mine ? 100L : 0L);
                heard.add(tree.reduce(new Tally(residual, count, 3 * count)));
            }
        }
        return heard;
    }
}
