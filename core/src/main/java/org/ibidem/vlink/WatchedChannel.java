package org.ibidem.vlink;

import java.io.IOException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.ibidem.wait.Armed;
import org.ibidem.wait.Doorbell;
import org.ibidem.wait.SleepTraits;
import org.jspecify.annotations.Nullable;

/// A channel of the system, a socket mostly, that a node's loop looks after as it does after
/// VLinks: whoever carries bytes between both needs no thread for it. It is read and written by its
/// own calls. Any thread may call anything.
public final class WatchedChannel implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(WatchedChannel.class.getName());

    private final VLinks owner;
    private final SelectableChannel channel;
    private final Place place;
    private final AtomicReference<@Nullable Runnable> reader = new AtomicReference<>();
    private final AtomicReference<@Nullable Runnable> writer = new AtomicReference<>();
    private final AtomicBoolean closed = new AtomicBoolean();

    WatchedChannel(VLinks owner, SelectableChannel channel) {
        this.owner = owner;
        this.channel = channel;
        this.place = new Place(owner.loop()::ring);
    }

    /// Has `watcher` called once when it is worth to read; the node's loop calls it, for which it
    /// must not wait. A second one takes the place of the first.
    public void whenReadable(Runnable watcher) {
        watch(reader, watcher);
    }

    /// The same for writing.
    public void whenWritable(Runnable watcher) {
        watch(writer, watcher);
    }

    private void watch(AtomicReference<@Nullable Runnable> who, Runnable watcher) {
        who.set(watcher);
        if (closed.get()) {
            tell(who); // the loop may have left it
        } else {
            place.changed();
        }
    }

    private static void tell(AtomicReference<@Nullable Runnable> who) {
        var watcher = who.getAndSet(null);
        if (watcher != null) {
            watcher.run();
        }
    }

    /// Closes the channel; whoever watches is told, and finds it closed.
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            try {
                channel.close();
            } catch (IOException e) {
                LOG.log(System.Logger.Level.DEBUG, "closing a channel failed", e);
            }
            owner.forget(this, place); // the loop's selector holds the descriptor until then
        }
    }

    /// Where the loop sleeps on it.
    private final class Place implements LoopPart {
        /// The kernel remembers readiness, armed or not.
        private static final SleepTraits TRAITS = new SleepTraits(true, false, true);

        private volatile Doorbell bell;

        /// The loop is here: it asks for the interest before it sleeps.
        private volatile boolean turning;

        /// The selector has told of it.
        private volatile boolean ready;

        Place(Doorbell loop) {
            this.bell = loop;
        }

        void changed() {
            if (!turning) {
                bell.ring();
            }
        }

        @Override
        public boolean turn() {
            if (!ready) {
                return false;
            }
            ready = false;
            turning = true;
            try {
                tellAll();
            } finally {
                turning = false;
            }
            return true;
        }

        @Override
        public void tellAll() {
            Handlers.callAll(List.of(reader, writer), WatchedChannel::tell);
        }

        @Override
        public void ready() {
            ready = true;
        }

        @Override
        public Armed arm() {
            return Armed.SLEEP;
        }

        @Override
        public void disarm() {}

        @Override
        public SleepTraits traits() {
            return TRAITS;
        }

        @Override
        public SelectableChannel channel() {
            return channel;
        }

        @Override
        public int interest() {
            return (reader.get() == null ? 0 : SelectionKey.OP_READ)
                    | (writer.get() == null ? 0 : SelectionKey.OP_WRITE);
        }

        @Override
        public void bell(Doorbell waiter) {
            bell = waiter;
        }
    }

    void open() {
        owner.loop().add(place);
    }
}
