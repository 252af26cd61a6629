package org.ibidem.lab.nemesis;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/// What the registry promises holds whatever is done to its hub and to nodes: every fault there is,
/// in an order that the seed says.
@Isolated("starts processes, of which some are killed")
class PromisesTest {
    private static final Path FOLDER = Path.of("target", "nemesis").toAbsolutePath();

    /// What is broken first often breaks more.
    private static final int MOST_TOLD = 30;

    @Test
    @Tag("lab")
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void hold_under_every_fault() throws Exception {
        run(Long.getLong("test.seed", System.nanoTime()));
    }

    @Test
    @Tag("full")
    @Timeout(value = 2, unit = TimeUnit.HOURS)
    void hold_for_an_hour() throws Exception {
        long seed = Long.getLong("test.seed", System.nanoTime());
        var time = Duration.ofMinutes(Long.getLong("test.minutes", 60));
        long end = System.nanoTime() + time.toNanos();
        long calls = 0;
        long hubs = 0;
        long nodes = 0;
        for (long i = 0; System.nanoTime() < end; i++) {
            var verdict = run(seed + i);
            calls += verdict.calls();
            hubs += verdict.hubs() - 1;
            nodes += verdict.nodes();
            System.out.printf(
                    "promises: %d operations, %d starts of a hub after the first, %d nodes so far%n",
                    calls, hubs, nodes);
        }
    }

    private static Episode.Verdict run(long seed) throws Exception {
        System.out.println("promises: -Dtest.seed=" + seed);
        var faults = new ArrayList<>(List.of(Fault.values()));
        Collections.shuffle(faults, new Random(seed));
        faults.remove(Fault.LOST);
        faults.add(Fault.LOST);
        var folder = FOLDER.resolve(String.valueOf(seed));
        var episode = new Episode(folder, seed);
        var verdict = episode.run(faults);
        System.out.printf(
                "promises: %d operations of %d nodes, %d rows of messages through the hub, which was started %d times; done under %s%n",
                verdict.calls(),
                verdict.nodes(),
                verdict.routed(),
                verdict.hubs(),
                new TreeMap<>(verdict.done()));
        assertThat(verdict.broken().stream().limit(MOST_TOLD))
                .as(
                        "-Dtest.seed=%d, histories in %s: %s",
                        seed, folder, verdict.broken().stream().findFirst().orElse("well"))
                .isEmpty();
        assertThat(verdict.done()).as("under every fault").hasSize(Fault.values().length);
        assertThat(verdict.done().values()).allMatch(count -> count > 0);
        assertThat(verdict.routed()).as("messages through the hub").isPositive();
        episode.forget();
        return verdict;
    }
}
