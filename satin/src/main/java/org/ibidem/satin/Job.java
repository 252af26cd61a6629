package org.ibidem.satin;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/// An invocation record: work with its arguments as fields, which may be done elsewhere, on a copy.
/// The rewriter makes a class of this kind for each call that is spawned; by hand:
///
/// ```java
/// final class Fib extends Job {
///     private final int n;
///     private long value;
///     …
///     protected void run() {
///         if (n < 2) { value = n; return; }
///         var one = new Fib(n - 1);
///         var other = new Fib(n - 2);
///         Job.sync(Job.spawn(other, Job.spawn(one, null)));
///         value = one.value + other.value;
///     }
///     protected Object result() { return value; }
///     protected void result(Object came) { value = (Long) came; }
/// }
/// ```
///
/// What it refers to is shared with its spawner where it stays, and copied where it is stolen:
/// until sync neither may change it. Only what `result` gives comes back from elsewhere. A spawner
/// syncs before it returns; what it has spawned and not waited for by then is given up. Who spawns
/// in a static initializer, or in what that calls, says so before and after ([#initializing]).
public abstract class Job implements Serializable {
    private static final long serialVersionUID = 1;

    /// The one spawned before it in the same method; after sync, the one spawned after it.
    transient @Nullable Job next;

    /// Its place in the tree of all jobs, see [Worker].
    transient long place;

    /// It was taken from the deque and not done, as somebody has it from before: an orphan.
    transient boolean claimed;

    transient @Nullable Throwable thrown;
    transient boolean ended;

    /// Never for others, as they could not do it.
    transient boolean kept;

    /// What came of it is of no more use: it was aborted, or an inlet has had what it threw.
    transient boolean passedOver;

    /// For those that extend it.
    protected Job() {}

    /// Does the work.
    ///
    /// @throws Throwable is thrown by the spawner's sync
    @SuppressWarnings("checkstyle:IllegalThrows")
    protected abstract void run() throws Throwable;

    /// What came of the work, to be sent to where it was spawned. Nothing by default.
    protected @Nullable Object result() {
        return null;
    }

    /// Takes what came of the work elsewhere.
    protected void result(@Nullable Object came) {}

    /// Called by sync, in the order of spawning: the result may be put where the spawner wants it.
    protected void deliver() {}

    /// Whether it may run with what its process has seen of the shared objects that it uses. Asked
    /// at a thief before it runs; while it says no, writes that are on their way are waited for.
    protected boolean guard() {
        return true;
    }

    /// Which of the spawner's calls this is, where it wants to know; 0 where it does not.
    public int site() {
        return 0;
    }

    /// Whether its spawner handles what it throws while others are still under way, by [#failed].
    protected boolean hasInlet() {
        return false;
    }

    /// Whether it has thrown something that an inlet has not had yet.
    final boolean waitsForInlet() {
        return thrown != null && !passedOver && hasInlet();
    }

    /// What it has thrown, for an inlet, which is the only one to get it.
    ///
    /// @throws IllegalStateException when it has thrown nothing
    public final Throwable taken() {
        if (thrown == null) {
            throw new IllegalStateException(getClass().getName() + " has thrown nothing");
        }
        passedOver = true;
        return thrown;
    }

    /// After sync: the one that was spawned after this one; none after the last.
    public final @Nullable Job following() {
        return next;
    }

    /// Spawns a job. In a thread that is no worker it is done at once.
    ///
    /// @param older what the same method has spawned just before it, since its last sync
    /// @return the job, as `older` of the next one
    public static Job spawn(Job job, @Nullable Job older) {
        job.next = older;
        var worker = Worker.current();
        if (worker == null) {
            job.perform();
        } else {
            worker.keep(job);
        }
        return job;
    }

    /// Waits until a job or one of those before it has failed that [has an inlet][#hasInlet], or
    /// all have ended.
    ///
    /// @return one that has failed; its spawner [takes][#taken] what it threw, and asks again.
    ///   None: all have ended, and [#sync] does not wait
    public static @Nullable Job failed(@Nullable Job newest) {
        if (newest == null) {
            return null;
        }
        var worker = Worker.current();
        if (worker != null) {
            return worker.await(newest, true);
        }
        Job oldest = null;
        for (var job = newest; job != null; job = job.next) {
            oldest = job.waitsForInlet() ? job : oldest;
        }
        return oldest;
    }

    /// Waits until a job and all those before it have ended, and has them deliver their results.
    ///
    /// @param newest what the method has spawned last; none: there is nothing to wait for
    /// @return the oldest of them; the others [follow][#following]
    /// @throws RuntimeException whatever the oldest has thrown that failed, of any class, when all
    ///   have ended; those after it deliver nothing
    public static @Nullable Job sync(@Nullable Job newest) {
        if (newest == null) {
            return null;
        }
        var worker = Worker.current();
        if (worker != null) {
            worker.await(newest, false);
        }
        var oldest = turned(newest);
        for (var job = oldest; job != null; job = job.next) {
            if (job.thrown != null) {
                throw Job.<RuntimeException>unchecked(job.thrown);
            }
            job.deliver();
        }
        return oldest;
    }

    /// Gives up a job and all those before it that have not ended, and whatever they have spawned,
    /// wherever it is. They count as ended, and deliver nothing.
    public static void abort(@Nullable Job newest) {
        var worker = Worker.current();
        if (newest != null && worker != null) {
            worker.abort(newest);
        }
    }

    /// Called where a static initializer begins and where it ends. What is spawned in between is
    /// done at once: a thief might need the class, and so wait for the thread that initializes it,
    /// which would wait for the thief.
    public static void initializing(boolean begins) {
        var worker = Worker.current();
        if (worker != null && begins) {
            worker.deque().close();
        } else if (worker != null) {
            worker.deque().reopen();
        }
    }

    /// Does it here and now.
    final void perform() {
        try {
            run();
        } catch (Throwable e) { // Whatever it is, it is for the spawner.
            thrown = e;
        }
        ended = true;
    }

    /// From the oldest on, without those that are passed over.
    private static @Nullable Job turned(Job newest) {
        Job after = null;
        Job job = newest;
        while (job != null) {
            var before = job.next;
            if (!job.passedOver) {
                job.next = after;
                after = job;
            }
            job = before;
        }
        return after;
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // So that no wrapper hides it.
    private static <X extends Throwable> X unchecked(Throwable thrown) throws X {
        throw (X) thrown;
    }
}
