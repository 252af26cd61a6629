package org.ibidem;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/// Runs what may block on a thread of its own; the common pool has too few on small machines.
public final class Background {
    private Background() {}

    /// What may throw.
    @FunctionalInterface
    public interface Action {
        /// Does it.
        void run() throws Exception;
    }

    /// Runs it; the future ends as it does.
    public static CompletableFuture<Void> run(Action action) {
        return call(() -> {
            action.run();
            return null;
        });
    }

    /// Calls it; the future ends as it does.
    public static <T> CompletableFuture<T> call(Callable<T> body) {
        var future = new CompletableFuture<T>();
        Thread.ofPlatform()
                .daemon()
                .start(() -> {
                    try {
                        future.complete(body.call());
                    } catch (Exception | AssertionError e) {
                        future.completeExceptionally(e);
                    }
                });
        return future;
    }
}
