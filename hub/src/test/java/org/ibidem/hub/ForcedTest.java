package org.ibidem.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.eventually;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.ibidem.arbitration.Clock;
import org.ibidem.hub.journal.FailingDisk;
import org.ibidem.hub.journal.Journal;
import org.ibidem.registry.HubUnreachable;
import org.ibidem.registry.Join;
import org.ibidem.registry.Membership;
import org.ibidem.registry.Node;
import org.ibidem.registry.PoolEvent;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What a hub with state says is on the disk before it says it: a power cut takes nothing back.
@Timeout(60)
class ForcedTest {
    private static final int LOOKS = 50;

    private final FailingDisk disk = new FailingDisk();

    @TempDir Path folder;

    private Hub start(int port, Journal.Opener on) {
        return Hub.start(Hub.Options.DEFAULT.port(port).state(folder), Clock.SYSTEM, on);
    }

    private static Node join(Hub hub) {
        return Node.join(
                Join.pool("demo")
                        .hub("localhost:" + hub.port())
                        .limit(Heard.LONG)
                        .membership(Membership.ORDERED));
    }

    private static <T> CompletableFuture<T> async(Supplier<T> body) {
        return CompletableFuture.supplyAsync(body, Thread::startVirtualThread);
    }

    /// Questions that the hub answers without its disk; had there been another answer, it would
    /// have come meanwhile.
    private static void lookAgainAndAgain(Node node) {
        for (int i = 0; i < LOOKS; i++) {
            assertThat(node.contact(new NodeId(1, i))).isEmpty();
        }
    }

    /// A member has all its time from when the hub listens, also if the disk was slow before.
    @Test
    @Tag("slow")
    void the_time_a_hub_takes_to_start_is_nobodys_silence() throws Exception {
        var suspicion = Duration.ofSeconds(1);
        var options =
                Hub.Options.DEFAULT
                        .port(0)
                        .state(folder)
                        .bounds(Bounds.DEFAULT.suspicion(suspicion));
        Journal.Opener slow =
                file -> {
                    if (file.toString().endsWith(".new")) {
                        LockSupport.parkNanos(suspicion.multipliedBy(2).toNanos());
                    }
                    return Journal.Opener.DISK.open(file);
                };
        Node away;
        try (var hub = Hub.start(options)) {
            away = join(hub);
        }
        try (var hub = Hub.start(options, Clock.SYSTEM, slow)) { // at another port
            long listens = System.nanoTime();
            try (var here = join(hub)) {
                if (here.member(away.id()).isPresent()) {
                    var died = Heard.by(here).await(PoolEvent.Died.class);
                    assertThat(died.member().id()).isEqualTo(away.id());
                }
                assertThat(Duration.ofNanos(System.nanoTime() - listens))
                        .isGreaterThan(suspicion.dividedBy(2));
            }
        } finally {
            away.close();
        }
    }

    @Test
    void nobody_is_told_anything_before_it_is_forced_onto_the_disk() throws Exception {
        try (var hub = start(0, disk);
                var one = join(hub);
                var two = join(hub)) {
            one.awaitMembers(2, Heard.LONG);
            var heard = Heard.by(two);
            assertThat(one.sequences().next("row")).isZero();
            disk.hold();
            var next = async(() -> one.sequences().within(Heard.LONG).next("row"));
            disk.awaitHeld();
            var elected = async(() -> one.elections().elect("master", Heard.LONG));
            var three = async(() -> join(hub));
            lookAgainAndAgain(two);
            assertThat(next).isNotDone();
            assertThat(elected).isNotDone();
            assertThat(three).isNotDone();
            assertThat(heard.all()).noneMatch(PoolEvent.Elected.class::isInstance);
            assertThat(two.members()).hasSize(2);
            disk.letGo();
            assertThat(next.join()).isEqualTo(1);
            assertThat(elected.join().winner().id()).isEqualTo(one.id());
            three.join().close();
        }
    }

    @Test
    @Tag("slow")
    void what_could_not_be_forced_is_never_answered_and_done_once_by_the_next_hub()
            throws Exception {
        var hub = start(0, disk);
        try (var one = join(hub);
                var two = join(hub)) {
            one.awaitMembers(2, Heard.LONG);
            assertThat(one.sequences().next("row")).isZero();
            disk.hold();
            var next = async(() -> one.sequences().within(Heard.LONG).next("row"));
            disk.awaitHeld();
            disk.forceFails(true);
            disk.letGo();
            assertThatThrownBy(hub::awaitEnd)
                    .isInstanceOf(CannotKeepState.class)
                    .hasMessageContaining("Input/output error");
            assertThat(next).isNotDone();
            try (var _ = start(hub.port(), Journal.Opener.DISK)) {
                assertThat(next.join()).isEqualTo(1);
                assertThat(two.sequences().next("row")).isEqualTo(2);
            }
        } finally {
            hub.close();
        }
    }

    @Test
    @Tag("slow")
    void a_member_is_not_silent_while_what_it_wants_is_being_written() throws Exception {
        var bounds = Bounds.DEFAULT.silence(Duration.ofMillis(100), Duration.ofSeconds(2));
        var options = Hub.Options.DEFAULT.port(0).state(folder).bounds(bounds);
        try (var hub = Hub.start(options, Clock.SYSTEM, disk);
                var one = join(hub);
                var two = join(hub)) {
            var heard = Heard.by(two);
            two.awaitMembers(2, Heard.LONG);
            disk.hold();
            var next = async(() -> one.sequences().within(Heard.LONG).next("row"));
            disk.awaitHeld();
            long end = System.nanoTime() + Duration.ofSeconds(3).toNanos();
            eventually("many intervals have gone by", () -> System.nanoTime() > end);
            disk.letGo();
            assertThat(next.join()).isZero();
            assertThat(two.sequences().next("row")).isEqualTo(1);
            assertThat(heard.all()).noneMatch(PoolEvent.Suspected.class::isInstance);
        }
    }

    @Test
    void a_question_that_is_not_answered_in_time_is_given_up_and_harms_nothing() throws Exception {
        try (var hub = start(0, disk);
                var one = join(hub);
                var two = join(hub)) {
            one.awaitMembers(2, Heard.LONG);
            var heard = Heard.by(one);
            disk.hold();
            var next = async(() -> one.sequences().within(Heard.LONG).next("row"));
            disk.awaitHeld(); // behind it the hub reads nothing of this member
            assertThatThrownBy(() -> one.contact(two.id(), Duration.ofMillis(50)))
                    .isInstanceOf(HubUnreachable.class)
                    .hasMessageContaining("did not say in time");
            disk.letGo();
            assertThat(next.join()).isZero();
            assertThat(one.contact(two.id())).isPresent();
            assertThat(heard.all()).noneMatch(PoolEvent.HubLost.class::isInstance);
        }
    }
}
