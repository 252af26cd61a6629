package org.ibidem.connect.splice;

import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.ibidem.IbidemException;
import org.ibidem.connect.Broker;
import org.ibidem.connect.MethodContext;
import org.ibidem.task.Tasks.Task;

/// What the asking end of a splice says to the other. Where it has to find out first where it may
/// be met, it lets the other do the same meanwhile, which saves as long as that takes.
final class Talk implements AutoCloseable {
    private static final String METHOD = "splice";
    private static final SecureRandom RANDOM = new SecureRandom();

    private final Broker broker;
    private final MethodContext context;
    private final CompletableFuture<byte[]> answer = new CompletableFuture<>();
    private final List<Task> tasks = new ArrayList<>();

    Talk(Broker broker, MethodContext context) {
        this.broker = broker;
        this.context = context;
    }

    /// Finds out where this end may be met.
    @FunctionalInterface
    interface Finding {
        Offer offer(long token) throws IOException;
    }

    /// Tells the other end where this one may be met.
    ///
    /// @return the other end's offer
    /// @throws IbidemException when it refuses, or says nothing in time
    byte[] exchange(Finding finding) throws IOException {
        long token = RANDOM.nextLong();
        if (Splice.observed(broker)) {
            say(Offer.prepare(token));
        }
        say(finding.offer(token));
        return answered();
    }

    /// The answer is the same to either word: the first counts.
    private void say(Offer word) {
        tasks.add(
                context.tasks()
                        .start(
                                "propose a splice",
                                () -> {
                                    try {
                                        answer.complete(
                                                broker.propose(
                                                        METHOD, word.encode(), context.limit()));
                                    } catch (IbidemException e) {
                                        answer.completeExceptionally(e);
                                    }
                                }));
    }

    private byte[] answered() {
        try {
            return answer.get(context.limit().toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IbidemException cause
                    ? cause
                    : new IbidemException("no splice could be agreed on: " + e.getCause(), e);
        } catch (TimeoutException e) {
            throw new IbidemException("the peer did not say where it may be met", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IbidemException("interrupted", e);
        }
    }

    @Override
    public void close() {
        tasks.forEach(Task::stop);
    }
}
