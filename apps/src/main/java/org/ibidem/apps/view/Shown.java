package org.ibidem.apps.view;

import java.rmi.AlreadyBoundException;
import java.util.function.LongSupplier;
import org.ibidem.rmi.Rmi;
import org.jspecify.annotations.Nullable;

/// The window of this process. The thread that computes says when a step is done, and makes a
/// sample if somebody has asked for one: what is shown was so at one moment. One sample serves all
/// who wait, and there are at most 25 a second, however many watch.
public final class Shown implements Window {
    private static final long EVERY_NANOS = 40_000_000;

    private final LongSupplier nanoTime;
    private volatile boolean wanted;
    private @Nullable Sample latest;

    /// When the last one was made; of the thread that computes.
    private long made;

    private long count;

    /// What makes samples.
    public interface Source {
        /// How it looks now.
        ///
        /// @param step after which step
        /// @param last whether it stays so
        Sample sample(int step, boolean last);
    }

    /// Nothing yet.
    ///
    /// @param nanoTime the time
    Shown(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.made = nanoTime.getAsLong() - EVERY_NANOS;
    }

    /// A window that others find at the node of `rmi`.
    public static Shown by(Rmi rmi) {
        var shown = new Shown(System::nanoTime);
        try {
            rmi.names().bindHere(NAME, rmi.export(shown));
        } catch (AlreadyBoundException e) {
            throw new IllegalStateException("this process has a window", e);
        }
        return shown;
    }

    /// A step is done; costs a look at a boolean while nobody asks.
    public void step(int step, Source source) {
        if (wanted && nanoTime.getAsLong() - made >= EVERY_NANOS) {
            show(source.sample(step, false));
        }
    }

    /// All steps are done.
    public void end(int step, Source source) {
        show(source.sample(step, true));
    }

    private synchronized void show(Sample sample) {
        latest = sample;
        made = nanoTime.getAsLong();
        count++;
        wanted = false;
        notifyAll();
    }

    @Override
    public synchronized Sample look(long after) throws InterruptedException {
        while (true) {
            var here = latest;
            if (here != null && (here.last() || here.step() > after)) {
                return here;
            }
            wanted = true;
            wait();
        }
    }

    /// How many samples were made.
    synchronized long count() {
        return count;
    }
}
