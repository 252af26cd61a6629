package org.ibidem.arbitration;

import java.io.IOException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.Selector;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.ibidem.config.NativeChannels;
import org.ibidem.wait.Armed;
import org.ibidem.wait.DirectWait;
import org.jspecify.annotations.Nullable;

/// Where a thread sleeps that waits for one thing and blocks: in a selector of its own. Each has
/// two descriptors, so there are some of them only.
public final class OwnSleep implements AutoCloseable {
    private static final int MOST = 128;
    private static final Semaphore PLACES = new Semaphore(MOST);
    private static final System.Logger LOG = System.getLogger(OwnSleep.class.getName());

    /// By then, what a processor has stored is seen by all.
    private static final long MOMENT_MILLIS = 1;

    private final Selector selector;
    private final DirectWait wait;

    private OwnSleep(DirectWait.Source what, Selector selector) {
        this.selector = selector;
        this.wait = new DirectWait(what, selector, selector::wakeup);
    }

    /// One more, or null: there are enough of them.
    public static @Nullable OwnSleep open(DirectWait.Source what) {
        if (!PLACES.tryAcquire()) {
            return null;
        }
        try {
            return new OwnSleep(what, NativeChannels.provider().openSelector());
        } catch (IOException e) {
            PLACES.release();
            LOG.log(System.Logger.Level.DEBUG, "no selector: {0}", e.getMessage());
            return null;
        }
    }

    /// Sleeps until there is something, or it is woken, or for so long.
    ///
    /// @return false: it cannot now
    public boolean sleep(long nanos) {
        var armed = wait.arm();
        if (armed == null) {
            return false;
        }
        try {
            long millis = Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos));
            if (armed == Armed.SLEEP_THEN_LOOK && millis > MOMENT_MILLIS) {
                boolean quiet = select(MOMENT_MILLIS) && !Thread.currentThread().isInterrupted();
                armed = quiet ? wait.arm() : Armed.READY;
            }
            if (armed == Armed.SLEEP || armed == Armed.SLEEP_THEN_LOOK) {
                select(millis);
            }
            return true;
        } catch (ClosedSelectorException _) {
            return true; // it is over, which a look says
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "a thread cannot sleep: {0}", e.getMessage());
            return false;
        } finally {
            wait.disarm();
        }
    }

    /// @return whether nothing was there
    private boolean select(long millis) throws IOException {
        return selector.select(_ -> wait.ready(), millis) == 0;
    }

    /// The channel is free of it then, and may serve another.
    @Override
    public void close() {
        PLACES.release();
        try {
            selector.close();
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "closing a selector failed", e);
        }
    }
}
