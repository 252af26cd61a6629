package org.ibidem.mpj.device;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/// What a test has done meanwhile, by a thread of its own.
public final class Background {
    private Background() {}

    /// Does it; the future ends as it does.
    public static <T> CompletableFuture<T> of(Callable<T> work) {
        var done = new CompletableFuture<T>();
        Thread.ofPlatform()
                .daemon()
                .start(() -> {
                    try {
                        done.complete(work.call());
                    } catch (Throwable e) {
                        done.completeExceptionally(e);
                    }
                });
        return done;
    }
}
