package org.ibidem.lab.net;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/// Does things side by side.
public final class Meanwhile {
    private Meanwhile() {}

    /// Begins one.
    public static <T> CompletableFuture<T> start(Supplier<T> task) {
        return CompletableFuture.supplyAsync(task, Thread::startVirtualThread);
    }
}
