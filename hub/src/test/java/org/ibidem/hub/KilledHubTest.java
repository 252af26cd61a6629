package org.ibidem.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.ibidem.registry.Join;
import org.ibidem.registry.JoinRefused;
import org.ibidem.registry.Membership;
import org.ibidem.registry.Node;
import org.ibidem.registry.PoolEvent;
import org.ibidem.registry.coordination.OperationRefused;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/// Hubs with state that are really killed, at any moment, and disks that are really full.
@Tag("lab")
@Isolated("starts processes, of which some are killed")
@Timeout(1800)
class KilledHubTest {
    private static final boolean FULL = Boolean.getBoolean("ibidem.full");

    /// A second is promised; silence would be noticed after fifteen.
    private static final Duration SOON = Duration.ofSeconds(12);

    @TempDir Path temporary;

    @Test
    void killed_again_and_again_it_forgets_nothing_it_has_answered() throws Exception {
        long seed = Long.getLong("test.seed", System.nanoTime());
        System.out.println("killed hub: -Dtest.seed=" + seed);
        var random = new Random(seed);
        var state = temporary.resolve("state");
        var hub = Forked.hub(0, state);
        int port = Integer.parseInt(hub.said());
        try (var crew = new Crew(5, port, seed)) {
            int kills = FULL ? 100 : 8;
            for (int kill = 1; kill <= kills; kill++) {
                crew.awaitWork(random.nextInt(1_500));
                hub.close();
                hub = Forked.hub(port, state);
                crew.awaitReturn(kill);
            }
            crew.awaitWork(200);
            crew.finish();
            System.out.println("killed hub: " + kills + " times, " + crew.done() + " operations");
        } finally {
            hub.close();
        }
    }

    @Test
    void its_folder_as_it_is_at_any_moment_is_a_state_to_go_on_from() throws Exception {
        var state = temporary.resolve("state");
        try (var hub = Forked.hub(0, state);
                var crew = new Crew(3, Integer.parseInt(hub.said()), 1)) {
            for (int i = 0; i < (FULL ? 300 : 30); i++) {
                crew.awaitWork(i * 7 % 150);
                var copy = copy(state, temporary.resolve("copy" + i));
                try (var other = Hub.start(Hub.Options.DEFAULT.port(0).state(copy))) {
                    assertThat(other.state()).endsWith("1 pools, 3 members");
                }
            }
            crew.finish();
        }
    }

    // As a backup would: file after file, while they are written.
    private static Path copy(Path from, Path to) throws IOException {
        for (int tries = 0; ; tries++) {
            Files.createDirectories(to);
            try (var files = Files.list(from)) {
                for (var file : files.toList()) {
                    Files.copy(
                            file,
                            to.resolve(file.getFileName()),
                            StandardCopyOption.COPY_ATTRIBUTES,
                            StandardCopyOption.REPLACE_EXISTING);
                }
                return to;
            } catch (NoSuchFileException e) {
                if (tries > 10) { // it was begun anew meanwhile
                    throw e;
                }
            }
        }
    }

    @Test
    void a_killed_winner_has_a_successor_soon() throws Exception {
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0));
                var victim = Forked.node(hub.port(), "demo");
                var one = join(hub.port());
                var two = join(hub.port())) {
            var won = one.elections().elect("master");
            two.elections().elect("master");
            assertThat(won.winner().id().toString()).isEqualTo(victim.said());
            var heard = Heard.by(two);
            victim.kill();
            heard.await(
                    event ->
                            event instanceof PoolEvent.Elected(_, var winner, var term)
                                    && winner.id().equals(one.id())
                                    && term == 2,
                    "the successor",
                    SOON);
        }
    }

    @Test
    void a_stopped_member_is_suspected_soon_when_another_one_misses_it() throws Exception {
        // On its own the hub would notice after three minutes.
        var patient = Bounds.DEFAULT.silence(Duration.ofMinutes(1), Duration.ofMinutes(3));
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0).bounds(patient));
                var victim = Forked.node(hub.port(), "demo");
                var one = join(hub.port())) {
            var heard = Heard.by(one);
            var id = NodeId.parse(victim.said());
            one.maybeDead(id, "no news of it, but it is there");
            assertThat(one.sequences().next("s")).isZero();
            victim.signal("STOP");
            long stopped = System.nanoTime();
            while (heard.all().stream().noneMatch(PoolEvent.Suspected.class::isInstance)) {
                one.maybeDead(id, "it does not answer"); // a hint may be dropped
                LockSupport.parkNanos(10_000_000); // the hub's word is what is waited for
                // The hub asks it and waits two seconds.
                assertThat(Duration.ofNanos(System.nanoTime() - stopped)).isLessThan(Heard.LONG);
            }
            victim.signal("CONT");
            heard.await(PoolEvent.Restored.class);
            assertThat(heard.all()).noneMatch(PoolEvent.Died.class::isInstance);
        }
    }

    @Test
    void on_a_full_disk_it_refuses_what_it_could_not_remember_and_goes_on_when_there_is_room()
            throws Exception {
        var disk = Files.createDirectory(temporary.resolve("disk"));
        assumeTrue(
                mount(disk),
                "no tmpfs of a megabyte can be mounted here: this needs root and mount(8)");
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0).state(disk.resolve("state")));
                var one = join(hub.port());
                var two = join(hub.port())) {
            var heard = Heard.by(one);
            assertThat(one.sequences().next("row")).isZero();
            var filler = disk.resolve("filler");
            fill(filler);
            assertThatThrownBy(() -> fillUp(one))
                    .isInstanceOf(OperationRefused.class)
                    .hasMessageContaining("cannot keep its state")
                    .hasMessageContaining("No space left")
                    .hasMessageContaining(disk.toString());
            assertThatThrownBy(() -> join(hub.port()))
                    .isInstanceOf(JoinRefused.HubFull.class)
                    .hasMessageContaining("No space left");
            Links.silence(two);
            Files.delete(filler);
            assertThat(heard.await(PoolEvent.Died.class).member().id()).isEqualTo(two.id());
            long next = one.sequences().next("row");
            assertThat(next).as("none was given while the disk was full").isEqualTo(given);
            try (var late = join(hub.port())) {
                assertThat(late.awaitMembers(2, Heard.LONG)).hasSize(2);
            }
        } finally {
            new ProcessBuilder("umount", "-l", disk.toString()).start().waitFor();
        }
    }

    private long given = 1;

    // The last block of the journal may have room for some more.
    private void fillUp(Node node) {
        for (int i = 0; i < 10_000; i++) {
            assertThat(node.sequences().next("row")).isEqualTo(given);
            given++;
        }
    }

    private static void fill(Path file) throws IOException {
        try (var out = Files.newOutputStream(file)) {
            while (true) {
                out.write(new byte[4096]);
            }
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("No space left");
        }
    }

    private static boolean mount(Path at) throws InterruptedException {
        try {
            return new ProcessBuilder(
                                    "mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", at.toString())
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException _) {
            return false;
        }
    }

    private static Node join(int port) {
        return Node.join(Join.pool("demo").hub("localhost:" + port).membership(Membership.ORDERED));
    }
}
