package org.ibidem.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.ibidem.accept.CannotListen;
import org.ibidem.registry.Join;
import org.ibidem.registry.JoinRefused;
import org.ibidem.registry.Membership;
import org.ibidem.registry.Node;
import org.ibidem.registry.PoolEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A hub that keeps its state in a folder.
class HubStateTest {
    private static final Duration LONG = Heard.LONG;

    @TempDir Path temporary;
    private final List<Node> nodes = new ArrayList<>();
    private Hub hub;
    private int port;

    @AfterEach
    void end() {
        nodes.forEach(Node::close);
        if (hub != null) {
            hub.close();
        }
    }

    @Test
    void a_member_has_thirty_seconds_to_come_back_where_nobody_said_otherwise() {
        assertThat(Bounds.DEFAULT.suspicion()).isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void started_again_it_is_the_same_hub_and_nobody_notices_more_than_a_pause() {
        start();
        var id = hub.id();
        assertThat(hub.state()).endsWith("none yet");
        var one = join(to("demo").size(3).tag(new byte[] {7}));
        var two = join(to("demo").size(3));
        var won = one.elections().elect("master");
        assertThat(two.sequences().next("row", 7)).isZero();
        one.tokens().add("licence", 2);
        two.tokens().take("licence");
        var heard = List.of(Heard.by(one), Heard.by(two));
        var events = one.events();
        restart(heard);
        assertThat(hub.id()).isEqualTo(id);
        assertThat(hub.state()).endsWith("1 pools, 2 members");
        assertThat(two.sequences().next("row")).isEqualTo(7);
        assertThat(two.tokens().count("licence")).isEqualTo(1);
        assertThat(two.elections().elect("master")).isEqualTo(won);
        var three = join(to("demo").size(3));
        assertThat(three.rank()).isEqualTo(2);
        assertThat(three.member(0).orElseThrow().tag().bytes()).containsExactly(7);
        assertThat(three.elections().result("master")).contains(won);
        assertThat(one.awaitClosed(LONG)).isTrue();
        assertThat(events.pollAll())
                .filteredOn(event -> !(event instanceof PoolEvent.HubLost))
                .filteredOn(event -> !(event instanceof PoolEvent.HubBack))
                .extracting(Object::getClass)
                .containsExactly(
                        PoolEvent.Joined.class,
                        PoolEvent.Joined.class,
                        PoolEvent.Elected.class,
                        PoolEvent.Joined.class,
                        PoolEvent.Closed.class);
        assertThatThrownBy(() -> join(to("demo"))).isInstanceOf(JoinRefused.PoolFull.class);
    }

    @Test
    void who_waited_for_a_token_still_waits_and_is_the_first_to_get_one() {
        start();
        var one = join(to("demo"));
        var two = join(to("demo"));
        var first = async(() -> one.tokens().take("t", LONG));
        while (one.tokens().count("t") > 0 || !waits(one)) {
            Thread.onSpinWait();
        }
        restart(List.of(Heard.by(one), Heard.by(two)));
        two.tokens().add("t", 1);
        assertThat(first.join()).isTrue();
        assertThat(two.tokens().count("t")).isZero();
    }

    // An operation of the same member that was answered: the one before it has been obeyed.
    private static boolean waits(Node node) {
        return node.sequences().next("here") >= 0;
    }

    @Test
    void what_was_asked_while_the_hub_was_away_is_done_once_when_it_is_back() {
        start();
        var one = join(to("demo"));
        assertThat(one.sequences().next("row")).isZero();
        var heard = Heard.by(one);
        hub.close();
        heard.await(PoolEvent.HubLost.class);
        var next = async(() -> one.sequences().within(LONG).next("row"));
        start();
        assertThat(next.join()).isEqualTo(1);
        assertThat(one.sequences().next("row")).isEqualTo(2);
    }

    @Test
    void what_members_know_beyond_a_state_that_lost_its_end_is_said_and_taken_over()
            throws Exception {
        start();
        var one = join(to("demo"));
        var two = join(to("demo"));
        var heard = List.of(Heard.by(one), Heard.by(two));
        one.signals().sendAll("once");
        heard.forEach(it -> it.await(PoolEvent.Signalled.class));
        var won = one.elections().elect("x");
        two.elections().result("x", LONG);
        hub.close();
        heard.forEach(it -> it.await(PoolEvent.HubLost.class));
        try (var files = Files.list(temporary.resolve("state"))) {
            var journal =
                    files.filter(file -> file.getFileName().toString().startsWith("journal-"))
                            .findFirst()
                            .orElseThrow();
            try (var channel = FileChannel.open(journal, StandardOpenOption.WRITE)) {
                channel.truncate(channel.size() - 3);
            }
        }
        try (var logged = new Logged(Register.class)) {
            start();
            heard.forEach(it -> it.await(PoolEvent.HubBack.class));
            assertThat(logged.next())
                    .contains("knows pool {1} up to change {2}", "the end of its journal was lost");
        }
        heard.forEach(it -> it.await(PoolEvent.Missed.class));
        assertThat(two.elections().elect("x")).isEqualTo(won);
        assertThat(one.elections().result("x")).contains(won);
        two.signals().sendAll("more");
        heard.forEach(it -> assertThat(signalsUntil(it, "more")).containsExactly("once", "more"));
    }

    private static List<String> signalsUntil(Heard heard, String last) {
        heard.await(event -> event.toString().contains("signal=" + last), last);
        return heard.all().stream()
                .filter(PoolEvent.Signalled.class::isInstance)
                .map(event -> ((PoolEvent.Signalled) event).signal())
                .toList();
    }

    @Test
    void one_that_is_closed_while_the_hub_is_away_has_left_when_it_is_back() {
        start();
        var one = join(to("demo"));
        var two = join(to("demo"));
        var heard = Heard.by(two);
        var member = two.member(one.id()).orElseThrow();
        two.awaitMembers(2, LONG);
        hub.close();
        heard.await(PoolEvent.HubLost.class);
        var closing =
                async(() -> {
                    Thread.currentThread().interrupt(); // which hurries nobody
                    one.close();
                    return Thread.interrupted();
                });
        start();
        assertThat(closing.join()).isTrue();
        assertThat(heard.await(PoolEvent.Left.class).member()).isEqualTo(member);
        assertThat(heard.all()).noneMatch(PoolEvent.Died.class::isInstance);
    }

    @Test
    void members_that_left_or_died_before_stay_gone() {
        start();
        var one = join(to("demo"));
        var two = join(to("demo"));
        var three = join(to("demo"));
        var heard = Heard.by(one);
        two.close();
        Links.cut(three);
        heard.await(PoolEvent.Died.class);
        restart(List.of(heard));
        assertThat(one.members()).hasSize(1);
        assertThatThrownBy(() -> three.awaitMembers(9, LONG))
                .hasMessageContaining("without a leave");
    }

    @Test
    @Tag("slow")
    void a_member_that_does_not_come_back_in_time_is_dead_and_nobody_before() {
        start();
        var one = join(to("demo"));
        var two = join(to("demo"));
        var heard = Heard.by(one);
        hub.close();
        heard.await(PoolEvent.HubLost.class);
        nodes.remove(two);
        Links.silence(two);
        hub = Hub.start(options().bounds(Bounds.DEFAULT.suspicion(Duration.ofSeconds(2))));
        heard.await(PoolEvent.HubBack.class);
        assertThat(heard.await(PoolEvent.Died.class).why())
                .contains("not back within 2 s after its hub was started again");
        assertThat(heard.all()).noneMatch(PoolEvent.Suspected.class::isInstance);
    }

    @Tag("slow")
    @Test
    void a_journal_that_grows_is_begun_anew_and_forgets_nothing() throws Exception {
        start();
        var one = join(to("demo"));
        var row = "row ".repeat(60); // a long name, for it to grow quickly
        long last = 0;
        var before = size();
        boolean shrank = false;
        for (int i = 0; i < 60_000 && !shrank; i++) {
            last = one.sequences().next(row);
            if (i % 100 == 0) {
                long now = size();
                shrank = now < before;
                before = now;
            }
        }
        assertThat(shrank).isTrue();
        restart(List.of(Heard.by(one)));
        assertThat(one.sequences().next(row)).isEqualTo(last + 1);
    }

    private long size() throws Exception {
        try (var files = Files.list(folder())) {
            return files.mapToLong(file -> file.toFile().length()).sum();
        }
    }

    @Test
    void two_hubs_on_one_folder_are_one_too_many() {
        start();
        assertThatThrownBy(() -> Hub.start(options().port(0)))
                .isInstanceOf(CannotKeepState.class)
                .hasMessageContaining("is used by another hub");
        // The first one has not lost its lock by that.
        assertThatThrownBy(() -> Hub.start(options().port(0))).isInstanceOf(CannotKeepState.class);
    }

    @Test
    void a_hub_that_cannot_listen_gives_its_folder_back() {
        start();
        var other = temporary.resolve("other");
        assertThatThrownBy(() -> Hub.start(options().state(other)))
                .isInstanceOf(CannotListen.class);
        Hub.start(options().state(other).port(0)).close();
    }

    @Test
    void a_damaged_journal_is_named_and_left_alone() throws Exception {
        start();
        join(to("demo")).close();
        nodes.clear();
        hub.close();
        Path journal;
        try (var files = Files.list(folder())) {
            journal =
                    files.filter(file -> file.getFileName().toString().startsWith("journal-"))
                            .findFirst()
                            .orElseThrow();
        }
        var bytes = Files.readAllBytes(journal);
        bytes[45] ^= 1;
        Files.write(journal, bytes);
        assertThatThrownBy(() -> start())
                .isInstanceOf(CannotKeepState.class)
                .hasMessageContaining(journal.toString())
                .hasMessageContaining("damaged at byte");
        assertThat(Files.readAllBytes(journal)).isEqualTo(bytes);
        Files.delete(journal);
        start();
        assertThat(hub.state()).endsWith("none yet");
    }

    private Hub.Options options() {
        return Hub.Options.DEFAULT.port(port).state(folder());
    }

    private Path folder() {
        return temporary.resolve("state");
    }

    private void start() {
        hub = Hub.start(options());
        port = hub.port();
    }

    private void restart(List<Heard> heard) {
        hub.close();
        heard.forEach(each -> each.await(PoolEvent.HubLost.class));
        start();
        heard.forEach(each -> each.await(PoolEvent.HubBack.class));
        heard.forEach(each ->
                assertThat(each.all())
                        .noneMatch(PoolEvent.Restarted.class::isInstance)
                        .noneMatch(PoolEvent.Suspected.class::isInstance));
    }

    private Join to(String pool) {
        return Join.pool(pool).hub("localhost:" + port).membership(Membership.ORDERED);
    }

    private Node join(Join join) {
        var node = Node.join(join);
        nodes.add(node);
        return node;
    }

    private static <T> CompletableFuture<T> async(Supplier<T> body) {
        return CompletableFuture.supplyAsync(body, Thread::startVirtualThread);
    }
}
