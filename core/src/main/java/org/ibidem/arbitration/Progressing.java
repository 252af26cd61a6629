package org.ibidem.arbitration;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.ibidem.config.NativeChannels;
import org.ibidem.link.Progress;
import org.ibidem.link.Tasks;
import org.jspecify.annotations.Nullable;

/// Drives the parts of one node that have something to do as time goes by or when a socket can be
/// read: one thread for all of them, which sleeps until the first is due.
final class Progressing implements Runnable, AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Progressing.class.getName());

    private final Clock clock;
    private final Selector selector;
    private final Set<Part> parts = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    Progressing(Clock clock) {
        this.clock = clock;
        try {
            this.selector = NativeChannels.provider().openSelector();
        } catch (IOException e) {
            throw new UncheckedIOException("no selector can be opened", e);
        }
        clock.whenMoved(selector::wakeup);
    }

    /// A part, and when it is due.
    private final class Part implements Tasks.Driven {
        private final String name;
        private final Progress what;
        private final @Nullable SelectableChannel channel;

        /// Held while it is called.
        private final ReentrantLock turn = new ReentrantLock();

        private volatile boolean now = true;
        private boolean idle;
        private long due;
        private volatile boolean stopped;

        Part(String name, Progress what) {
            this.name = name;
            this.what = what;
            this.channel = what.channel();
        }

        @Override
        public void soon() {
            if (!now) {
                now = true;
                selector.wakeup();
            }
        }

        @Override
        public void stop() {
            stopped = true;
            parts.remove(this);
            var key = channel == null ? null : channel.keyFor(selector);
            if (key != null) {
                key.cancel();
            }
            selector.wakeup();
            turn.lock();
            try {
                // whoever called it has left it
            } finally {
                turn.unlock();
            }
        }

        /// Nanoseconds until it is due; not more than 0: now.
        long left(long at) {
            return now ? 0 : idle ? Long.MAX_VALUE : due - at;
        }

        void call(long at) {
            turn.lock();
            try {
                if (stopped) {
                    return;
                }
                now = false;
                long wait = what.progress(at);
                idle = wait == Progress.IDLE;
                due = idle ? 0 : at + wait;
            } catch (RuntimeException | Error e) {
                LOG.log(System.Logger.Level.ERROR, name + " is driven no more", e);
                stop();
            } finally {
                turn.unlock();
            }
        }

        void register() {
            try {
                if (channel != null && !stopped && channel.keyFor(selector) == null) {
                    channel.register(selector, SelectionKey.OP_READ, this);
                }
            } catch (ClosedChannelException | CancelledKeyException _) {
                // it was closed or stopped just now, or its key is about to go
            }
        }
    }

    Tasks.Driven add(String name, Progress what) {
        var part = new Part(name, what);
        parts.add(part);
        selector.wakeup();
        return part;
    }

    int size() {
        return parts.size();
    }

    @Override
    public void run() {
        try {
            while (!closed) {
                look();
            }
        } catch (IOException e) {
            LOG.log(System.Logger.Level.ERROR, "nothing is driven any more", e);
        } finally {
            try {
                selector.close();
            } catch (IOException e) {
                LOG.log(System.Logger.Level.DEBUG, "closing a selector failed", e);
            }
        }
    }

    private void look() throws IOException {
        long now = clock.nanoTime();
        long wait = Long.MAX_VALUE;
        for (var part : List.copyOf(parts)) {
            part.register();
            if (part.left(now) <= 0) {
                part.call(now);
            }
            wait = Math.min(wait, part.left(now));
        }
        if (wait <= 0) {
            selector.selectNow(Progressing::ready);
        } else if (wait == Long.MAX_VALUE) {
            selector.select(Progressing::ready);
        } else {
            // a little late rather than early and again
            selector.select(Progressing::ready, TimeUnit.NANOSECONDS.toMillis(wait) + 1);
        }
    }

    private static void ready(SelectionKey key) {
        if (key.attachment() instanceof Part part) {
            part.now = true;
        }
    }

    @Override
    public void close() {
        closed = true;
        selector.wakeup();
    }
}
