package org.ibidem.vlink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The one thread that calls all handlers of a node goes on, whatever one throws.
@Timeout(60)
class HandlerErrorsTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private static final List<Supplier<Throwable>> ERRORS =
            List.of(
                    () -> new AssertionError("x must be 2"),
                    () -> new StackOverflowError("too deep"),
                    () -> new OutOfMemoryError("too large"),
                    () -> new NoClassDefFoundError("Missing"),
                    () -> new IllegalStateException("no error"));

    private final Pair pair = new Pair();

    @AfterEach
    void close() {
        pair.close();
    }

    private static void fail(Supplier<Throwable> with) {
        switch (with.get()) {
            case Error e -> throw e;
            case RuntimeException e -> throw e;
            default -> throw new AssertionError();
        }
    }

    @Test
    void handlers_are_called_whatever_the_one_before_throws() throws Exception {
        try (var listener = pair.to.listen("echo", "auto", 5)) {
            var accepting = listener.postAccept();
            var connecting = pair.from.connect(pair.two.id(), "echo", "auto", "", LIMIT);
            var client = VLinkTest.done(connecting);
            var server = VLinkTest.done(accepting);
            byte number = 0;
            for (var one : ERRORS) {
                var into = ByteBuffer.allocate(1);
                var told = new CompletableFuture<Byte>();
                var other = new CompletableFuture<Boolean>();
                server.whenReadable(() -> fail(one));
                var reading = server.postRead(into);
                reading.whenDone(_ -> fail(one)); // by the loop: nothing has been written yet
                reading.whenDone(_ -> told.complete(into.get(0)));
                server.whenReadable(() -> other.complete(true));
                VLinkTest.done(client.postWrite(ByteBuffer.wrap(new byte[] {++number})));
                assertThat(told.get(LIMIT.toSeconds(), TimeUnit.SECONDS)).isEqualTo(number);
                assertThat(other.get(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
            }
        }
    }

    @Test
    void whoever_completes_an_operation_gets_the_first_error_of_its_handlers() {
        var posted = new Posted<String>();
        var told = new CompletableFuture<String>();
        posted.whenDone(_ -> fail(() -> new AssertionError("first")));
        posted.whenDone(_ -> fail(() -> new IllegalStateException("second")));
        posted.whenDone(one -> told.complete(one.result()));
        assertThatThrownBy(() -> posted.complete("done"))
                .isInstanceOf(AssertionError.class)
                .hasMessage("first")
                .satisfies(e -> assertThat(e.getSuppressed()[0]).hasMessage("second"));
        assertThat(told).isCompletedWithValue("done");
        assertThat(posted.result()).isEqualTo("done");
    }

    @Test
    void an_exception_that_several_handlers_throw_comes_once() {
        var same = new IllegalStateException("the same");
        var posted = new Posted<String>();
        posted.whenDone(_ -> fail(() -> same));
        posted.whenDone(_ -> fail(() -> same));
        assertThatThrownBy(() -> posted.complete("done"))
                .isSameAs(same)
                .hasNoSuppressedExceptions();
    }
}
