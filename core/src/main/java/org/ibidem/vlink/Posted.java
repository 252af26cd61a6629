package org.ibidem.vlink;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.ibidem.vlink.VLinkFailed.Kind;
import org.jspecify.annotations.Nullable;

/// An operation that was posted. It completes once, with a result or a failure; that is looked for
/// ([#isDone]), or told to handlers ([#whenDone]).
///
/// @param <T> what it results in
public final class Posted<T> {
    private final List<Consumer<Posted<T>>> handlers = new ArrayList<>(1);
    private @Nullable T result;
    private @Nullable VLinkFailed failed;
    private boolean done;

    /// It is being done, and cannot be cancelled any more.
    private boolean begun;

    /// For whoever was to try again.
    private Runnable whenCancelled = () -> {};

    Posted() {}

    /// Whether it has completed.
    public synchronized boolean isDone() {
        return done;
    }

    /// What it resulted in.
    ///
    /// @throws VLinkFailed when it failed, or was cancelled
    /// @throws IllegalStateException while it has not completed
    public synchronized T result() {
        if (failed != null) {
            throw failed.again();
        }
        if (result == null) {
            throw new IllegalStateException("it has not completed yet");
        }
        return result;
    }

    /// Has `handler` called when it has completed: by the node's loop, for which it must not wait,
    /// or at once by this thread.
    public void whenDone(Consumer<Posted<T>> handler) {
        synchronized (this) {
            if (!done) {
                handlers.add(handler);
                return;
            }
        }
        handler.accept(this);
    }

    /// Has it complete as cancelled, unless it has completed, or a file is being read or written
    /// for it: then nothing of it is lost.
    ///
    /// @return whether it was cancelled
    public boolean cancel() {
        boolean mine = failUnlessBegun(new VLinkFailed(Kind.CANCELLED, "it was cancelled"));
        if (mine) {
            Runnable told;
            synchronized (this) {
                told = whenCancelled;
            }
            told.run();
        }
        return mine;
    }

    /// Has this called when it is cancelled, in the place of what was to be called then.
    synchronized void whenCancelled(Runnable then) {
        whenCancelled = then;
    }

    /// It is being done from now on, by who waits in the system for it.
    ///
    /// @return false: it has completed
    synchronized boolean begin() {
        begun = !done;
        return begun;
    }

    boolean failUnlessBegun(VLinkFailed why) {
        return end(null, why, true);
    }

    boolean complete(T with) {
        return end(with, null, false);
    }

    boolean fail(VLinkFailed why) {
        return end(null, why, false);
    }

    private boolean end(@Nullable T with, @Nullable VLinkFailed why, boolean unlessBegun) {
        List<Consumer<Posted<T>>> all;
        synchronized (this) {
            if (done || (unlessBegun && begun)) {
                return false;
            }
            done = true;
            result = with;
            failed = why;
            all = List.copyOf(handlers);
            handlers.clear();
        }
        tell(all);
        return true;
    }

    /// Has it complete with what `attempt` answers, unless it has completed or that is null.
    ///
    /// @return false: it has not completed, try again
    boolean attempt(Attempt<T> attempt) {
        @Nullable T with = null;
        @Nullable VLinkFailed why = null;
        List<Consumer<Posted<T>>> all;
        synchronized (this) { // who cancels it knows whether anything was done
            if (done) {
                return true;
            }
            try {
                with = attempt.now();
            } catch (VLinkFailed e) {
                why = e;
            }
            if (with == null && why == null) {
                return false;
            }
            done = true;
            result = with;
            failed = why;
            all = List.copyOf(handlers);
            handlers.clear();
        }
        tell(all);
        return true;
    }

    private void tell(List<Consumer<Posted<T>>> all) {
        Handlers.callAll(all, handler -> handler.accept(this));
    }

    /// What may succeed now.
    @FunctionalInterface
    interface Attempt<T> {
        /// Answers null when it cannot be done yet.
        @Nullable T now();
    }
}
