package org.ibidem.rmi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.ibidem.serial.ObjectPolicy;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Whatever of a program's code throws an error during a call, the caller hears of it, and the next
/// call is served. Whoever waits for a future does, too.
@Timeout(60)
class CallErrorsTest {
    private static final List<Supplier<Error>> ERRORS =
            List.of(
                    () -> new AssertionError("x must be 2"),
                    () -> new StackOverflowError("too deep"),
                    () -> new OutOfMemoryError("too large"),
                    () -> new NoClassDefFoundError("Missing"),
                    Mute::new);

    private static volatile Stage stage = Stage.NONE;
    private static volatile Supplier<Error> error = AssertionError::new;
    private static Nodes nodes;
    private static Echo echo;
    private static EchoLater later;

    /// Where it is thrown.
    enum Stage {
        NONE,
        WRITE_ARGUMENT,
        READ_ARGUMENT,
        METHOD,
        WRITE_RESULT,
        READ_RESULT,
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
            throw error.get();
        }
    }

    /// Fails as it is written or read.
    public static final class Fragile extends Exception {
        private static final long serialVersionUID = 1;
        private final Stage writing;
        private final Stage reading;

        Fragile(Stage writing, Stage reading) {
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

    /// What is called.
    public interface Echo extends Remote {
        Serializable call(Serializable argument) throws RemoteException, Fragile;
    }

    /// The same with futures.
    public interface EchoLater {
        CompletableFuture<Serializable> call(Serializable argument);
    }

    private static final class Home implements Echo {
        @Override
        public Serializable call(Serializable argument) throws Fragile {
            at(Stage.METHOD);
            if (stage == Stage.WRITE_THROWN || stage == Stage.READ_THROWN) {
                throw new Fragile(Stage.WRITE_THROWN, Stage.READ_THROWN);
            }
            return new Fragile(Stage.WRITE_RESULT, Stage.READ_RESULT);
        }
    }

    @BeforeAll
    static void join() throws Exception {
        nodes = new Nodes();
        var policy = ObjectPolicy.NOTHING_BUT_VALUES.allow(Fragile.class).allow(Stage.class);
        var server = nodes.part(Rmi.Options.usual().policy(policy));
        var client = nodes.part(Rmi.Options.usual().policy(policy));
        server.names().bind("echo", server.export(new Home()));
        echo = client.names().lookup("echo", Echo.class);
        later = client.beside(echo, EchoLater.class);
    }

    @AfterAll
    static void leave() {
        nodes.close();
    }

    private static Fragile argument() {
        return new Fragile(Stage.WRITE_ARGUMENT, Stage.READ_ARGUMENT);
    }

    private static @Nullable Throwable called() {
        try {
            echo.call(argument());
            return null;
        } catch (Exception | Error e) {
            return e;
        }
    }

    private static @Nullable Throwable calledLater() throws Exception {
        CompletableFuture<Serializable> future;
        try {
            future = later.call(argument());
        } catch (RuntimeException | Error e) {
            return e;
        }
        try {
            future.get(40, TimeUnit.SECONDS);
            return null;
        } catch (ExecutionException e) {
            return e.getCause();
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void a_caller_hears_of_an_error_at_either_end(Stage where) throws Exception {
        try {
            for (var one : ERRORS) {
                error = one;
                stage = where;
                assertThat(called() != null).as("%s is thrown", one.get().getClass()).isTrue();
                assertThat(calledLater() != null).as("the future fails").isTrue();
                stage = Stage.NONE;
                assertThat(echo.call(argument())).isInstanceOf(Fragile.class);
                assertThat(later.call(argument()).get(40, TimeUnit.SECONDS))
                        .isInstanceOf(Fragile.class);
            }
        } finally {
            stage = Stage.NONE;
        }
    }
}
