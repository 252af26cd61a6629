package org.ibidem.personality.aio;

import java.io.IOException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.InterruptedByTimeoutException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// One direction of a channel over a VLink: one operation at a time is tried whenever the node's
/// loop says that it is worth it.
final class Direction {
    private final Consumer<Runnable> watch;
    private final String doing;
    private final Supplier<IllegalStateException> pending;
    private final Runnable closing;
    private @Nullable Operation<?> current;

    /// One was given up half done: nobody knows what a next one would find.
    private boolean killed;

    private boolean closed;

    /// What can be done now.
    @FunctionalInterface
    interface Moving<V> {
        /// Answers null when nothing can.
        @Nullable V now() throws IOException;
    }

    /// @param watch calls once what it is given, when it is worth to try again
    /// @param doing what is done here, for people
    /// @param pending thrown where an operation is under way
    /// @param closing closes the channel
    Direction(
            Consumer<Runnable> watch,
            String doing,
            Supplier<IllegalStateException> pending,
            Runnable closing) {
        this.watch = watch;
        this.doing = doing;
        this.pending = pending;
        this.closing = closing;
    }

    /// Begins an operation.
    ///
    /// @param timeout 0 or less: none
    /// @throws IllegalStateException when one is under way, or was given up
    <V> void start(Operation<V> operation, Moving<V> moving, long timeout, TimeUnit unit) {
        boolean late;
        synchronized (this) {
            if (killed) {
                throw new IllegalStateException(
                        doing + " not allowed due to timeout or cancellation");
            }
            if (current != null) {
                throw pending.get();
            }
            late = closed;
            current = late ? null : operation;
        }
        if (late) {
            operation.fail(new AsynchronousCloseException());
            return;
        }
        operation.whenCancelled(hard -> {
            kill(operation);
            if (hard) {
                closing.run();
            }
        });
        operation.within(
                timeout,
                unit,
                () -> {
                    if (kill(operation)) {
                        operation.fail(new InterruptedByTimeoutException());
                    }
                });
        attempt(operation, moving);
    }

    private <V> void attempt(Operation<V> operation, Moving<V> moving) {
        @Nullable V done = null;
        @Nullable IOException failed = null;
        synchronized (this) {
            if (!operation.equals(current)) {
                return; // it was given up
            }
            try {
                done = moving.now();
            } catch (IOException e) {
                failed = e;
            }
            if (done != null || failed != null) {
                current = null; // before whoever waits for it begins the next
            }
        }
        if (failed != null) {
            operation.fail(failed);
        } else if (done != null) {
            operation.succeed(done);
        } else {
            watch.accept(() -> attempt(operation, moving));
        }
    }

    /// It is given up, and nothing can be done here any more.
    ///
    /// @return false: it was over
    private synchronized boolean kill(Operation<?> operation) {
        boolean mine = operation.equals(current);
        if (mine) {
            current = null;
            killed = true;
        }
        return mine;
    }

    /// The channel was closed.
    void close() {
        Operation<?> left;
        synchronized (this) {
            closed = true;
            left = current;
            current = null;
        }
        if (left != null) {
            left.fail(new AsynchronousCloseException());
        }
    }
}
