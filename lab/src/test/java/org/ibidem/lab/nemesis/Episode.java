package org.ibidem.lab.nemesis;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGeneratorFactory;
import org.ibidem.lab.history.History;
import org.ibidem.lab.history.rule.Checker;

/// One world from its beginning to its end, in which these faults happen.
final class Episode {
    /// What was refused is asked for again after a second.
    private static final Duration GIVING_BACK = Duration.ofMillis(2_500);

    private static final Duration AGREEING = Duration.ofSeconds(40);

    private final Path folder;
    private final long seed;

    /// @param folder for all that is written down
    Episode(Path folder, long seed) {
        this.folder = folder;
        this.seed = seed;
    }

    /// What came of it.
    ///
    /// @param broken promises, one line each
    /// @param done operations under each kind of fault
    /// @param calls all operations
    /// @param nodes that took part
    /// @param hubs how often the hub was started
    /// @param routed rows of messages that arrived through the hub
    record Verdict(
            List<String> broken,
            Map<String, Long> done,
            long calls,
            long nodes,
            long hubs,
            long routed) {}

    Verdict run(List<Fault> faults) throws Exception {
        Files.createDirectories(folder.resolve("disk"));
        var disk = Disk.at(folder.resolve("disk").toAbsolutePath());
        org.junit.jupiter.api.Assumptions.assumeTrue(
                disk.isPresent(), "this machine allows no tmpfs in a namespace");
        try (var small = disk.orElseThrow();
                var world = new World(folder, small, seed)) {
            var random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
            var nemesis = new Nemesis(world, random);
            for (var fault : faults) {
                nemesis.strike(fault);
            }
            world.tell("quiet");
            LockSupport.parkNanos(GIVING_BACK.toNanos());
            agree(world);
            world.settle();
            world.notes.note("nemesis", "quiet");
            world.tell("end");
            return judge(world.history(), world.starts());
        }
    }

    /// Waits until all know the same; if that takes too long the rules say who does not.
    private static void agree(World world) throws Exception {
        long end = System.nanoTime() + AGREEING.toNanos();
        do {
            world.tell("report");
        } while (!Checker.agreed(world.history()) && System.nanoTime() < end);
    }

    private static Verdict judge(History history, long hubs) {
        return new Verdict(
                new Checker(World.SUSPICION, World.SLACK).broken(history),
                Checker.done(history),
                history.calls().size(),
                history.all("is").size(),
                hubs,
                history.calls().stream()
                        .filter(call -> call.ok() && call.operation().equals("parcels"))
                        .filter(call -> call.result().equals(List.of("arrived", "routed")))
                        .count());
    }

    /// Deletes what was written down.
    void forget() throws IOException {
        try (var files = Files.walk(folder)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
