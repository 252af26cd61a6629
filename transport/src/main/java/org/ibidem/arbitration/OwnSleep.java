package org.ibidem.arbitration;

import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.ibidem.config.NativeChannels;
import org.jspecify.annotations.Nullable;

/// Where a thread sleeps on one channel, in a selector of its own: a loop that sleeps for many
/// would wake it a change of threads later. Each has two descriptors, so there are some of them
/// only.
public final class OwnSleep implements AutoCloseable {
    private static final int MOST = 128;
    private static final Semaphore PLACES = new Semaphore(MOST);
    private static final System.Logger LOG = System.getLogger(OwnSleep.class.getName());

    private final Selector selector;
    private @Nullable SelectionKey key;

    private OwnSleep(Selector selector) {
        this.selector = selector;
    }

    /// One more, or null: there are enough of them.
    public static @Nullable OwnSleep open() {
        if (!PLACES.tryAcquire()) {
            return null;
        }
        try {
            return new OwnSleep(NativeChannels.provider().openSelector());
        } catch (IOException e) {
            PLACES.release();
            LOG.log(System.Logger.Level.DEBUG, "no selector: {0}", e.getMessage());
            return null;
        }
    }

    /// Sleeps until the channel is ready, [#wake] is called, before or meanwhile, or for so long.
    ///
    /// @return false: nobody can sleep on that channel
    public boolean sleep(SelectableChannel channel, int interest, long nanos) {
        try {
            var mine = key;
            if (mine == null || !mine.channel().equals(channel)) {
                mine = channel.register(selector, interest);
                key = mine;
            }
            if (mine.interestOps() != interest) {
                mine.interestOps(interest);
            }
            selector.select(_ -> {}, Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos)));
            return true;
        } catch (ClosedSelectorException | CancelledKeyException _) {
            return true; // it is over, which a look says
        } catch (IOException e) {
            return false;
        }
    }

    /// Ends the sleep, or the next one.
    public void wake() {
        selector.wakeup();
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
