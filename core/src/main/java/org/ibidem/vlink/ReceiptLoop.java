package org.ibidem.vlink;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import org.ibidem.arbitration.WaitInterrupted;
import org.ibidem.arbitration.Waiter;
import org.ibidem.task.Tasks;

/// The one thread of a node that waits for all its VLinks, in both directions, and for sockets
/// beside them, and tells what has become of its files (the *SysIO* of PadicoTM: handlers are
/// called, and nobody has a thread each).
final class ReceiptLoop implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(ReceiptLoop.class.getName());

    private final Tasks tasks;
    private final Waiter waiter;

    /// Those that do not stay armed: they are looked at in each round.
    private final CopyOnWriteArrayList<LoopPart> parts = new CopyOnWriteArrayList<>();

    /// What is to be done while the loop does not sleep.
    private final Queue<Runnable> news = new ConcurrentLinkedQueue<>();

    private boolean started;
    private volatile boolean closed;

    ReceiptLoop(Tasks tasks, Waiter waiter) {
        this.tasks = tasks;
        this.waiter = waiter;
    }

    private synchronized void start() {
        if (!started && !closed) {
            started = true;
            tasks.block("vlinks", this::run);
        }
    }

    /// Does it soon, in the loop's thread, also where nothing was looked after yet.
    void call(Runnable what) {
        start();
        later(what);
    }

    /// Looks after it from now on.
    void add(LoopPart part) {
        start();
        later(() -> {
            if (part.traits().stays()) {
                waiter.keep(part, () -> turn(part));
            } else {
                parts.add(part);
                waiter.add(part);
            }
        });
    }

    /// Looks after it no more, then does `last`.
    void remove(LoopPart part, Runnable last) {
        later(() -> {
            parts.remove(part);
            waiter.remove(part);
            last.run();
            part.tellAll();
        });
    }

    /// Does it soon, in the loop's thread.
    void later(Runnable what) {
        news.add(what);
        ring();
        if (closed) {
            takeIn(); // the loop may have gone
        }
    }

    void ring() {
        waiter.ring();
    }

    int size() {
        return parts.size() + waiter.kept();
    }

    private void run() {
        try {
            boolean waits = false;
            while (!closed) {
                if (round()) {
                    if (waits) {
                        waiter.found();
                        waits = false;
                    }
                } else if (waits) {
                    waiter.idle(Long.MAX_VALUE);
                } else {
                    waits = true;
                    waiter.begin(Long.MAX_VALUE);
                }
            }
        } catch (WaitInterrupted _) {
            LOG.log(System.Logger.Level.DEBUG, "the node's threads were ended");
        } finally {
            takeIn();
            waiter.close();
        }
    }

    private boolean round() {
        boolean any = takeIn();
        for (var part : parts) {
            any |= turn(part);
        }
        boolean found = waiter.looks();
        return any || found;
    }

    private static boolean turn(LoopPart part) {
        try {
            return part.turn();
        } catch (RuntimeException | Error e) { // of a handler: the others go on
            LOG.log(System.Logger.Level.WARNING, "a handler of a VLink failed", e);
            return true;
        }
    }

    private boolean takeIn() {
        boolean any = false;
        for (var next = news.poll(); next != null; next = news.poll()) {
            any = true;
            try {
                next.run();
            } catch (RuntimeException | Error e) { // the others must not suffer
                var level = closed ? System.Logger.Level.DEBUG : System.Logger.Level.WARNING;
                LOG.log(level, "a VLink could not be ended in order", e);
            }
        }
        return any;
    }

    @Override
    public synchronized void close() {
        closed = true;
        ring();
        if (!started) {
            takeIn();
            waiter.close();
        }
    }
}
