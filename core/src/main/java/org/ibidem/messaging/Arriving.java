package org.ibidem.messaging;

import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.ibidem.arbitration.WaitInterrupted;
import org.ibidem.port.Origin;
import org.ibidem.port.ReadMessage;
import org.ibidem.task.Tasks;
import org.jspecify.annotations.Nullable;

/// Objects of which only a part was there when they were met. A task reads the rest, so whoever
/// waits for one may be interrupted, or have no time left: the next to ask gets it.
///
/// @param <T> the kind of object
final class Arriving<T> {
    static final long NO_LIMIT = Long.MAX_VALUE;

    private final Tasks tasks;
    private final Function<ReadMessage, T> read;

    /// Those that nobody waits for, in their order.
    private final Deque<One<T>> left = new ConcurrentLinkedDeque<>();

    /// One of them.
    record One<T>(Origin from, CompletableFuture<T> object) {}

    /// @param read reads the object of a message
    Arriving(Tasks tasks, Function<ReadMessage, T> read) {
        this.tasks = tasks;
        this.read = read;
    }

    /// The first that nobody waits for; null: none.
    @Nullable One<T> next() {
        return left.pollFirst();
    }

    /// Has the rest of a message read.
    One<T> begin(ReadMessage message) {
        var one = new One<T>(message.origin(), new CompletableFuture<>());
        try {
            tasks.start("reads the rest of an object", () -> finish(message, one.object));
        } catch (RuntimeException | Error e) {
            message.close();
            throw e;
        }
        return one;
    }

    private void finish(ReadMessage message, CompletableFuture<T> object) {
        T it;
        try (message) {
            it = read.apply(message);
        } catch (RuntimeException | Error e) {
            object.completeExceptionally(e);
            return;
        }
        object.complete(it); // once the message is over: who has it may ask for the next
    }

    /// Waits for one; null: not in time. Then, and when this thread is interrupted, it is the next.
    @Nullable T await(One<T> one, long nanos) {
        boolean here = false;
        try {
            T object = one.object.get(nanos, TimeUnit.NANOSECONDS);
            here = true;
            return object;
        } catch (TimeoutException _) {
            return null;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new WaitInterrupted();
        } catch (ExecutionException e) {
            here = true;
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) e.getCause();
        } finally {
            if (!here) {
                left.addFirst(one);
            }
        }
    }
}
