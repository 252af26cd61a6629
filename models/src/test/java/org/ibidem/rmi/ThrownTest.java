package org.ibidem.rmi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectInputStream;
import java.nio.BufferUnderflowException;
import java.nio.file.NoSuchFileException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.ServerException;
import java.rmi.UnmarshalException;
import java.security.InvalidParameterException;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import javax.management.BadAttributeValueExpException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.ibidem.Visible;
import org.ibidem.serial.ObjectPolicy;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What a method throws reaches the caller, or an exception that says what it was.
@Timeout(60)
class ThrownTest {
    private static final String SETTING = "--java=-Dibidem.rmi.allow=";

    private static final Nodes NODES = new Nodes();
    private static Thrower thrower;
    private static Thrower open;

    public interface Thrower extends Remote {
        void sql() throws RemoteException, SQLException;

        void declared() throws RemoteException, BadAttributeValueExpException;

        void file() throws RemoteException, IOException;

        void undeclared(String kind) throws RemoteException;

        Object strange() throws RemoteException;
    }

    /// No interface names it.
    public static class Own extends RuntimeException {
        private static final long serialVersionUID = 1L;

        public Own(String message) {
            super(message);
        }
    }

    /// It cannot be written.
    public static final class Unwritable extends Own {
        private static final long serialVersionUID = 1L;

        @SuppressWarnings({"serial", "UnusedVariable"}) // that is the point
        private final Object held = new Object();

        public Unwritable() {
            super("holds an object");
        }
    }

    /// It cannot be read.
    public static final class Unreadable extends Own {
        private static final long serialVersionUID = 1L;

        public Unreadable() {
            super("reads nothing");
        }

        private void readObject(ObjectInputStream in) {
            throw new IllegalStateException("not with me");
        }
    }

    private static final Map<String, Supplier<RuntimeException>> KINDS =
            Map.of(
                    "date", () -> new DateTimeException("bad date"),
                    "buffer", BufferUnderflowException::new,
                    "cause", () -> new IllegalStateException("db", new SQLException("inner")),
                    "parameter", () -> new InvalidParameterException("p"),
                    "own", () -> new Own("mine\nin two lines"),
                    "own cause", () -> new IllegalStateException("within", new Own("mine")),
                    "unwritable", Unwritable::new,
                    "unreadable", Unreadable::new);

    private static final class Throwing implements Thrower {
        @Override
        public void sql() throws SQLException {
            throw new SQLException("no table", "42P01", 1);
        }

        @Override
        public void declared() throws BadAttributeValueExpException {
            throw new BadAttributeValueExpException("it is declared");
        }

        @Override
        public void file() throws IOException {
            throw new NoSuchFileException("/nonexistent");
        }

        @Override
        public void undeclared(String kind) throws RemoteException {
            if (kind.equals("parse")) {
                LocalDate.parse(kind);
            } else if (kind.equals("remote")) {
                throw new RemoteException("by another", new Own("mine"));
            }
            throw KINDS.get(kind).get();
        }

        @Override
        public Object strange() {
            return new Own("as a result");
        }
    }

    @BeforeAll
    static void begin() throws Exception {
        var server = NODES.part();
        server.names().bind("thrower", server.export(new Throwing()));
        thrower = NODES.part().names().lookup("thrower", Thrower.class);
        var policy = ObjectPolicy.NOTHING_BUT_VALUES.allow(Unreadable.class).allow(Own.class);
        open =
                NODES.part(Rmi.Options.usual().policy(policy))
                        .names()
                        .lookup("thrower", Thrower.class);
    }

    @AfterAll
    static void end() {
        NODES.close();
    }

    private static void arrives(Class<?> type, String message, ThrowingCallable call) {
        assertThat(catchThrowable(call)).isExactlyInstanceOf(type).hasMessage(message);
    }

    @Test
    void exceptions_of_the_jdk_arrive_as_they_were() {
        arrives(SQLException.class, "no table", thrower::sql);
        arrives(NoSuchFileException.class, "/nonexistent", thrower::file);
        arrives(DateTimeException.class, "bad date", () -> thrower.undeclared("date"));
        arrives(BufferUnderflowException.class, null, () -> thrower.undeclared("buffer"));
        arrives(InvalidParameterException.class, "p", () -> thrower.undeclared("parameter"));
        assertThat(catchThrowable(() -> thrower.undeclared("parse")))
                .isExactlyInstanceOf(java.time.format.DateTimeParseException.class);
        assertThat(catchThrowable(() -> thrower.undeclared("cause")))
                .isExactlyInstanceOf(IllegalStateException.class)
                .cause()
                .isExactlyInstanceOf(SQLException.class)
                .hasMessage("inner");
    }

    @Test
    void those_that_a_method_declares_arrive_in_any_case() {
        assertThat(catchThrowable(thrower::declared))
                .isExactlyInstanceOf(BadAttributeValueExpException.class);
    }

    private static Throwable told(Class<?> type, ThrowingCallable call) {
        var thrown = catchThrowable(call);
        assertThat(thrown).isExactlyInstanceOf(type);
        assertThat(Arrays.stream(thrown.getStackTrace()).map(StackTraceElement::getClassName))
                .as("where it was thrown, then who called")
                .contains(Throwing.class.getName(), ThrownTest.class.getName());
        return thrown;
    }

    @Test
    void what_is_not_let_in_is_told_with_its_class_text_trace_and_setting() {
        var advice = SETTING + Own.class.getName();
        assertThat(told(UnmarshalException.class, () -> thrower.undeclared("own")))
                .hasMessageContaining("Own: mine\\nin two lines; to let it in")
                .hasMessageContaining(advice);
        assertThat(told(UnmarshalException.class, () -> thrower.undeclared("own cause")))
                .hasMessageContaining("IllegalStateException: within")
                .hasMessageContaining(advice);
        assertThat(told(UnmarshalException.class, () -> thrower.undeclared("remote")))
                .hasMessageContaining("RemoteException: by another")
                .hasMessageContaining(advice);
        arrives(Own.class, "mine\nin two lines", () -> open.undeclared("own"));
    }

    @Test
    void what_cannot_be_written_or_read_is_told_with_its_class_text_and_trace() {
        assertThat(told(ServerException.class, () -> thrower.undeclared("unwritable")))
                .hasMessageContaining(new Unwritable().toString());
        assertThat(told(UnmarshalException.class, () -> open.undeclared("unreadable")))
                .hasMessageContaining(new Unreadable().toString())
                .hasMessageNotContaining(SETTING);
    }

    @Test
    void a_result_that_is_not_let_in_names_the_setting() {
        assertThatThrownBy(thrower::strange)
                .isInstanceOf(UnmarshalException.class)
                .hasMessageContaining(SETTING + Own.class.getName());
    }

    @Test
    void a_text_of_nothing_but_a_trace_is_one_and_one_without_is_none() {
        var trace = ThrownText.parse("\n\tat a.B.run(B.java:17)");
        assertThat(trace.text()).isEmpty();
        assertThat(trace.trace()).hasSize(1);
        for (var text : List.of("", "a.B.run(B.java:17)")) {
            assertThat(ThrownText.parse(text).text()).isEqualTo(text);
            assertThat(ThrownText.parse(text).trace()).isEmpty();
        }
        for (int i = 0; i < 8; i++) { // wherever a line would begin
            var text = "x".repeat(i) + "a.B.run(B.java:17)";
            assertThat(ThrownText.parse(text).text()).isEqualTo(text);
        }
    }

    @Test
    void a_text_is_read_as_it_was_said_without_control_characters() {
        var frames =
                new StackTraceElement[] {
                    new StackTraceElement("a.B$1", "<init>", "B.java", 17),
                    new StackTraceElement("a.B", "lambda$run$0", "B.java", -1),
                    new StackTraceElement("a.B", "run", null, -1),
                    new StackTraceElement("a.B", "run", null, 17),
                    new StackTraceElement("a.B", "run", "B.java", 0),
                    new StackTraceElement("java.lang.Thread", "sleep0", "Thread.java", -2)
                };
        var thrown = new Own("at first\n\tat nowhere\nat last");
        thrown.setStackTrace(frames);
        var read = ThrownText.parse(ThrownText.of(thrown));
        assertThat(read.text()).isEqualTo(Visible.of(thrown.toString()));
        assertThat(Arrays.stream(read.trace()).map(Object::toString))
                .containsExactly(
                        "a.B$1.<init>(B.java:17)",
                        "a.B.lambda$run$0(B.java)",
                        "a.B.run(Unknown Source)",
                        "a.B.run(Unknown Source)",
                        "a.B.run(B.java:0)",
                        "java.lang.Thread.sleep0(Native Method)");
        assertThat(read.trace())
                .extracting(StackTraceElement::getFileName)
                .containsExactly("B.java", "B.java", null, null, "B.java", null);
        assertThat(read.trace())
                .extracting(StackTraceElement::getLineNumber)
                .containsExactly(17, -1, -1, -1, 0, -2);
        assertThat(ThrownText.parse("no trace").text()).isEqualTo("no trace");
        assertThat(ThrownText.parse("\n\tat a.b(c)".repeat(10_000)).trace()).hasSizeLessThan(1000);
    }

    @Test
    void long_texts_and_traces_are_cut() {
        var thrown = new Own("x".repeat(1 << 20));
        var frame = new StackTraceElement("a.B", "run", "B.java", 1);
        var frames = new StackTraceElement[10_000];
        Arrays.fill(frames, frame);
        thrown.setStackTrace(frames);
        assertThat(ThrownText.of(thrown)).hasSizeBetween(8000, 9000);
    }

    @Test
    void a_trace_of_4096_characters_arrives_whole_behind_any_text() {
        var frame = new StackTraceElement("a.B", "runsAndRuns", "B.java", 171);
        var frames = new StackTraceElement[1000]; // of 32 characters each, as they are said
        Arrays.fill(frames, frame);
        for (var message : List.of("short", "x".repeat(3000))) {
            var thrown = new Own(message);
            thrown.setStackTrace(frames);
            var read = ThrownText.parse(ThrownText.of(thrown));
            assertThat(read.text()).isEqualTo(thrown.toString());
            assertThat(read.trace()).hasSize(128).containsOnly(frame);
        }
    }

    @Test
    void what_stands_for_an_exception_has_its_trace_if_one_came() {
        var frame = new StackTraceElement("a.B", "run", "B.java", 17);
        var traced = ThrownText.parse("\n\tat a.B.run(B.java:17)").traced(new RemoteException());
        assertThat(traced.getStackTrace()).containsExactly(frame);
        var own = ThrownText.parse("none came").traced(new RemoteException());
        assertThat(own.getStackTrace()[0].getClassName()).isEqualTo(ThrownTest.class.getName());
    }

    @Test
    void only_a_class_that_is_known_is_advised_to_be_let_in() {
        assertThat(ThrownText.advice(new InvalidClassException("a.B", "no")))
                .contains(SETTING + "a.B,");
        assertThat(ThrownText.advice(new InvalidClassException("no"))).isEmpty();
        assertThat(ThrownText.advice(null)).isEmpty();
    }
}
