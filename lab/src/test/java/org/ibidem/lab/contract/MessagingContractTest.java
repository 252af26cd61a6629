package org.ibidem.lab.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.ibidem.hub.Hub;
import org.ibidem.messaging.Call;
import org.ibidem.messaging.CallFailed;
import org.ibidem.messaging.Offered;
import org.ibidem.messaging.Overflow;
import org.ibidem.messaging.Procedure;
import org.ibidem.messaging.Receiver;
import org.ibidem.messaging.Sender;
import org.ibidem.messaging.Subject;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/// What objects, offers, calls and subscriptions promise, asked of every network driver found and
/// of every faithful filter over each of them.
@Tag("lab")
@ParameterizedClass(name = "{0}")
@MethodSource("stacks")
@Timeout(60)
class MessagingContractTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int MANY = 200;

    /// More than one frame, whatever the stack.
    private static final int LARGE = 100_000;

    record Row(int index, double[] values) implements Serializable {}

    record Quote(int symbol, int version) implements Serializable {}

    private static Hub hub;
    private static Node here;
    private static Node there;
    private static int names;

    @Parameter String stack;

    static Stream<String> stacks() {
        return Pair.faithful();
    }

    @BeforeAll
    static void join() {
        hub = Hub.start(Hub.Options.DEFAULT.port(0));
        var join = Join.pool("contract").hub("localhost:" + hub.port());
        here = Node.join(join);
        there = Node.join(join);
    }

    @AfterAll
    static void leave() {
        here.close();
        there.close();
        hub.close();
    }

    private <T> Subject<T> subject(Class<T> kind) {
        return Subject.of("subject" + names++, kind).stack(stack);
    }

    @Test
    void objects_arrive_whole_and_in_order_and_a_loop_ends_with_its_sender() {
        var rows = subject(Row.class);
        try (var in = rows.receiver(there)) {
            var sending =
                    Pair.start(() -> {
                        try (var out = rows.sender(here, there.id())) {
                            for (int i = 0; i < MANY; i++) {
                                out.send(new Row(i, new double[i == 100 ? LARGE : i]));
                            }
                        }
                        return true;
                    });
            int next = 0;
            for (var row : in) {
                assertThat(row.index()).isEqualTo(next++);
                assertThat(row.values()).hasSize(row.index() == 100 ? LARGE : row.index());
            }
            assertThat(next).isEqualTo(MANY);
            assertThat(sending).succeedsWithin(LIMIT);
        }
    }

    @Test
    void what_is_offered_to_one_that_does_not_read_is_sent_or_not_at_once() {
        var rows = subject(Row.class);
        var in = rows.receiver(there);
        try (var out = rows.sender(here, there.id())) {
            int sent = offerUntilFull(out);
            assertThat(sent).isPositive();
            var reading = Pair.start(() -> indices(in, sent + 1));
            assertThat(out.send(new Row(sent, new double[0]), LIMIT)).isTrue();
            assertThat(reading)
                    .succeedsWithin(LIMIT)
                    .isEqualTo(IntStream.rangeClosed(0, sent).boxed().toList());
            in.close();
            Offered last;
            do {
                last = out.offer(new Row(0, new double[0]));
            } while (last != Offered.GONE);
        } finally {
            in.close();
        }
    }

    private static int offerUntilFull(Sender<Row> out) {
        int sent = 0;
        while (out.offer(new Row(sent, new double[500])) == Offered.SENT) {
            sent++;
        }
        return sent;
    }

    /// Of a message that found no room for its end a part may come, which is skipped.
    private static List<Integer> indices(Receiver<Row> in, int count) {
        var got = new ArrayList<Integer>();
        var loop = in.iterator();
        while (got.size() < count) {
            got.add(loop.next().index());
        }
        return got;
    }

    @Test
    void each_call_gets_its_own_answer_in_any_order_or_why_there_is_none() {
        var inverse =
                Procedure.of("procedure" + names++, Integer.class, Row.class)
                        .stack(stack)
                        .failures((_, _, _) -> {});
        try (var _ = inverse.server(there, 4, each -> new Row(100 / each, new double[each * 10]));
                var caller = inverse.caller(here, there.id())) {
            var calls = new ArrayList<Call<Row>>();
            for (int i = 0; i < MANY; i++) {
                calls.add(caller.start(i, LIMIT));
            }
            for (int i = MANY - 1; i > 0; i--) {
                assertThat(calls.get(i).await().index()).isEqualTo(100 / i);
            }
            assertThat(calls.getFirst().future())
                    .failsWithin(LIMIT)
                    .withThrowableOfType(java.util.concurrent.ExecutionException.class)
                    .withCauseInstanceOf(CallFailed.class)
                    .withMessageContaining("ArithmeticException");
            assertThat(caller.call(50, LIMIT).index()).isEqualTo(2);
        }
    }

    @Test
    void a_subscriber_gets_the_newest_of_each_key_and_never_an_older_one_behind() {
        var quotes = subject(Quote.class).lossy();
        try (var publisher =
                        quotes.publisher(there, Overflow.<Quote>conflate(Quote::symbol).retain());
                var in = quotes.subscriber(here, there.id())) {
            publisher.publish(new Quote(0, 0)); // whether it has subscribed by now or not
            for (int i = 1; i <= 1000; i++) {
                publisher.publish(new Quote(i % 3, i));
            }
            var last = new HashMap<Integer, Integer>();
            while (last.size() < 3 || last.values().stream().anyMatch(each -> each < 998)) {
                var quote = in.receive(LIMIT);
                assertThat(quote).isNotNull();
                var before = last.put(quote.symbol(), quote.version());
                assertThat(before == null || before < quote.version()).isTrue();
            }
        }
    }
}
