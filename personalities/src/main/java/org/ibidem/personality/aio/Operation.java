package org.ibidem.personality.aio;

import java.nio.channels.CompletionHandler;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// One operation of a channel, which completes once: a future, or told to a handler in the threads
/// of the channel's group.
final class Operation<V> extends CompletableFuture<V> {
    private final AioGroup group;
    private final @Nullable Told<V> told;
    private volatile Consumer<Boolean> whenCancelled = _ -> {};

    /// What is called in the end.
    @FunctionalInterface
    private interface Told<V> {
        void told(@Nullable V with, @Nullable Throwable why);
    }

    private Operation(AioGroup group, @Nullable Told<V> told) {
        this.group = group;
        this.told = told;
    }

    /// One that is looked at.
    static <V> Operation<V> future(AioGroup group) {
        return new Operation<>(group, null);
    }

    /// One that is told to this handler.
    static <V, A> Operation<V> telling(
            AioGroup group, A attachment, CompletionHandler<V, ? super A> handler) {
        Objects.requireNonNull(handler, "'handler' is null");
        return new Operation<>(
                group,
                (with, why) -> {
                    if (why == null) {
                        handler.completed(with, attachment);
                    } else {
                        handler.failed(why, attachment);
                    }
                });
    }

    /// Has this called when it is cancelled, with whether the channel is to be closed.
    void whenCancelled(Consumer<Boolean> then) {
        whenCancelled = then;
    }

    /// Has `late` called when it has not completed by then.
    ///
    /// @param timeout 0 or less: never
    void within(long timeout, TimeUnit unit, Runnable late) {
        if (timeout > 0 && !isDone()) {
            var timer = new CompletableFuture<Void>().completeOnTimeout(null, timeout, unit);
            var _ = timer.thenRun(late);
            var _ = whenComplete((_, _) -> timer.cancel(false));
        }
    }

    void succeed(@Nullable V with) {
        var mine = told;
        if (complete(with) && mine != null) {
            group.execute(() -> mine.told(with, null));
        }
    }

    void fail(Throwable why) {
        var mine = told;
        if (completeExceptionally(why) && mine != null) {
            group.execute(() -> mine.told(null, why));
        }
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean mine = completeExceptionally(new CancellationException());
        if (mine) {
            whenCancelled.accept(mayInterruptIfRunning);
        }
        return mine;
    }
}
