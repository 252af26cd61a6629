package org.ibidem.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.eventually;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.ibidem.registry.Departed;
import org.ibidem.registry.Events;
import org.ibidem.registry.HubUnreachable;
import org.ibidem.registry.Join;
import org.ibidem.registry.JoinRefused;
import org.ibidem.registry.Member;
import org.ibidem.registry.Membership;
import org.ibidem.registry.Node;
import org.ibidem.registry.PoolEvent;
import org.ibidem.registry.TooFewMembers;
import org.ibidem.registry.access.Runtimes;
import org.ibidem.registry.coordination.PoolRestarted;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What members agree on through a hub.
class CoordinationTest {
    private static final Duration LONG = Heard.LONG;
    private static final Duration SHORT = Duration.ofMillis(50);
    private static final Duration FOREVER = Duration.ofDays(1);

    private final Hub hub = Hub.start(Hub.Options.DEFAULT.port(0));
    private final List<Node> nodes = new ArrayList<>();

    @AfterEach
    void end() {
        nodes.forEach(Node::close);
        hub.close();
    }

    @ParameterizedTest
    @EnumSource(Membership.class)
    void an_election_has_one_winner_for_all_and_the_next_one_when_it_is_gone(Membership wish) {
        var one = join(to("demo").membership(wish));
        var two = join(to("demo").membership(wish));
        var three = join(to("demo").membership(wish));
        assertThat(three.elections().result("master", SHORT)).isEmpty();
        var won = two.elections().elect("master");
        assertThat(won.winner().id()).isEqualTo(two.id());
        assertThat(won.term()).isEqualTo(1);
        assertThat(one.elections().elect("master")).isEqualTo(won);
        assertThat(three.elections().result("master", LONG)).contains(won);
        var heard = Heard.by(three);
        two.close();
        heard.await(
                event ->
                        event instanceof PoolEvent.Elected(_, var winner, var term)
                                && term == 2
                                && winner.id().equals(one.id()),
                "the next winner");
        assertThat(three.elections().result("master").orElseThrow().winner().id())
                .isEqualTo(one.id());
        one.elections().withdraw("master");
        heard.await(PoolEvent.Vacated.class);
        assertThat(three.elections().result("master")).isEmpty();
    }

    @Test
    void who_waits_for_a_result_has_it_as_soon_as_somebody_stands() {
        var one = join(to("demo"));
        var two = join(to("demo"));
        var result = async(() -> one.elections().result("late", LONG).orElseThrow());
        var won = two.elections().elect("late");
        assertThat(result.join()).isEqualTo(won);
        assertThat(one.elections().result("late")).contains(won);
    }

    @Test
    void a_result_that_was_just_asked_for_is_there_at_once() {
        var one = join(to("demo"));
        for (int i = 0; i < 50; i++) {
            var won = one.elections().elect("e" + i);
            assertThat(one.elections().result("e" + i)).contains(won);
        }
    }

    @Test
    void a_sequence_gives_each_number_once_whoever_asks() {
        var numbers = new ConcurrentSkipListSet<Long>();
        var tasks = new ArrayList<CompletableFuture<Void>>();
        for (int n = 0; n < 4; n++) {
            var node = join(to("demo"));
            for (int thread = 0; thread < 3; thread++) {
                tasks.add(
                        async(() -> {
                            long last = -1;
                            for (int i = 0; i < 50; i++) {
                                long next = node.sequences().next("row");
                                assertThat(next).as("they grow").isGreaterThan(last);
                                assertThat(numbers.add(next)).as("given once").isTrue();
                                last = next;
                            }
                            return null;
                        }));
            }
        }
        tasks.forEach(CompletableFuture::join);
        assertThat(numbers).containsExactlyElementsOf(LongStream.range(0, 600).boxed().toList());
        assertThat(nodes.getFirst().sequences().next("row", 10)).isEqualTo(600);
        assertThat(nodes.getFirst().sequences().next("row")).isEqualTo(610);
    }

    @Test
    void tokens_are_taken_once_waited_for_and_given_up_in_time() {
        var one = join(to("demo"));
        var two = join(to("demo"));
        assertThat(one.tokens().take("licence")).isFalse();
        assertThat(one.tokens().take("licence", SHORT)).isFalse();
        var waiting = async(() -> two.tokens().take("licence", LONG));
        eventually("there is one", () -> one.tokens().add("licence", 1) == 0 || waiting.isDone());
        assertThat(waiting.join()).isTrue();
        one.tokens().remove("licence");
        assertThat(one.tokens().add("licence", 3)).isEqualTo(3);
        assertThat(two.tokens().take("licence")).isTrue();
        assertThat(two.tokens().count("licence")).isEqualTo(2);
        assertThat(two.tokens().set("licence", 7)).isEqualTo(2);
        assertThat(one.tokens().remove("licence")).isEqualTo(7);
        assertThat(one.tokens().take("licence")).isFalse();
    }

    @Test
    void no_token_is_lost_or_doubled_among_those_who_give_up() {
        var one = join(to("demo"));
        var two = join(to("demo"));
        var taken = new ArrayList<CompletableFuture<Integer>>();
        for (int i = 0; i < 8; i++) {
            taken.add(
                    async(() -> {
                        int got = 0;
                        for (int tries = 0; tries < 30; tries++) {
                            got += two.tokens().take("t", Duration.ofMillis(1)) ? 1 : 0;
                        }
                        return got;
                    }));
        }
        for (int i = 0; i < 100; i++) {
            one.tokens().add("t", 1);
        }
        int all = taken.stream().mapToInt(CompletableFuture::join).sum();
        assertThat(all + one.tokens().count("t")).isEqualTo(100);
    }

    @Test
    void a_member_waits_with_as_many_operations_as_it_may_and_more() {
        var one = join(to("demo"));
        var two = join(to("demo"));
        var waiting = new ArrayList<CompletableFuture<Boolean>>();
        for (int i = 0; i < 300; i++) {
            waiting.add(async(() -> one.tokens().take("many", LONG)));
        }
        for (int i = 0; i < 300; i++) {
            assertThat(two.sequences().next("meanwhile")).isEqualTo(i);
        }
        eventually(
                "all have theirs",
                () ->
                        two.tokens().add("many", 10) >= 0
                                && waiting.stream().allMatch(w -> w.isDone()));
        assertThat(waiting).allMatch(CompletableFuture::join);
    }

    /// What it waited for is there for others, and there is room for what it asks next.
    @Test
    @Tag("slow")
    void who_is_interrupted_while_it_waits_takes_nothing_with_it() throws Exception {
        var one = join(to("demo"));
        for (int i = 0; i < 300; i++) {
            var waiting = Thread.ofPlatform().daemon().start(() -> takeInterrupted(one));
            eventually("it waits", () -> waiting.getState() == Thread.State.TIMED_WAITING);
            waiting.interrupt();
            waiting.join();
        }
        one.tokens().add("one", 1);
        eventually(
                "it is given back", () -> one.tokens().count("one") == 1); // or one of them has it
        assertThat(one.tokens().take("one", LONG)).isTrue();
    }

    private static void takeInterrupted(Node node) {
        assertThatThrownBy(() -> node.tokens().take("one", LONG))
                .hasMessageContaining("interrupted");
    }

    @Test
    void one_that_waits_long_does_not_stop_what_comes_after() {
        var one = join(to("demo"));
        var two = join(to("demo"));
        var waiting = async(() -> one.tokens().take("rare", LONG));
        for (int i = 0; i < 1_000; i++) {
            assertThat(one.sequences().next("quick")).isEqualTo(i);
        }
        eventually("there is one", () -> two.tokens().add("rare", 1) == 0 || waiting.isDone());
        assertThat(waiting.join()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(Membership.class)
    void a_signal_reaches_those_it_is_for_in_order_and_nobody_else(Membership wish) {
        var one = join(to("demo").membership(wish));
        var two = join(to("demo").membership(wish));
        var three = join(to("demo").membership(wish));
        var atTwo = two.events();
        var atThree = three.events();
        for (int i = 0; i < 20; i++) {
            assertThat(one.signals().send("number " + i, two.id(), two.id())).isEqualTo(1);
        }
        assertThat(one.signals().send("nobody", Runtimes.of(three).id())).isEqualTo(1);
        assertThat(one.signals().sendAll("done")).isEqualTo(3);
        assertThat(signals(atTwo)).hasSize(21).startsWith("number 0", "number 1").endsWith("done");
        assertThat(signals(atThree)).containsExactly("nobody", "done");
        assertThatThrownBy(() -> one.signals().sendAll("x".repeat(2_000)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1024 bytes");
    }

    private static List<String> signals(Events events) {
        var signals = new ArrayList<String>();
        while (!signals.contains("done")) {
            if (events.next(LONG).orElseThrow() instanceof PoolEvent.Signalled(_, var signal)) {
                signals.add(signal);
            }
        }
        return signals;
    }

    @Test
    void a_sized_pool_is_closed_when_it_is_complete() {
        var one = join(to("pair").size(2));
        assertThat(one.awaitClosed(SHORT)).isFalse();
        assertThat(one.isClosed()).isFalse();
        var closed = async(() -> one.awaitClosed(LONG));
        join(to("pair").size(2));
        assertThat(closed.join()).isTrue();
        assertThat(Heard.by(one).await(PoolEvent.Closed.class).why()).contains("all its 2");
    }

    @Test
    void an_open_pool_is_closed_by_a_member_and_terminated_once() {
        var one = join(to("demo"));
        var two = join(to("demo").membership(Membership.NONE));
        one.closePool("enough");
        assertThat(two.awaitClosed(LONG)).isTrue();
        assertThatThrownBy(() -> join(to("demo")))
                .isInstanceOf(JoinRefused.PoolClosed.class)
                .hasMessageContaining("enough");
        assertThat(two.awaitTerminated(SHORT)).isEmpty();
        var by = async(() -> two.awaitTerminated(LONG));
        one.terminate();
        one.terminate();
        assertThat(by.join().orElseThrow().id()).isEqualTo(one.id());
        assertThat(one.terminated()).isEqualTo(by.join());
        // A late listener hears of it, too.
        Heard.by(two).await(PoolEvent.Terminated.class);
    }

    @Test
    void members_that_cannot_come_any_more_are_not_waited_for() throws Exception {
        var one = join(to("two").size(2));
        assertThatThrownBy(() -> one.awaitMembers(3, FOREVER))
                .isInstanceOf(TooFewMembers.class)
                .hasMessage("pool 'two' is for 2 members, and will not have 3");
        var first = join(to("any"));
        var waiting = async(() -> first.awaitMembers(2, FOREVER));
        first.closePool("all are here");
        assertThatThrownBy(waiting::join)
                .hasCauseInstanceOf(TooFewMembers.class)
                .hasMessageContaining("has 1 members, and there will not be 2: it was closed, as ")
                .hasMessageContaining("all are here");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void members_that_have_left_count_once_nobody_can_join_any_more(boolean sized) {
        var join = sized ? to("all").size(3) : to("all");
        var slow = join(join);
        var others = List.of(join(join), join(join));
        if (!sized) {
            others.getLast().awaitMembers(3, LONG);
            others.getLast().closePool("all are here");
        }
        others.forEach(other -> assertThat(other.awaitMembers(3, LONG)).hasSize(3));
        others.forEach(Node::close);
        eventually("they have left", () -> slow.members().size() == 1);
        assertThat(slow.awaitMembers(3, FOREVER))
                .extracting(Member::id)
                .containsExactly(slow.id(), others.getFirst().id(), others.getLast().id());
        assertThat(slow.awaitMembers(1, FOREVER)).as("what is there is enough").hasSize(1);
        assertThatThrownBy(() -> slow.awaitMembers(4, FOREVER)).isInstanceOf(TooFewMembers.class);
    }

    @Test
    void one_assumed_dead_is_dead_and_is_told() {
        var one = join(to("demo"));
        var two = join(to("demo"));
        var heard = Heard.by(two);
        one.assumeDead(two.id(), "it does not answer");
        assertThatThrownBy(() -> two.awaitMembers(99, LONG))
                .isInstanceOf(Departed.class)
                .hasMessageContaining("it does not answer");
        assertThatThrownBy(() -> two.sequences().next("s")).isInstanceOf(Departed.class);
        heard.await(PoolEvent.Died.class);
        one.assumeDead(two.id(), "again");
    }

    @Test
    void who_does_not_follow_members_says_so_and_hears_of_those_it_deals_with() {
        var one = join(to("demo").membership(Membership.NONE));
        var two = join(to("demo"));
        assertThatThrownBy(one::members)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Membership.NONE");
        assertThatThrownBy(() -> one.awaitMembers(2, SHORT))
                .isInstanceOf(IllegalStateException.class);
        var heard = Heard.by(one);
        assertThat(one.contact(two.id())).isPresent();
        Links.cut(two);
        assertThat(heard.await(PoolEvent.Died.class).member().id()).isEqualTo(two.id());
        assertThat(one.contact(two.id())).isEmpty();
        assertThat(heard.all()).noneMatch(PoolEvent.Joined.class::isInstance);
    }

    @Test
    @Tag("slow")
    void what_needs_a_lost_hub_fails_in_time_and_is_done_once_when_it_was_back_in_time()
            throws Exception {
        var one = join(to("demo"));
        assertThat(one.sequences().next("s")).isZero();
        var heard = Heard.by(one);
        Links.reset(one);
        assertThat(one.sequences().next("s")).isEqualTo(1);
        heard.await(PoolEvent.HubBack.class);
        hub.close();
        heard.await(
                _ -> heard.all().stream().filter(PoolEvent.HubLost.class::isInstance).count() == 2,
                "the loss");
        long begun = System.nanoTime();
        assertThatThrownBy(() -> one.elections().elect("e", Duration.ofMillis(100)))
                .isInstanceOf(HubUnreachable.class)
                .hasMessageContaining("is lost");
        assertThat(one.tokens().take("t", Duration.ofMillis(100))).isFalse();
        // What nobody limits takes 10 s.
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(9));
    }

    /// Each says how long it waited.
    @Test
    @Tag("slow")
    void what_is_asked_of_a_lost_hub_waits_as_long_as_it_is_told_to() {
        var one = join(to("demo"));
        var heard = Heard.by(one);
        hub.close();
        heard.await(PoolEvent.HubLost.class);
        assertGivesUp(() -> one.sequences().within(SHORT).next("s"));
        assertGivesUp(() -> one.tokens().within(SHORT).add("t", 1));
        assertGivesUp(() -> one.tokens().within(SHORT).take("t"));
        assertGivesUp(() -> one.signals().within(SHORT).sendAll("hello"));
        assertGivesUp(() -> one.elections().within(SHORT).elect("e"));
        assertGivesUp(() -> one.elections().within(SHORT).withdraw("e"));
    }

    private static void assertGivesUp(ThrowingCallable asking) {
        assertThatThrownBy(asking)
                .isInstanceOf(HubUnreachable.class)
                .hasMessageContaining("within " + SHORT.toMillis() + " ms");
    }

    @Test
    void a_hub_without_state_that_was_started_again_is_told_of_and_elections_stay_won() {
        var one = join(to("demo"));
        var two = join(to("demo"));
        var won = one.elections().elect("master");
        two.elections().elect("master");
        assertThat(one.sequences().next("s", 5)).isZero();
        var heard = List.of(Heard.by(one), Heard.by(two));
        hub.close();
        heard.forEach(each -> each.await(PoolEvent.HubLost.class));
        var doomed = new CompletableFuture<Long>();
        var asking =
                Thread.startVirtualThread(() -> {
                    try {
                        doomed.complete(one.sequences().within(LONG).next("s"));
                    } catch (RuntimeException e) {
                        doomed.completeExceptionally(e);
                    }
                });
        var harmless = async(() -> two.elections().elect("other"));
        eventually("it has asked", () -> asking.getState() == Thread.State.TIMED_WAITING);
        try (var again = Hub.start(Hub.Options.DEFAULT.port(hub.port()))) {
            assertThat(again.port()).isEqualTo(hub.port());
            heard.forEach(each ->
                    assertThat(each.await(PoolEvent.Restarted.class).why())
                            .contains("pool restarted"));
            heard.forEach(each -> each.await(PoolEvent.HubBack.class));
            assertThatThrownBy(doomed::join).hasCauseInstanceOf(PoolRestarted.class);
            assertThat(harmless.join().winner().id()).isEqualTo(two.id());
            assertThat(two.elections().result("master")).contains(won);
            assertThat(one.sequences().next("s")).isZero();
            one.close();
            // Two stands again where it stood, without being asked to.
            heard.getLast()
                    .await(
                            event ->
                                    event
                                                    instanceof
                                                    PoolEvent.Elected(
                                                            var name,
                                                            var winner,
                                                            var term)
                                            && name.equals("master")
                                            && winner.id().equals(two.id())
                                            && term > won.term(),
                            "the next winner");
            two.close();
        }
    }

    private Join to(String pool) {
        return Join.pool(pool).hub("localhost:" + hub.port());
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
