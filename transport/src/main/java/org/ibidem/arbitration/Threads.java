package org.ibidem.arbitration;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.ibidem.link.BargingLock;
import org.ibidem.task.Progress;
import org.ibidem.task.Tasks;
import org.jspecify.annotations.Nullable;

/// Runs the tasks of one node or one hub on virtual threads, repeated ones, and the first in a JVM
/// that wait at sockets, on daemon threads of the platform; one daemon thread, made when first
/// needed, watches the time of those that wait, and another drives parts that have none of their
/// own. Threads are named `OWNER/TASK`, so that a thread dump says whose they are.
///
/// What a task throws ends that task and is logged; it harms no other. Tasks that wait are kept in
/// order of time and are forgotten at once when stopped, so a time limit that was not needed costs
/// nothing afterwards.
public final class Threads implements Tasks, AutoCloseable {
    private static final Logger LOG = System.getLogger(Threads.class.getName());

    /// How many more in this JVM may wait at sockets on threads of the platform.
    ///
    /// The JVM's own poller of virtual threads, once started, is in a system call for ever, and a
    /// JVM that ends waits 0.3 s when any thread is in one (`VM_Exit`, JDK 25). So a process that
    /// talks to few others does without it; many are for virtual threads.
    private static final Semaphore ATTENDING = new Semaphore(32);

    /// That few left, and soon virtual ones will wait at sockets.
    private static final int FEW = 16;

    private final String owner;
    private final Clock clock;
    private final Semaphore attending;
    private final Set<Running> running = ConcurrentHashMap.newKeySet();
    private final TreeSet<Waiting> waiting = new TreeSet<>();
    private final ReentrantLock lock = new BargingLock();
    private final AtomicLong sequence = new AtomicLong();
    private volatile boolean closed;
    private volatile @Nullable Thread watch;
    private @Nullable Progressing progressing;

    /// Threads on the machine's clock.
    ///
    /// @param owner stands in front of every thread's name
    public Threads(String owner) {
        this(owner, Clock.SYSTEM);
    }

    /// Threads on the given clock.
    ///
    /// @param owner stands in front of every thread's name
    public Threads(String owner, Clock clock) {
        this(owner, clock, ATTENDING);
    }

    /// @param attending a permit for each that may wait at a socket on a thread of the platform
    Threads(String owner, Clock clock, Semaphore attending) {
        this.owner = owner;
        this.clock = clock;
        this.attending = attending;
        clock.whenMoved(this::look);
    }

    @Override
    public Task start(String name, Runnable body) {
        return start(name, new Running(name, Thread.ofVirtual(), body));
    }

    @Override
    public Task attend(String name, Runnable body) {
        if (!attending.tryAcquire()) {
            return start(name, body);
        }
        if (attending.availablePermits() < FEW) {
            JvmPoller.start();
        }
        var thread = Thread.ofPlatform().daemon().inheritInheritableThreadLocals(false);
        try {
            return start(name, new Running(name, thread, body, attending::release));
        } catch (IllegalStateException e) { // closed: it has not begun
            attending.release();
            throw e;
        } catch (OutOfMemoryError _) { // there are no more threads of this kind
            attending.release();
            return start(name, body);
        }
    }

    /// In a thread of the platform, always.
    @Override
    public Task vital(String name, Runnable body) {
        var thread = Thread.ofPlatform().daemon().inheritInheritableThreadLocals(false);
        return start(name, new Running(name, thread, body));
    }

    /// In a platform's thread: to sleep allocates in virtual ones.
    @Override
    public Task repeat(Duration pause, String name, BooleanSupplier body) {
        var thread = Thread.ofPlatform().daemon().inheritInheritableThreadLocals(false);
        return start(name, new Running(name, thread, () -> again(pause, body)));
    }

    @Override
    public void pause(Duration time) throws InterruptedException {
        Thread.sleep(time);
    }

    @Override
    public void block(String name, Runnable body) {
        refuseWhenClosed(name);
        Thread.ofPlatform()
                .daemon()
                .inheritInheritableThreadLocals(false)
                .name(owner + "/" + name)
                .start(body);
    }

    private Task start(String name, Running task) {
        refuseWhenClosed(name);
        running.add(task);
        try {
            task.begin();
        } catch (OutOfMemoryError e) { // there are no more threads
            running.remove(task);
            throw e;
        }
        return task;
    }

    @Override
    public Task after(Duration delay, String name, Runnable body) {
        return await(name, new Waiting(due(delay), new Running(name, Thread.ofVirtual(), body)));
    }

    @Override
    public Task alarm(Duration delay, String name, Runnable body) {
        return await(name, new Waiting(due(delay), new Ringing(name, body)));
    }

    private long due(Duration delay) {
        return clock.nanoTime() + delay.toNanos();
    }

    private Task await(String name, Waiting task) {
        boolean first;
        lock.lock();
        try {
            refuseWhenClosed(name);
            waiting.add(task);
            first = waiting.first().equals(task);
            if (watch == null) {
                watch = Thread.ofPlatform().daemon().name(owner + "/time").start(this::watchTime);
                first = false;
            }
        } finally {
            lock.unlock();
        }
        if (first) {
            look();
        }
        return task;
    }

    /// All of them by one daemon thread of the platform, made when first needed.
    @Override
    public Driven drive(String name, Progress part) {
        lock.lock();
        try {
            refuseWhenClosed(name);
            var drives = progressing;
            if (drives == null) {
                drives = new Progressing(clock);
                progressing = drives;
                Thread.ofPlatform().daemon().name(owner + "/progress").start(drives);
            }
            return drives.add(name, part);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public long nanoTime() {
        return clock.nanoTime();
    }

    /// How many tasks run now or wait for their time.
    public int size() {
        lock.lock();
        try {
            return waiting.size() + running.size();
        } finally {
            lock.unlock();
        }
    }

    /// Stops everything: what waits never starts, what runs is interrupted. Does not wait for it;
    /// nothing can be started afterwards.
    @Override
    public void close() {
        lock.lock();
        try {
            if (progressing != null) {
                progressing.close();
            }
            closed = true;
            waiting.clear();
        } finally {
            lock.unlock();
        }
        look();
        running.forEach(Running::stop);
    }

    private void refuseWhenClosed(String name) {
        if (closed) {
            throw new IllegalStateException(
                    "'"
                            + name
                            + "' cannot be started: "
                            + owner
                            + " was closed and no longer starts threads");
        }
    }

    private void look() {
        LockSupport.unpark(watch); // does nothing while there is none
    }

    /// It sleeps without the lock: to wait for that again after each sleep would mean to wait
    /// behind virtual threads.
    private void watchTime() {
        while (!closed) {
            var due = nextDue();
            if (due != null) {
                due.begin();
            } else {
                sleep();
            }
            if (Thread.interrupted()) {
                LOG.log(Level.WARNING, "{0}: the thread that watches the time goes on", owner);
            }
        }
    }

    private @Nullable Due nextDue() {
        lock.lock();
        try {
            if (waiting.isEmpty() || waiting.first().due - clock.nanoTime() > 0) {
                return null;
            }
            var body = waiting.removeFirst().body;
            if (body instanceof Running task) {
                running.add(task);
            }
            return body;
        } finally {
            lock.unlock();
        }
    }

    private void sleep() {
        long left;
        lock.lock();
        try {
            left = waiting.isEmpty() ? Long.MAX_VALUE : waiting.first().due - clock.nanoTime();
        } finally {
            lock.unlock();
        }
        if (left > 0 && !closed) {
            LockSupport.parkNanos(this, left);
        }
    }

    /// What is done when its time has come.
    private interface Due extends Task {
        void begin();
    }

    /// Something brief, which the thread that watches the time does itself.
    private final class Ringing implements Due {
        private final String name;
        private final Runnable body;
        private volatile boolean stopped;

        Ringing(String name, Runnable body) {
            this.name = name;
            this.body = body;
        }

        @Override
        public void begin() {
            try {
                if (!stopped && !closed) {
                    body.run();
                }
            } catch (RuntimeException | Error e) {
                LOG.log(
                        closed ? Level.DEBUG : Level.ERROR,
                        "task " + owner + "/" + name + " ended with an exception",
                        e);
            }
        }

        @Override
        public void stop() {
            stopped = true;
        }
    }

    /// A task with a thread of its own.
    private final class Running implements Due, Runnable {
        private final Runnable body;
        private final Runnable end;
        private final AtomicBoolean stopped = new AtomicBoolean();
        private final Thread thread;

        Running(String name, Thread.Builder kind, Runnable body) {
            this(name, kind, body, () -> {});
        }

        /// @param end what is done in its thread once the body has ended
        Running(String name, Thread.Builder kind, Runnable body, Runnable end) {
            this.body = body;
            this.end = end;
            ThreadFactory factory = kind.name(owner + "/" + name).factory();
            this.thread = factory.newThread(this);
        }

        @Override
        public void begin() {
            thread.start();
            if (closed) {
                stop();
            }
        }

        @Override
        public void run() {
            try {
                if (!stopped.get()) {
                    body.run();
                }
            } catch (RuntimeException | Error e) {
                // What fails after the end fails because of the end.
                LOG.log(
                        closed ? Level.DEBUG : Level.ERROR,
                        "task " + thread.getName() + " ended with an exception",
                        e);
                if (e instanceof VirtualMachineError) {
                    throw e;
                }
            } finally {
                running.remove(this);
                end.run();
            }
        }

        @Override
        public void stop() {
            if (stopped.compareAndSet(false, true)) {
                thread.interrupt();
            }
        }
    }

    /// A task that waits for its time.
    private final class Waiting implements Task, Comparable<Waiting> {
        private final long due;
        private final long order = sequence.getAndIncrement();
        private final Due body;

        Waiting(long due, Due body) {
            this.due = due;
            this.body = body;
        }

        @Override
        public void stop() {
            lock.lock();
            try {
                waiting.remove(this);
            } finally {
                lock.unlock();
            }
            body.stop();
        }

        // Differences, not values: the clock may start anywhere and overflow.
        @Override
        public int compareTo(Waiting other) {
            long byTime = due - other.due;
            return byTime != 0 ? Long.signum(byTime) : Long.signum(order - other.order);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return this == other;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(this);
        }
    }
}
