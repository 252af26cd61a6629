package org.ibidem.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.eventually;
import static org.ibidem.messaging.Members.LIMIT;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.ibidem.Background;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Answers that take long: to be written, to travel, to be read.
@Timeout(60)
class SlowAnswersTest {
    private static Members members;

    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);

    @BeforeAll
    static void join() {
        members = new Members(2);
    }

    @AfterAll
    static void leave() {
        members.close();
    }

    private static <Q, R> Procedure<Q, R> procedure(
            String name, Class<Q> question, Class<R> answer) {
        return Procedure.of(name, question, answer).failures((_, _, _) -> {});
    }

    private static <Q, R> Caller<Q, R> caller(Procedure<Q, R> procedure) {
        return procedure.caller(members.get(0), members.get(1).id());
    }

    /// Longer than a server waits for room at a time.
    @Test
    void one_that_takes_seconds_to_travel_arrives() {
        var bytes = procedure("slow", Integer.class, byte[].class).stack("rate(limit=4M) > tcp");
        try (var server = bytes.server(members.get(1), byte[]::new);
                var caller = caller(bytes)) {
            assertThat(caller.call(12_000_000, LIMIT)).hasSize(12_000_000);
            assertThat(server.unanswered()).isZero();
        }
    }

    /// Who reads it for another has its own limit, which is nothing to that call.
    @Test
    void the_limit_of_who_reads_ends_no_other_call() throws Exception {
        var halves = procedure("read", Boolean.class, Halves.class);
        var asked = new CountDownLatch(1);
        Answerer<Boolean, Halves> answerer =
                waits -> {
                    if (waits) {
                        asked.countDown();
                        goOn.await();
                    }
                    return new Halves(begun, goOn);
                };
        try (var _ = halves.server(members.get(1), 2, answerer);
                var caller = caller(halves)) {
            var reads = Background.call(() -> caller.call(true, Duration.ofMillis(500)));
            asked.await();
            var answer = Background.call(() -> caller.call(false, LIMIT));
            assertThatThrownBy(() -> reads.get(LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .hasCauseInstanceOf(CallFailed.class);
            assertThat(begun.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
            goOn.countDown();
            assertThat(answer.get(LIMIT.toSeconds(), TimeUnit.SECONDS)).isNotNull();
        }
    }

    /// One whose question has hardly any time left finds that another is being written. Its caller
    /// takes all there is, and is waited for as before.
    @Test
    void a_short_deadline_has_no_other_answer_dropped() throws Exception {
        var halves = procedure("dropped", Integer.class, Halves.class);
        var third = new CountDownLatch(1);
        Answerer<Integer, Halves> answerer =
                number -> {
                    if (number == 3) {
                        third.countDown();
                    }
                    return new Halves(begun, goOn);
                };
        try (var server = halves.server(members.get(1), 3, answerer);
                var caller = caller(halves)) {
            var first = Background.call(() -> caller.call(1, LIMIT));
            assertThat(begun.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThatThrownBy(() -> caller.call(2, Duration.ofMillis(200)))
                    .isInstanceOf(CallFailed.class);
            eventually("the second is not answered", () -> server.unanswered() == 1);
            var last = Background.call(() -> caller.call(3, LIMIT));
            third.await();
            goOn.countDown();
            assertThat(first.get(LIMIT.toSeconds(), TimeUnit.SECONDS)).isNotNull();
            assertThat(last.get(LIMIT.toSeconds(), TimeUnit.SECONDS)).isNotNull();
            assertThat(server.unanswered()).isEqualTo(1);
        }
    }
}
