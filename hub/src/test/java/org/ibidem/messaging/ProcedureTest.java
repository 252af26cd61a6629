package org.ibidem.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.ibidem.Eventually.eventually;
import static org.ibidem.messaging.Members.LIMIT;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.ibidem.Background;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Questions and answers.
@Timeout(60)
class ProcedureTest {
    private static final int MANY = 10_000;
    private static final Duration BRIEF = Duration.ofMillis(100);

    private static Members members;
    private static int names;

    @BeforeAll
    static void join() {
        members = new Members(2);
    }

    @AfterAll
    static void leave() {
        members.close();
    }

    private static <Q, R> Procedure<Q, R> procedure(Class<Q> question, Class<R> answer) {
        return Procedure.of("procedure" + names++, question, answer).failures((_, _, _) -> {});
    }

    private static <Q, R> Caller<Q, R> caller(Procedure<Q, R> procedure) {
        return procedure.caller(members.get(0), members.get(1).id());
    }

    private static CallFailed.Why failure(Call<?> call) {
        return catchThrowableOfType(CallFailed.class, call::await).why();
    }

    @Test
    void a_question_gets_its_answer() {
        var length = procedure(String.class, Integer.class);
        try (var server = length.server(members.get(1), String::length);
                var caller = caller(length)) {
            for (int i = 0; i < 100; i++) {
                assertThat(caller.call("x".repeat(i))).isEqualTo(i);
            }
            eventually("all are counted", () -> server.answered() == 100);
            assertThat(caller.underWay()).isZero();
        }
    }

    /// To methods that are overloaded, which say nothing of their own shape.
    @Test
    void method_references_answer() {
        var upper = procedure(String.class, String.class);
        try (var _ = upper.server(members.get(1), 4, String::toUpperCase);
                var caller = caller(upper)) {
            assertThat(caller.call("word")).isEqualTo("WORD");
        }
        try (var _ = upper.server(members.get(1), String::toUpperCase);
                var caller = caller(upper)) {
            assertThat(caller.call("word")).isEqualTo("WORD");
        }
    }

    @Test
    void who_asks_is_told_to_whoever_wants_to_know() {
        var who = procedure(String.class, String.class);
        try (var _ =
                        who.askedServer(
                                members.get(1), 2, (what, asked) -> what + asked.from().node());
                var caller = caller(who)) {
            assertThat(caller.call("by ")).isEqualTo("by " + members.get(0).id());
        }
    }

    @Test
    void ten_thousand_are_under_way_over_one_connection() throws Exception {
        var twice = procedure(Integer.class, Integer.class);
        var go = new CountDownLatch(1);
        Answerer<Integer, Integer> answerer =
                question -> {
                    go.await();
                    return 2 * question;
                };
        try (var server = twice.server(members.get(1), MANY, answerer);
                var caller = caller(twice)) {
            var calls = new ArrayList<Call<Integer>>();
            var asking =
                    Background.call(() -> {
                        for (int i = 0; i < MANY; i++) {
                            calls.add(caller.start(i, LIMIT));
                        }
                        return true;
                    });
            assertThat(asking.get(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(caller.underWay()).isEqualTo(MANY);
            assertThat(server.port().connections()).hasSize(1);
            eventually("all are being answered", () -> server.port().messages() == MANY);
            go.countDown();
            for (int i = 0; i < MANY; i++) {
                assertThat(calls.get(i).await()).isEqualTo(2 * i);
            }
        }
    }

    @Test
    void many_threads_call_at_once_and_each_gets_its_own() throws Exception {
        var twice = procedure(Integer.class, Integer.class);
        try (var _ = twice.server(members.get(1), 4, question -> 2 * question);
                var caller = caller(twice)) {
            var all = new ArrayList<java.util.concurrent.CompletableFuture<Boolean>>();
            for (int thread = 0; thread < 8; thread++) {
                int base = 1000 * thread;
                all.add(
                        Background.call(() -> {
                            for (int i = base; i < base + 500; i++) {
                                assertThat(caller.call(i, LIMIT)).isEqualTo(2 * i);
                            }
                            return true;
                        }));
            }
            for (var each : all) {
                assertThat(each.get(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
            }
        }
    }

    @Test
    void a_handler_that_throws_says_so_to_its_caller_and_to_the_hook() {
        var told = new AtomicInteger();
        var name = "procedure" + names++;
        var half =
                Procedure.of(name, Integer.class, Integer.class)
                        .failures((_, _, _) -> told.incrementAndGet());
        try (var _ = half.server(members.get(1), question -> 10 / question);
                var caller = caller(half)) {
            assertThatThrownBy(() -> caller.call(0))
                    .isInstanceOf(CallFailed.class)
                    .hasMessageContaining("java.lang.ArithmeticException: / by zero");
            assertThat(caller.call(5)).isEqualTo(2);
        }
        assertThat(told).hasValue(1);
    }

    @Test
    void what_cannot_be_sent_or_is_not_let_in_is_refused() {
        var things = procedure(Object.class, Object.class);
        Answerer<Object, Object> answerer =
                question -> question.equals("bad") ? new Thread() : question;
        try (var _ = things.server(members.get(1), answerer);
                var caller = caller(things)) {
            assertThat(failure(caller.start(new Thread(), LIMIT)))
                    .isEqualTo(CallFailed.Why.REFUSED);
            assertThat(failure(caller.start("bad", LIMIT))).isEqualTo(CallFailed.Why.REFUSED);
            assertThat(failure(caller.start(new SubjectTest.Step(1), LIMIT)))
                    .isEqualTo(CallFailed.Why.REFUSED);
            assertThat(caller.call("good")).isEqualTo("good");
        }
    }

    @Test
    void a_server_that_does_not_answer_costs_the_deadline() {
        var nothing = procedure(Integer.class, Void.class);
        var go = new CountDownLatch(1);
        Answerer<Integer, Void> answerer =
                _ -> {
                    go.await();
                    return null;
                };
        try (var server = nothing.server(members.get(1), answerer);
                var caller = caller(nothing)) {
            assertThatThrownBy(() -> caller.call(1, BRIEF))
                    .isInstanceOfSatisfying(
                            CallFailed.class,
                            e -> assertThat(e.why()).isEqualTo(CallFailed.Why.TIME));
            var asked = caller.start(2, BRIEF);
            assertThat(failure(asked)).isEqualTo(CallFailed.Why.TIME);
            var unawaited = caller.start(3, BRIEF);
            assertThatThrownBy(unawaited.future()::get)
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(CallFailed.class);
            go.countDown();
            assertThat(caller.call(4, LIMIT)).isNull();
            assertThat(server.unanswered()).as("nobody waits for the first").isPositive();
        }
    }

    @Test
    void a_server_that_goes_is_gone_for_all_calls_at_once() {
        var nothing = procedure(Integer.class, Integer.class);
        var go = new CountDownLatch(1);
        Answerer<Integer, Integer> answerer =
                question -> {
                    go.await();
                    return question;
                };
        var server = nothing.server(members.get(1), 2, answerer);
        try (var caller = caller(nothing)) {
            var calls = List.of(caller.start(1, LIMIT), caller.start(2, LIMIT));
            eventually("both are there", () -> server.port().messages() == 2);
            var closing =
                    Background.call(() -> {
                        server.close();
                        return true;
                    });
            for (var call : calls) {
                assertThat(failure(call)).isEqualTo(CallFailed.Why.GONE);
            }
            assertThat(failure(caller.start(3, LIMIT))).isEqualTo(CallFailed.Why.GONE);
            assertThat(closing).succeedsWithin(LIMIT);
        } finally {
            go.countDown();
        }
    }

    @Test
    void an_answer_that_was_given_before_the_server_closed_is_read() throws Exception {
        var same = procedure(Integer.class, Integer.class);
        var go = new CountDownLatch(1);
        var first = new CountDownLatch(1);
        var goOn = new CountDownLatch(1);
        Answerer<Integer, Integer> answerer =
                question -> {
                    go.await();
                    return question;
                };
        var server = same.server(members.get(1), answerer);
        try (var caller = caller(same)) {
            var calls = List.of(caller.start(1, LIMIT), caller.start(2, LIMIT));
            var told =
                    calls.getFirst()
                            .future()
                            .thenRun(() -> { // with the answer in hand
                                first.countDown();
                                Members.await(goOn);
                            });
            go.countDown();
            Members.await(first);
            eventually("both are answered", () -> server.answered() == 2);
            server.close();
            eventually("the caller knows", () -> caller.port().connections().isEmpty());
            assertThat(failure(caller.start(3, LIMIT))).isEqualTo(CallFailed.Why.GONE);
            goOn.countDown();
            assertThat(calls.getLast().await()).isEqualTo(2);
            assertThat(told).succeedsWithin(LIMIT);
        } finally {
            goOn.countDown();
        }
    }

    @Test
    void a_call_that_is_cancelled_interrupts_its_handler() throws Exception {
        var sleeps = procedure(Integer.class, Integer.class);
        var interrupted = new CountDownLatch(1);
        var begun = new CountDownLatch(1);
        Answerer<Integer, Integer> answerer =
                question -> {
                    begun.countDown();
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException e) {
                        interrupted.countDown();
                        throw e;
                    }
                    return question;
                };
        try (var _ = sleeps.server(members.get(1), 2, answerer);
                var caller = caller(sleeps)) {
            var call = caller.start(1, LIMIT);
            begun.await();
            assertThat(call.cancel()).isTrue();
            assertThat(call.cancel()).isFalse();
            assertThat(failure(call)).isEqualTo(CallFailed.Why.CANCELLED);
            assertThat(interrupted.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(caller.underWay()).isZero();
        }
    }

    @Test
    void an_interrupted_caller_gets_the_same_exception_and_keeps_its_status() {
        var sleeps = procedure(Integer.class, Integer.class);
        var go = new CountDownLatch(1);
        Answerer<Integer, Integer> answerer =
                question -> {
                    go.await();
                    return question;
                };
        try (var _ = sleeps.server(members.get(1), answerer);
                var caller = caller(sleeps)) {
            Thread.currentThread().interrupt();
            var thrown = catchThrowableOfType(CallFailed.class, () -> caller.call(1, LIMIT));
            assertThat(Thread.interrupted()).isTrue();
            assertThat(thrown.why()).isEqualTo(CallFailed.Why.CANCELLED);
            go.countDown();
            assertThat(caller.call(2, LIMIT)).isEqualTo(2);
        }
    }

    @Test
    void callers_that_go_leave_nothing_behind() {
        var length = procedure(String.class, Integer.class);
        try (var server = length.server(members.get(1), String::length)) {
            for (int i = 0; i < 3; i++) {
                try (var caller = caller(length)) {
                    assertThat(caller.call("four")).isEqualTo(4);
                }
            }
            eventually("all have gone", () -> server.port().connections().isEmpty());
            eventually("all are counted", () -> server.answered() == 3);
        }
    }
}
