package org.ibidem.satin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.withinAMinute;

import ibis.satin.SatinObject;
import ibis.satin.SharedObject;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.ibidem.IbidemException;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Whatever of a program's code throws an error while a job is stolen, its spawner's sync ends, and
/// the thief goes on.
class ErrorsTest extends InOneJvm {
    private static final List<Supplier<Error>> ERRORS =
            List.of(
                    () -> new AssertionError("x must be 2"),
                    () -> new StackOverflowError("too deep"),
                    () -> new OutOfMemoryError("too large"),
                    () -> new NoClassDefFoundError("Missing"),
                    Mute::new);

    private static final AtomicInteger THROWN = new AtomicInteger();
    private static volatile boolean copying;
    private static volatile Stage stage = Stage.RUN;
    private static volatile Supplier<Error> error = AssertionError::new;

    /// Where it is thrown.
    enum Stage {
        WRITE_JOB,
        READ_JOB,
        GUARD,
        RUN,
        RESULT,
        WRITE_RESULT,
        READ_RESULT,
        TAKE_RESULT,
        WRITE_THROWN,
        READ_THROWN
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
            THROWN.incrementAndGet();
            throw error.get();
        }
    }

    /// A result, or what is thrown, with methods of its own for its bytes.
    private static final class Bad extends Exception {
        private static final long serialVersionUID = 1;
        private final Stage writing;
        private final Stage reading;

        private Bad(Stage writing, Stage reading) {
            this.writing = writing;
            this.reading = reading;
        }

        private void writeObject(ObjectOutputStream out) throws IOException {
            at(writing);
            out.defaultWriteObject();
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            at(reading);
        }
    }

    /// Fails in the one place or the other when it is stolen.
    private static final class Fails extends Job {
        private static final long serialVersionUID = 1;
        private transient @Nullable Object value;

        private void writeObject(ObjectOutputStream out) throws IOException {
            at(Stage.WRITE_JOB);
            out.defaultWriteObject();
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            at(Stage.READ_JOB);
        }

        @Override
        protected boolean guard() {
            at(Stage.GUARD);
            return true;
        }

        @Override
        protected void run() throws Bad {
            value = "here";
            if (copying ? stage.compareTo(Stage.RUN) < 0 : SatinObject.localJob()) {
                return;
            }
            at(Stage.RUN);
            if (stage == Stage.WRITE_THROWN || stage == Stage.READ_THROWN) {
                throw new Bad(Stage.WRITE_THROWN, Stage.READ_THROWN);
            }
            value = new Bad(Stage.WRITE_RESULT, Stage.READ_RESULT);
        }

        @Override
        protected @Nullable Object result() {
            at(Stage.RESULT);
            return value;
        }

        @Override
        protected void result(@Nullable Object came) {
            at(Stage.TAKE_RESULT);
            value = came;
        }
    }

    private void open(Satin.Options options) {
        nodes.add(Node.join(Join.pool("satin").hub("localhost:" + hub.port())));
        parts.add(Satin.open(nodes.getLast(), options.loader(ErrorsTest.class.getClassLoader())));
    }

    private static @Nullable Object synced(Satin root, Supplier<Error> with) throws Throwable {
        error = with;
        THROWN.set(0);
        var job = new Fails();
        var last = Job.spawn(job, null);
        long before = root.statistics().given();
        // Who asks gets what is opened by a younger one, which is not the oldest.
        withinAMinute(
                "it has failed, or is away",
                () ->
                        Fib.of(2) == 1
                                && (copying
                                        || THROWN.get() > 0
                                        || (stage == Stage.TAKE_RESULT
                                                && root.statistics().given() > before)));
        Job.sync(last);
        return job.value;
    }

    /// What sync gives or throws, for each error.
    private static List<Object> ends(Satin root) {
        var ends = new ArrayList<>();
        for (var one : ERRORS) {
            try {
                ends.add(String.valueOf(synced(root, one)));
            } catch (Throwable e) { // it is what is looked at
                ends.add(e.getClass());
            }
        }
        return ends;
    }

    private static Object expected(Supplier<Error> with) {
        var thrown = with.get().getClass();
        return switch (stage) {
            case RUN -> thrown == NoClassDefFoundError.class && !copying ? "here" : thrown;
            case TAKE_RESULT -> thrown;
            case READ_RESULT, READ_THROWN -> UncopiedResult.class;
            case RESULT, WRITE_RESULT, WRITE_THROWN -> copying ? UncopiedResult.class : "here";
            case WRITE_JOB, READ_JOB, GUARD -> "here";
        };
    }

    private void endsAsExpected() throws Exception {
        var root = parts.getFirst();
        var ends = new FutureTask<>(() -> root.run(() -> ends(root)));
        Thread.ofPlatform().daemon().start(ends);
        var expected = ERRORS.stream().map(ErrorsTest::expected).toList();
        assertThat(ends.get(50, TimeUnit.SECONDS)).isEqualTo(expected);
    }

    @ParameterizedTest
    @EnumSource
    void an_error_of_a_job_in_another_process_ends_the_sync(Stage where) throws Exception {
        stage = where;
        open(Satin.Options.USUAL);
        worker();
        endsAsExpected();
        assertThat(working.getFirst().isDone()).as("the thief has ended").isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void an_error_of_a_job_in_another_thread_ends_the_sync(Stage where) throws Exception {
        stage = where;
        open(Satin.Options.USUAL.threads(2));
        endsAsExpected();
    }

    /// What stays is copied, too, to find what a program gets wrong where it is stolen.
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "GUARD")
    void an_error_of_a_copied_job_ends_the_sync(Stage where) throws Exception {
        stage = where;
        copying = true;
        open(Satin.Options.USUAL.copying(true));
        endsAsExpected();
    }

    @AfterEach
    void copyNothing() {
        copying = false;
    }

    /// A shared object with a method that fails everywhere but in the process of `main`.
    private static final class Fragile extends SharedObject {
        private static final long serialVersionUID = 1;

        private void fail() {
            Write.perform(this, new Fail());
        }

        private static final class Fail extends Write {
            private static final long serialVersionUID = 1;

            @Override
            protected void apply(SharedObject on) {
                if (!Thread.currentThread().getName().equals("main")) {
                    throw new AssertionError("not in main");
                }
            }
        }
    }

    /// Has whoever logs that the write has failed die of it.
    private static final class Deadly extends Handler {
        @Override
        public void publish(LogRecord line) {
            if (line.getMessage().endsWith("not in main")) {
                throw new OutOfMemoryError("no line more");
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    @Test
    void a_process_whose_worker_dies_ends_its_part_with_the_reason() {
        var logger = Logger.getLogger(Sharing.class.getName());
        var deadly = new Deadly();
        logger.addHandler(deadly);
        try {
            var root = part();
            worker();
            assertThatCode(() -> root.run(() -> failing())).doesNotThrowAnyException();
            assertThatThrownBy(() -> working.getFirst().get(40, TimeUnit.SECONDS))
                    .hasCauseExactlyInstanceOf(IbidemException.class)
                    .hasRootCauseMessage("no line more");
        } finally {
            logger.removeHandler(deadly);
        }
    }

    private static boolean failing() {
        var shared = new Fragile();
        shared.exportObject();
        shared.fail();
        return true;
    }

    /// Nobody waits for these letters for ever when they cannot be written.
    @Test
    void a_letter_that_cannot_be_written_is_answered() {
        var crew =
                new Crew(
                        Copies.policy(false, ErrorsTest.class.getClassLoader()),
                        false,
                        NodeId.of(new byte[16]));
        var error = new OutOfMemoryError("Java heap space");
        for (var kind : Letter.Kind.values()) {
            var letter = new Letter(kind, 7, 3, new byte[5]);
            var instead = Post.instead(letter, error, crew);
            switch (kind) {
                case GIVE -> assertThat(instead).isEqualTo(Letter.none(7));
                case DONE, THREW -> {
                    assertThat(Objects.requireNonNull(instead).kind()).isEqualTo(Letter.Kind.BACK);
                    assertThat(instead.stamp()).isEqualTo(3);
                    assertThat(new String(instead.body(), UTF_8)).contains("Java heap space");
                }
                case WRITE, SHARE -> assertThat(instead).isNull();
                default -> assertThat(instead).isSameAs(letter);
            }
        }
    }
}
