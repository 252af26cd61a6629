package org.ibidem.hub;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.ibidem.registry.Events;
import org.ibidem.registry.Join;
import org.ibidem.registry.Member;
import org.ibidem.registry.Membership;
import org.ibidem.registry.Node;
import org.ibidem.registry.PoolEvent;
import org.ibidem.registry.PoolEvent.Elected;
import org.ibidem.registry.PoolEvent.Joined;
import org.ibidem.registry.PoolEvent.Left;
import org.ibidem.registry.PoolEvent.Missed;
import org.ibidem.registry.PoolEvent.Signalled;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// How events reach programs: given or polled, whoever is slow.
class EventsTest {
    private static final Duration LONG = Heard.LONG;
    private static final int MORE_THAN_WAIT = 5_000;

    /// It keeps all that is sent: nobody is given a snapshot instead, however late it asks.
    private static final Bounds KEEPING =
            new Bounds(
                    Bounds.DEFAULT.suspicion(),
                    Bounds.DEFAULT.pools(),
                    Bounds.DEFAULT.members(),
                    2 * MORE_THAN_WAIT);

    private final Hub hub = Hub.start(Hub.Options.DEFAULT.port(0).bounds(KEEPING));
    private final List<Node> nodes = new ArrayList<>();

    @AfterEach
    void end() {
        nodes.forEach(Node::close);
        hub.close();
    }

    @Test
    void polled_events_begin_with_what_is_and_go_on_without_gap_or_double() {
        var one = join("demo");
        one.elections().elect("master");
        var two = join("demo");
        var events = two.events();
        assertThat(events.next(LONG).orElseThrow()).isEqualTo(new Joined(member(one)));
        assertThat(events.next(LONG).orElseThrow()).isEqualTo(new Joined(member(two)));
        assertThat(events.next(LONG).orElseThrow())
                .isEqualTo(new Elected("master", member(one), 1));
        assertThat(events.poll()).isEmpty();
        var three = join("demo");
        var third = member(three);
        three.close();
        assertThat(events.next(LONG).orElseThrow()).isEqualTo(new Joined(third));
        assertThat(events.next(LONG).orElseThrow()).isEqualTo(new Left(third));
        assertThat(events.pollAll()).isEmpty();
        assertThat(events.next(Duration.ofMillis(20))).isEmpty();
        events.close();
        one.elections().elect("other");
        assertThat(events.pollAll()).isEmpty();
    }

    @Test
    void who_waits_for_an_event_is_let_go_when_the_node_is_closed() {
        var node = join("demo");
        var events = node.events();
        events.pollAll();
        var waiting =
                CompletableFuture.supplyAsync(() -> events.next(LONG), Thread::startVirtualThread);
        node.close();
        assertThat(waiting.join()).isEmpty();
    }

    @Test
    void a_paused_consumer_gets_what_it_missed_when_it_goes_on() {
        var node = join("demo");
        var heard = new Heard();
        var subscription = node.events(heard);
        heard.await(Joined.class);
        subscription.pause();
        for (int i = 0; i < 10; i++) {
            node.signals().send("number " + i, node.id());
        }
        assertThat(signals(heard.all())).isEmpty();
        subscription.resume();
        heard.await(event -> event.equals(new Signalled(member(node), "number 9")), "the last");
        assertThat(signals(heard.all())).hasSize(10);
        subscription.close();
        node.signals().send("too late", node.id());
        assertThat(node.sequences().next("s")).isZero();
        assertThat(signals(heard.all())).hasSize(10);
    }

    @Test
    void one_that_begins_paused_gives_nothing_before_it_is_resumed() {
        var node = join("demo");
        var heard = new Heard();
        try (var subscription = node.pausedEvents(heard)) {
            node.signals().send("one", node.id());
            Heard.by(node).await(Joined.class);
            assertThat(heard.all()).isEmpty();
            subscription.resume();
            heard.await(event -> event.equals(new Signalled(member(node), "one")), "the signal");
            assertThat(heard.all().getFirst()).isEqualTo(new Joined(member(node)));
        }
    }

    @Test
    void a_consumer_that_fails_gets_the_next_event() {
        failing(() -> {
            throw new IllegalStateException("as a test has it fail");
        });
    }

    @Test
    void so_does_one_that_throws_an_error() {
        failing(() -> {
            throw new AssertionError("as a test has it fail");
        });
    }

    private void failing(Runnable failure) {
        var node = join("demo");
        var heard = new Heard();
        node.events(event -> {
            heard.accept(event);
            failure.run();
        });
        node.signals().send("one", node.id());
        node.signals().send("two", node.id());
        heard.await(event -> event.equals(new Signalled(member(node), "two")), "the second");
    }

    @Test
    void a_consumer_may_ask_the_hub_while_it_is_called() {
        var node = join("demo");
        var other = join("demo");
        var answered = new CompletableFuture<Long>();
        node.events(event -> {
            if (event instanceof Signalled) {
                node.contact(other.id());
                node.elections().elect("from an event");
                answered.complete(node.sequences().next("s"));
            }
        });
        other.signals().send("go", node.id());
        assertThat(answered.orTimeout(30, TimeUnit.SECONDS).join()).isZero();
    }

    @Test
    @Tag("slow")
    void a_consumer_that_takes_nothing_delays_nobody_and_gets_the_difference_in_the_end()
            throws Exception {
        var node = join("demo");
        var other = join("demo");
        var stuck = new CountDownLatch(1);
        var slow = new Heard();
        node.events(event -> {
            awaitUninterrupted(stuck);
            slow.accept(event);
        });
        var quick = Heard.by(node);
        flood(other, node);
        var late = join("demo");
        other.elections().elect("master");
        quick.await(Elected.class);
        quick.await(event -> event.equals(new Joined(member(late))), "the late one");
        assertThat(node.contact(late.id())).isPresent();
        assertThat(slow.all()).isEmpty();
        stuck.countDown();
        slow.await(event -> event.equals(new Joined(member(late))), "the late one");
        slow.await(event -> event.equals(new Elected("master", member(other), 1)), "the winner");
        var all = slow.all();
        assertThat(all.stream().filter(Missed.class::isInstance)).hasSize(1);
        assertThat(signals(all)).hasSizeLessThan(MORE_THAN_WAIT).startsWith("number 0");
        assertThat(all.stream().filter(Joined.class::isInstance))
                .hasSize(3)
                .doesNotHaveDuplicates();
    }

    @Test
    @Tag("slow")
    void events_that_nobody_polls_are_bounded_and_end_in_the_difference() {
        var node = join("demo");
        var other = join("demo");
        var third = join("demo");
        node.awaitMembers(3, LONG);
        var events = node.events();
        var quick = Heard.by(node);
        flood(other, node);
        var gone = member(other);
        other.close();
        quick.await(Left.class);
        third.assumeDead(third.id(), "as a test says");
        quick.await(PoolEvent.Died.class);
        var polled = all(events, Missed.class);
        assertThat(polled).hasSize(4096 + 1);
        assertThat(polled.getLast()).isInstanceOf(Missed.class);
        var differences = List.of(events.next(LONG).orElseThrow(), events.next(LONG).orElseThrow());
        assertThat(differences)
                .filteredOn(PoolEvent.Died.class::isInstance)
                .singleElement()
                .satisfies(died -> assertThat(died.toString()).contains("as a test says"));
        assertThat(differences)
                .filteredOn(Left.class::isInstance)
                .singleElement()
                .isInstanceOfSatisfying(
                        Left.class, left -> assertThat(left.member()).isEqualTo(gone));
        node.signals().send("and on it goes", node.id());
        assertThat(events.next(LONG).orElseThrow())
                .isEqualTo(new Signalled(member(node), "and on it goes"));
    }

    private static void flood(Node from, Node to) {
        for (int i = 0; i < MORE_THAN_WAIT; i++) {
            from.signals().send("number " + i, to.id());
        }
    }

    private static List<PoolEvent> all(Events events, Class<? extends PoolEvent> last) {
        var all = new ArrayList<PoolEvent>();
        while (all.isEmpty() || !last.isInstance(all.getLast())) {
            all.add(events.next(LONG).orElseThrow());
        }
        return all;
    }

    private static List<String> signals(List<PoolEvent> events) {
        return events.stream()
                .filter(Signalled.class::isInstance)
                .map(event -> ((Signalled) event).signal())
                .toList();
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Member member(Node node) {
        return new Member(node.id(), node.rank(), node.location());
    }

    private Node join(String pool) {
        var node =
                Node.join(
                        Join.pool(pool)
                                .hub("localhost:" + hub.port())
                                .membership(Membership.ORDERED));
        nodes.add(node);
        return node;
    }
}
