package org.ibidem.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.eventually;
import static org.ibidem.messaging.Members.LIMIT;

import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.ibidem.Background;
import org.ibidem.port.Origin;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What subscribers get that keep up, and that do not.
@Timeout(60)
class PublisherTest {
    record Quote(String symbol, int version) implements Serializable {}

    private static final int MANY = 2000;
    private static final int ENDS = 300;

    private static Members members;
    private static int names;

    @BeforeAll
    static void join() {
        members = new Members(3);
    }

    @AfterAll
    static void leave() {
        members.close();
    }

    private static <T> Subject<T> subject(Class<T> kind) {
        return Subject.of("topic" + names++, kind);
    }

    private static <T> Publisher<T> publisher(Subject<T> subject, Overflow<? super T> overflow) {
        return subject.publisher(members.get(0), overflow);
    }

    private static <T> Receiver<T> subscriber(Subject<T> subject, int member) {
        return subject.subscriber(members.get(member), members.get(0).id());
    }

    private static void subscribed(Publisher<?> publisher, int count) {
        eventually("all have subscribed", () -> publisher.deliveries().size() == count);
    }

    @Test
    void all_get_all_where_the_publisher_waits_for_them() throws Exception {
        var numbers = subject(Integer.class);
        var all = IntStream.range(0, MANY).boxed().toList();
        try (var publisher = publisher(numbers, Overflow.block());
                var one = subscriber(numbers, 1);
                var other = subscriber(numbers, 2)) {
            subscribed(publisher, 2);
            var reading =
                    Background.call(
                            () -> IntStream.range(0, MANY).mapToObj(_ -> one.receive()).toList());
            var alsoReading =
                    Background.call(
                            () -> IntStream.range(0, MANY).mapToObj(_ -> other.receive()).toList());
            all.forEach(publisher::publish);
            assertThat(reading.get(LIMIT.toSeconds(), TimeUnit.SECONDS)).isEqualTo(all);
            assertThat(alsoReading.get(LIMIT.toSeconds(), TimeUnit.SECONDS)).isEqualTo(all);
            assertThat(publisher.dropped()).isZero();
        }
    }

    @Test
    void a_subject_that_promises_all_allows_no_publisher_that_drops() {
        var numbers = subject(Integer.class);
        assertThatThrownBy(() -> publisher(numbers, Overflow.dropOldest()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Subject.lossy()");
    }

    @Test
    void one_that_does_not_read_misses_the_newest() {
        var numbers = subject(Integer.class).lossy();
        try (var publisher = publisher(numbers, Overflow.<Integer>dropNewest().depth(8));
                var in = subscriber(numbers, 1)) {
            subscribed(publisher, 1);
            IntStream.range(0, MANY).forEach(publisher::publish);
            int kept = MANY - (int) publisher.dropped();
            var got = new ArrayList<Integer>();
            IntStream.range(0, kept).forEach(_ -> got.add(in.receive()));
            assertThat(got).isSorted().doesNotHaveDuplicates().hasSizeLessThan(MANY / 2);
            assertThat(got.subList(0, 8)).isEqualTo(IntStream.range(0, 8).boxed().toList());
        }
    }

    @Test
    void one_that_does_not_read_misses_the_oldest_and_gets_the_last() {
        var numbers = subject(Integer.class).lossy();
        try (var publisher = publisher(numbers, Overflow.<Integer>dropOldest().depth(8));
                var in = subscriber(numbers, 1)) {
            subscribed(publisher, 1);
            IntStream.range(0, MANY).forEach(publisher::publish);
            int kept = MANY - (int) publisher.dropped();
            var got = new ArrayList<Integer>();
            IntStream.range(0, kept).forEach(_ -> got.add(in.receive()));
            assertThat(got).isSorted().doesNotHaveDuplicates();
            assertThat(got.subList(kept - 8, kept))
                    .isEqualTo(IntStream.range(MANY - 8, MANY).boxed().toList());
        }
    }

    @Test
    void of_what_is_conflated_never_an_old_one_comes_behind_a_new_one_and_the_last_always() {
        var quotes = subject(Quote.class).lossy();
        try (var publisher = publisher(quotes, Overflow.conflate(Quote::symbol));
                var in = subscriber(quotes, 1)) {
            subscribed(publisher, 1);
            var publishing =
                    Background.call(() -> {
                        for (int i = 0; i < MANY; i++) {
                            publisher.publish(new Quote("s" + i % 5, i));
                        }
                        return true;
                    });
            var last = new HashMap<String, Integer>();
            int got = 0;
            for (int most = 0; most < MANY - 1; got++) {
                var quote = in.receive();
                var before = last.put(quote.symbol(), quote.version());
                assertThat(before == null || before < quote.version()).isTrue();
                most = Math.max(most, quote.version());
                Thread.onSpinWait();
            }
            assertThat(publishing).succeedsWithin(LIMIT);
            var delivery = publisher.deliveries().getFirst();
            assertThat(delivery.sent()).isGreaterThanOrEqualTo(got);
            assertThat(delivery.sent() + delivery.dropped() + delivery.waiting()).isEqualTo(MANY);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void who_comes_late_gets_the_last_of_each_key_first(boolean conflates) {
        var quotes = subject(Quote.class).lossy();
        Overflow<Quote> overflow =
                conflates ? Overflow.conflate(Quote::symbol) : Overflow.dropOldest();
        try (var publisher = publisher(quotes, overflow.retain())) {
            for (int i = 0; i < 10; i++) {
                publisher.publish(new Quote(i % 2 == 0 ? "even" : "odd", i));
            }
            try (var in = subscriber(quotes, 1)) {
                var wanted = List.of(new Quote("even", 8), new Quote("odd", 9));
                for (var each : conflates ? wanted : wanted.subList(1, 2)) {
                    assertThat(in.receive()).isEqualTo(each);
                }
                subscribed(publisher, 1);
                publisher.publish(new Quote("even", 10));
                assertThat(in.receive()).isEqualTo(new Quote("even", 10));
            }
        }
    }

    @Test
    void keys_beyond_the_depth_are_not_kept() {
        var quotes = subject(Quote.class).lossy();
        try (var publisher =
                publisher(quotes, Overflow.conflate(Quote::symbol).depth(3).retain())) {
            for (int i = 0; i < 10; i++) {
                publisher.publish(new Quote("s" + i, i));
            }
            try (var in = subscriber(quotes, 1)) {
                for (int i = 7; i < 10; i++) {
                    assertThat(in.receive().version()).isEqualTo(i);
                }
            }
        }
    }

    @Test
    void one_that_goes_holds_up_nobody_and_a_loop_ends_with_its_publisher() throws Exception {
        var numbers = subject(Integer.class);
        try (var stays = startLoop(numbers)) {
            var publisher = stays.publisher;
            var goes = subscriber(numbers, 2);
            subscribed(publisher, 2);
            var publishing =
                    Background.call(() -> {
                        IntStream.range(0, MANY).forEach(publisher::publish);
                        return true;
                    });
            assertThat(goes.receive()).isZero();
            goes.close();
            assertThat(publishing.get(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
            publisher.close();
            assertThat(stays.loop.get(LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .isEqualTo(IntStream.range(0, MANY).boxed().toList());
        }
    }

    private record Looping(
            Publisher<Integer> publisher,
            Receiver<Integer> in,
            java.util.concurrent.CompletableFuture<List<Integer>> loop)
            implements AutoCloseable {
        @Override
        public void close() {
            in.close();
        }
    }

    private static Looping startLoop(Subject<Integer> numbers) {
        var publisher = publisher(numbers, Overflow.block());
        var in = subscriber(numbers, 1);
        return new Looping(
                publisher,
                in,
                Background.call(() -> {
                    var got = new ArrayList<Integer>();
                    in.forEach(got::add);
                    return got;
                }));
    }

    @Test
    void one_that_waits_no_more_but_is_not_written_yet_is_waited_for() throws Exception {
        var feed = new Feed<>(new Origin(members.get(1).id(), "feed"), Overflow.block());
        feed.add("last");
        var inHand = new CountDownLatch(1);
        var goOn = new CountDownLatch(1);
        var written = new ArrayList<>();
        var running =
                CompletableFuture.runAsync(() ->
                        feed.run(each -> {
                            inHand.countDown();
                            Members.await(goOn);
                            written.add(each);
                        }));
        Members.await(inHand);
        assertThat(feed.drained(Duration.ofMillis(1))).isFalse();
        goOn.countDown();
        assertThat(feed.drained(LIMIT)).isTrue();
        assertThat(written).containsExactly("last");
        feed.close();
        running.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    @Test
    void what_was_published_right_before_the_end_arrives() {
        for (int round = 0; round < ENDS; round++) {
            var numbers = subject(Integer.class);
            var publisher = publisher(numbers, Overflow.block());
            try (var in = subscriber(numbers, 1)) {
                subscribed(publisher, 1);
                publisher.publish(round);
                publisher.close();
                assertThat(in).containsExactly(round);
            }
        }
    }
}
