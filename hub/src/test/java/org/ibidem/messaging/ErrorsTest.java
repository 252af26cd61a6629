package org.ibidem.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.ibidem.Eventually.eventually;
import static org.ibidem.messaging.Members.LIMIT;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Whatever of a program's code throws an error, whoever waits for an answer or for an object gets
/// one, and those that follow are served.
@Timeout(60)
class ErrorsTest {
    private static final Duration LONG = Duration.ofHours(1);
    private static final int MANY = 400;

    private static final List<Supplier<Error>> ERRORS =
            List.of(
                    () -> new AssertionError("x must be 2"),
                    () -> new StackOverflowError("too deep"),
                    () -> new OutOfMemoryError("too large"),
                    () -> new NoClassDefFoundError("Missing"),
                    Mute::new);

    private static volatile Stage stage = Stage.NONE;
    private static volatile Supplier<Error> error = AssertionError::new;
    private static Members members;
    private static int names;

    /// Where it is thrown.
    enum Stage {
        NONE,
        WRITE_QUESTION,
        READ_QUESTION,
        HANDLER,
        WRITE_ANSWER,
        READ_ANSWER
    }

    /// An error that does not say what it is.
    private static final class Mute extends Error {
        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            throw new AssertionError("no text");
        }
    }

    private static void at(Stage now) {
        if (stage == now) {
            throw error.get();
        }
    }

    private static final class Question implements Serializable {
        private static final long serialVersionUID = 1;
        private final boolean sound;

        private Question(boolean sound) {
            this.sound = sound;
        }

        private void writeObject(ObjectOutputStream out) throws IOException {
            if (!sound) {
                at(Stage.WRITE_QUESTION);
            }
            out.defaultWriteObject();
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            at(Stage.READ_QUESTION);
        }
    }

    private static final class Answer implements Serializable {
        private static final long serialVersionUID = 1;

        private void writeObject(ObjectOutputStream out) throws IOException {
            at(Stage.WRITE_ANSWER);
            out.defaultWriteObject();
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            at(Stage.READ_ANSWER);
        }
    }

    @BeforeAll
    static void join() {
        members = new Members(2);
    }

    @AfterAll
    static void leave() {
        members.close();
    }

    @ParameterizedTest
    @CsvSource({
        "WRITE_QUESTION, 1, REFUSED",
        "READ_QUESTION, 1, REFUSED",
        "HANDLER, 1, THREW",
        "WRITE_ANSWER, 1, REFUSED",
        "READ_ANSWER, 1, REFUSED",
        "WRITE_QUESTION, 4, REFUSED",
        "READ_QUESTION, 4, REFUSED",
        "HANDLER, 4, THREW",
        "WRITE_ANSWER, 4, REFUSED",
        "READ_ANSWER, 4, REFUSED"
    })
    void a_call_fails_with_an_error_of_either_end(Stage where, int atOnce, CallFailed.Why why) {
        var procedure =
                Procedure.of("errors" + names++, Question.class, Answer.class)
                        .failures((_, _, _) -> {});
        Answerer<Question, Answer> answerer =
                _ -> {
                    at(Stage.HANDLER);
                    return new Answer();
                };
        try (var _ = procedure.server(members.get(1), atOnce, answerer);
                var caller = procedure.caller(members.get(0), members.get(1).id())) {
            for (var one : ERRORS) {
                error = one;
                stage = where;
                var call = caller.start(new Question(false), LONG);
                var failed = catchThrowableOfType(CallFailed.class, call::await);
                assertThat(failed.why()).as("%s", one.get().getClass()).isEqualTo(why);
                stage = Stage.NONE;
                assertThat(caller.call(new Question(false), LONG)).as("the next").isNotNull();
                assertThat(caller.underWay()).isZero();
            }
        } finally {
            stage = Stage.NONE;
        }
    }

    private static <T> Subject<T> subject(Class<T> kind) {
        return Subject.of("errors" + names++, kind).failures((_, _, _) -> {});
    }

    @Test
    void a_publisher_skips_an_object_that_throws_an_error_as_it_is_written() {
        var subject = subject(Question.class);
        stage = Stage.WRITE_QUESTION;
        try (var publisher = subject.publisher(members.get(0), Overflow.block());
                var in = subject.subscriber(members.get(1), members.get(0).id())) {
            eventually("it has subscribed", () -> publisher.deliveries().size() == 1);
            for (var one : ERRORS) {
                error = one;
                publisher.publish(new Question(false));
                publisher.publish(new Question(true));
                var next = in.receive(LIMIT);
                assertThat(next != null && next.sound).as("the next has come").isTrue();
            }
        } finally {
            stage = Stage.NONE;
        }
    }

    /// If what fails did not count as taken, each would wait for a fifth of a second.
    @Test
    void a_subscriber_whose_handler_throws_errors_gets_all_without_waiting() {
        var numbers = subject(Integer.class).lossy();
        var got = new AtomicInteger();
        Handler<Integer> handler =
                _ -> {
                    got.incrementAndGet();
                    throw new AssertionError("not taken");
                };
        try (var publisher =
                        numbers.publisher(
                                members.get(0), Overflow.<Integer>dropNewest().depth(MANY));
                var _ = numbers.subscriber(members.get(1), members.get(0).id(), handler)) {
            eventually("it has subscribed", () -> publisher.deliveries().size() == 1);
            for (int i = 0; i < MANY; i++) {
                publisher.publish(i);
            }
            eventually("all have come", () -> got.get() == MANY);
        }
    }
}
