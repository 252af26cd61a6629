package org.ibidem.messaging;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.ibidem.task.Tasks;
import org.jspecify.annotations.Nullable;

/// One call that was begun, by [Caller#start]: its answer comes, or a [CallFailed], at its deadline
/// at the latest.
///
/// @param <R> the kind of answer
public final class Call<R> {
    private final Caller<?, R> caller;
    final long id;
    final long deadline;
    private @Nullable R answer;
    private @Nullable CallFailed failure;

    /// Written after what it is about.
    private volatile boolean over;

    /// Who waits for it, to be woken.
    private volatile @Nullable Thread waits;

    private @Nullable CompletableFuture<R> future;
    private Tasks.@Nullable Task timer;
    private Runnable whenOver = () -> {};

    Call(Caller<?, R> caller, long id, long deadline) {
        this.caller = caller;
        this.id = id;
        this.deadline = deadline;
    }

    /// Waits for the answer.
    ///
    /// @return null only where answers are `Void`
    /// @throws CallFailed when there is none
    @SuppressWarnings("NullAway") // Void has no other value
    public R await() {
        caller.await(this);
        if (failure != null) {
            throw failure;
        }
        return answer;
    }

    /// Whether it has an answer, or will have none.
    public boolean isOver() {
        return over;
    }

    /// Gives it up: the server is told, and may stop working on it.
    ///
    /// @return false: it was over already
    public boolean cancel() {
        return caller.cancel(this);
    }

    /// The same as a future; its failure is a [CallFailed]. Cancelling it does not cancel the call.
    @SuppressWarnings("NullAway") // Void has no other value
    public synchronized CompletableFuture<R> future() {
        var mine = future;
        if (mine == null) {
            mine = new CompletableFuture<>();
            future = mine;
            if (over) {
                complete(mine);
            }
        }
        return mine;
    }

    @SuppressWarnings("NullAway") // Void has no other value
    private void complete(CompletableFuture<R> mine) {
        if (failure != null) {
            mine.completeExceptionally(failure);
        } else {
            mine.complete(answer);
        }
    }

    /// Has this done when it is over, perhaps at once.
    void whenOver(Runnable done) {
        synchronized (this) {
            if (!over) {
                whenOver = done;
                return;
            }
        }
        done.run();
    }

    void timer(Tasks.Task task) {
        synchronized (this) {
            if (!over) {
                timer = task;
                return;
            }
        }
        task.stop();
    }

    /// For how long an answer is wanted still, in nanoseconds.
    long left(Tasks clock) {
        return deadline - clock.nanoTime();
    }

    void waitsIn(@Nullable Thread thread) {
        waits = thread;
    }

    void wake() {
        var thread = waits;
        if (thread != null) {
            java.util.concurrent.locks.LockSupport.unpark(thread);
        }
    }

    void answered(@Nullable R with) {
        over(with, null);
    }

    void failed(CallFailed why) {
        over(null, why);
    }

    private void over(@Nullable R with, @Nullable CallFailed why) {
        CompletableFuture<R> told;
        Tasks.Task stopped;
        Runnable done;
        synchronized (this) {
            if (over) {
                return;
            }
            answer = with;
            failure = why;
            over = true;
            told = future;
            stopped = timer;
            done = whenOver;
        }
        wake();
        done.run();
        if (stopped != null) {
            stopped.stop();
        }
        if (told != null) {
            complete(told);
        }
    }

    @Override
    public String toString() {
        return "call " + id + " of " + caller + (over ? ", over" : "");
    }

    static Duration atMost(long nanos, Duration most) {
        return nanos < most.toNanos() ? Duration.ofNanos(Math.max(1, nanos)) : most;
    }
}
