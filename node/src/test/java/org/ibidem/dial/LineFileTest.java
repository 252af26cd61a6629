package org.ibidem.dial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.Eventually.eventually;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.ibidem.arbitration.ManualClock;
import org.ibidem.arbitration.Threads;
import org.ibidem.identity.Identity;
import org.ibidem.station.NodeRuntime;
import org.ibidem.topology.Contact;
import org.ibidem.topology.Location;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/// What one node learns of lines is what the next begins with.
@Timeout(60)
@Isolated("sets a property")
class LineFileTest {
    private static final Instant NOW = Instant.parse("2026-11-28T10:00:00Z");
    private static final NodeId PEER = Identity.create().id();

    private final ManualClock clock = new ManualClock();
    private final Threads threads = new Threads("node", clock);
    private Path path;

    @BeforeEach
    void open(@TempDir Path folder) {
        path = folder.resolve("lines");
    }

    @AfterEach
    void close() {
        System.clearProperty("ibidem.lines");
        threads.close();
    }

    private LineFile file(Instant now) {
        return new LineFile(path, InstantSource.fixed(now));
    }

    private Experience experience() {
        return new Experience(threads, file(NOW));
    }

    @Test
    void the_next_node_of_a_place_begins_with_what_the_last_one_learned() {
        System.setProperty("ibidem.lines", path.toString());
        try (var one = runtime()) {
            assertThat(one.line(PEER).known().streams()).isZero();
            one.line(PEER).streams(16, 5.5e6);
            one.line(PEER).data(1_000, 250);
        }
        try (var next = runtime()) {
            var known = next.line(PEER).known();
            assertThat(known.streams()).isEqualTo(16);
            assertThat(known.rate()).isEqualTo(5.5e6);
            assertThat(known.raw()).isEqualTo(1_000);
            assertThat(known.wire()).isEqualTo(250);
            assertThat(known.roundTrip()).as("it is measured again").isZero();
        }
    }

    private NodeRuntime runtime() {
        var runtime =
                NodeRuntime.begun(
                        Identity.create(),
                        "test",
                        false,
                        id -> new Contact(id, List.of(), Map.of()),
                        threads);
        runtime.locatedBy(id -> Location.parse(id.equals(PEER) ? "a@office" : "b@home"));
        return runtime;
    }

    @Test
    void it_is_kept_soon_as_a_node_may_be_killed() {
        experience().line(PEER, "office").streams(8, 1e6);
        assertThat(path).doesNotExist();
        clock.advance(Duration.ofSeconds(1));
        eventually("it is written", () -> Files.exists(path));
        assertThat(file(NOW).read()).containsOnlyKeys("site office");
    }

    @Test
    void a_node_without_a_site_is_another_one_the_next_time() {
        var experience = experience();
        experience.line(PEER, "").streams(8, 1e6);
        experience.keep();
        assertThat(path).doesNotExist();
    }

    @Test
    void how_long_ago_it_was_is_kept() {
        var experience = experience();
        experience.line(PEER, "office").data(1_000, 999);
        clock.advance(Duration.ofMinutes(3));
        experience.keep();
        var next = new Experience(threads, file(NOW.plus(Duration.ofMinutes(4))));
        assertThat(next.line(PEER, "office").known().ago()).isEqualTo(Duration.ofMinutes(7));
    }

    @Test
    void several_nodes_write_beside_each_other() {
        var one = experience();
        var other = experience();
        one.line(PEER, "office").streams(8, 1e6);
        other.line(PEER, "the lab").streams(32, 2e6);
        one.keep();
        other.keep();
        assertThat(file(NOW).read()).containsOnlyKeys("site office", "site the lab");
        assertThat(experience().line(PEER, "the lab").known().streams()).isEqualTo(32);
    }

    @Test
    void what_is_old_says_nothing() {
        var experience = experience();
        experience.line(PEER, "office").streams(8, 1e6);
        experience.keep();
        assertThat(file(NOW.plus(Duration.ofDays(6))).read()).hasSize(1);
        assertThat(file(NOW.plus(Duration.ofDays(8))).read()).isEmpty();
    }

    @Test
    void nonsense_is_as_good_as_nothing() throws IOException {
        long at = NOW.getEpochSecond();
        Files.write(
                path,
                List.of(
                        "",
                        "# 8 1 1 1 " + at + " site comment",
                        "8 1 1 1 " + at,
                        "65 1 1 1 " + at + " site many",
                        "-1 1 1 1 " + at + " site few",
                        "8 NaN 1 1 " + at + " site rate",
                        "8 1 -1 1 " + at + " site raw",
                        "8 1 1 1 " + Long.MAX_VALUE + " site never",
                        "8 1 1 1 99999999999 site later",
                        "8 1000000 9 3 " + at + " site office"));
        assertThat(file(NOW).read())
                .containsExactly(Map.entry("site office", new LineFile.Kept(8, 1e6, 9, 3, NOW)));
        Files.delete(path);
        Files.createDirectory(path);
        assertThat(file(NOW).read()).isEmpty();
        file(NOW).write(Map.of("site office", new LineFile.Kept(8, 1e6, 9, 3, NOW)));
        Files.write(path.resolveSibling("binary"), new byte[] {-1, -2, 10, -3});
        path = path.resolveSibling("binary");
        assertThat(file(NOW).read()).isEmpty();
        path = Path.of("/nowhere/at/all");
        file(NOW).write(Map.of("site office", new LineFile.Kept(8, 1e6, 9, 3, NOW)));
        assertThat(file(NOW).read()).isEmpty();
    }
}
