package org.ibidem.arbitration;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.ibidem.config.NativeChannels;
import org.ibidem.link.BargingLock;
import org.ibidem.task.Progress;
import org.ibidem.task.Tasks;
import org.jspecify.annotations.Nullable;

/// Drives the parts of one node that have something to do as time goes by or when a socket is
/// ready: one thread for all of them, which sleeps until the first is due. A look costs what there
/// is to do, not what there is.
final class Progressing implements Runnable, AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Progressing.class.getName());

    private final Clock clock;
    private final Selector selector;
    private final Set<Part> parts = ConcurrentHashMap.newKeySet();

    /// Those to be called now: a stack, of which the driving thread takes all at once.
    private final AtomicReference<@Nullable Part> hurried = new AtomicReference<>();

    /// Those that wait for their time; of the driving thread alone.
    private final DueTimes<Part> waiting = new DueTimes<>();

    private volatile boolean closed;

    Progressing(Clock clock) {
        this.clock = clock;
        try {
            this.selector = NativeChannels.provider().openSelector();
        } catch (IOException e) {
            throw new UncheckedIOException("no selector can be opened: " + e.getMessage(), e);
        }
        clock.whenMoved(selector::wakeup);
    }

    /// A part, and when it is due.
    private final class Part extends DueTimes.Entry implements Tasks.Driven {
        private final String name;
        private final Progress what;
        private final @Nullable SelectableChannel channel;

        /// Held while it is called.
        private final ReentrantLock turn = new BargingLock();

        /// Whether it is in the stack.
        private final AtomicBoolean hurries = new AtomicBoolean();

        private volatile boolean stopped;

        /// The one below in the stack.
        private @Nullable Part next;

        Part(String name, Progress what) {
            this.name = name;
            this.what = what;
            this.channel = what.channel();
        }

        @Override
        public void soon() {
            if (hurry()) {
                selector.wakeup();
            }
        }

        /// @return false: it is in the stack already
        private boolean hurry() {
            if (!hurries.compareAndSet(false, true)) {
                return false;
            }
            do {
                next = hurried.get();
            } while (!hurried.compareAndSet(next, this));
            return true;
        }

        @Override
        public void stop() {
            forget();
            soon(); // for its time to be forgotten, too
            selector.wakeup();
            turn.lock();
            try {
                // whoever called it has left it
            } finally {
                turn.unlock();
            }
        }

        private void forget() {
            stopped = true;
            parts.remove(this);
            var key = channel == null ? null : channel.keyFor(selector);
            if (key != null) {
                key.cancel();
            }
        }

        void call(long at) {
            turn.lock();
            try {
                hurries.set(false);
                long wait = stopped ? Progress.OVER : what.progress(at);
                if (wait == Progress.OVER) {
                    forget();
                }
                if (stopped || wait == Progress.IDLE) {
                    waiting.remove(this);
                } else {
                    waiting.put(this, at + wait);
                }
                register();
            } catch (RuntimeException | Error e) {
                // What fails after the end fails because of the end.
                LOG.log(
                        closed ? System.Logger.Level.DEBUG : System.Logger.Level.ERROR,
                        name + " is no longer driven",
                        e);
                forget();
                waiting.remove(this);
                what.abandoned();
            } finally {
                turn.unlock();
            }
        }

        private void register() {
            if (channel == null || stopped) {
                return;
            }
            try {
                int wanted = what.interest();
                var key = channel.keyFor(selector);
                if (key == null) {
                    channel.register(selector, wanted, this);
                } else if (key.interestOps() != wanted) {
                    key.interestOps(wanted);
                }
            } catch (CancelledKeyException _) {
                if (channel.isOpen()) {
                    hurry(); // the key of the part before is about to go
                }
            } catch (ClosedChannelException _) {
                // it was closed just now
            }
        }
    }

    Tasks.Driven add(String name, Progress what) {
        var part = new Part(name, what);
        parts.add(part);
        part.soon();
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
            LOG.log(System.Logger.Level.ERROR, "nothing is driven any longer", e);
        } finally {
            try {
                selector.close();
            } catch (IOException e) {
                LOG.log(System.Logger.Level.DEBUG, "closing a selector failed", e);
            }
            parts.forEach(part -> part.what.abandoned());
        }
    }

    private void look() throws IOException {
        long now = clock.nanoTime();
        for (var due = waiting.due(now); due != null; due = waiting.due(now)) {
            waiting.remove(due);
            due.hurry();
        }
        var hurry = hurried.getAndSet(null);
        while (hurry != null) {
            var below = hurry.next; // it may be in the stack again once it was called
            hurry.call(now);
            hurry = below;
        }
        select(waiting.left(now));
    }

    private void select(long wait) throws IOException {
        if (wait <= 0 || hurried.get() != null) {
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
            part.hurry();
        }
    }

    @Override
    public void close() {
        closed = true;
        selector.wakeup();
    }
}
