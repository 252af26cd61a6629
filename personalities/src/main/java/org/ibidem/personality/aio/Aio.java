package org.ibidem.personality.aio;

import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.ibidem.personality.aio.ControlBlock.Operation;
import org.ibidem.personality.aio.ControlBlock.Status;
import org.ibidem.vlink.Posted;
import org.jspecify.annotations.Nullable;

/// The calls of POSIX's `<aio.h>` (IEEE Std 1003.1-2017) on VLinks and files.
///
/// | POSIX | here |
/// |---|---|
/// | `aio_read`, `aio_write` | [#read], [#write] |
/// | `aio_error`, `aio_return` | [ControlBlock#status], [ControlBlock#result] |
/// | `aio_suspend` | [#suspend] |
/// | `aio_cancel` | [#cancel] |
/// | `lio_listio` | [#list] |
///
/// What is begun on one direction of a VLink is done in the order of its beginning; on a file, in
/// none. A read completes with what there is, a byte at least, of a file a mebibyte at most; a
/// write when all is written.
///
/// ```java
/// var block = ControlBlock.of(link, buffer);
/// aio.read(block);
/// while (block.status() == Status.IN_PROGRESS) {
///     compute();
/// }
/// long bytes = block.result();
/// ```
public final class Aio {
    /// How many may be in progress (`AIO_MAX`).
    public static final int MOST = 1024;

    private final Semaphore places = new Semaphore(MOST);

    /// Which were begun on a direction of a stream, the first of them posted.
    private final Map<Object, Queue<ControlBlock>> lanes = new HashMap<>();

    private final Set<ControlBlock> all = ConcurrentHashMap.newKeySet();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    /// With nothing in progress.
    public Aio() {}

    /// What [#cancel] answers.
    public enum Cancelled {
        /// `AIO_CANCELED`: nothing of it was done.
        CANCELLED,

        /// `AIO_NOTCANCELED`: some is being done, or was done in part.
        NOT_CANCELLED,

        /// `AIO_ALLDONE`
        ALL_DONE
    }

    /// Begins to read.
    ///
    /// @throws RejectedExecutionException when as many are in progress as may (`EAGAIN`)
    /// @throws IllegalStateException when the block is in progress, or its result was not taken
    /// @throws IllegalArgumentException when nothing can be written to its buffer
    public void read(ControlBlock block) {
        begin(List.of(block), List.of(Operation.READ), null);
    }

    /// Begins to write; else as [#read].
    public void write(ControlBlock block) {
        begin(List.of(block), List.of(Operation.WRITE), null);
    }

    /// Begins what each block says (`LIO_NOWAIT`), or nothing if it throws.
    ///
    /// @param whenAll called when all have completed, as handlers are; null: nobody is told
    /// @throws RejectedExecutionException when more would be in progress than may (`EAGAIN`)
    public void list(List<ControlBlock> blocks, @Nullable Runnable whenAll) {
        var those = blocks.stream().filter(one -> one.operation() != Operation.NOTHING).toList();
        begin(those, those.stream().map(ControlBlock::operation).toList(), whenAll);
    }

    /// The same, and waits for all (`LIO_WAIT`).
    ///
    /// @return whether none of them failed or was cancelled; which, their [ControlBlock#status]
    ///   says
    /// @throws InterruptedIOException when the thread is interrupted (`EINTR`); they go on
    public boolean listAndWait(List<ControlBlock> blocks) throws InterruptedIOException {
        list(blocks, null);
        await(() -> blocks.stream().noneMatch(Aio::isInProgress), Long.MAX_VALUE);
        return blocks.stream()
                .allMatch(one -> one.status() == Status.DONE || one.status() == Status.IDLE);
    }

    private static boolean isInProgress(ControlBlock block) {
        return block.status() == Status.IN_PROGRESS;
    }

    /// Waits until one of these is not in progress.
    ///
    /// @return false: the time was over first (`EAGAIN`)
    /// @throws InterruptedIOException when the thread is interrupted (`EINTR`)
    public boolean suspend(Collection<ControlBlock> blocks, Duration limit)
            throws InterruptedIOException {
        var those = List.copyOf(blocks);
        long nanos =
                limit.compareTo(Duration.ofDays(36_500)) < 0 ? limit.toNanos() : Long.MAX_VALUE;
        return await(() -> !those.stream().allMatch(Aio::isInProgress), nanos);
    }

    private boolean await(BooleanSupplier reached, long nanos) throws InterruptedIOException {
        long left = nanos;
        lock.lock();
        try {
            while (!reached.getAsBoolean()) {
                if (left <= 0) {
                    return false;
                }
                left = changed.awaitNanos(left);
            }
            return true;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        } finally {
            lock.unlock();
        }
    }

    /// Cancels it, if nothing of it was done.
    public Cancelled cancel(ControlBlock block) {
        if (!isInProgress(block)) {
            return Cancelled.ALL_DONE;
        }
        if (block.cancelled()) {
            passBy(block);
            leave(block);
            return Cancelled.CANCELLED;
        }
        var posted = block.posted();
        boolean mine = posted != null && posted.cancel();
        if (mine && block.status() == Status.CANCELLED) {
            return Cancelled.CANCELLED;
        }
        return mine || isInProgress(block) ? Cancelled.NOT_CANCELLED : Cancelled.ALL_DONE;
    }

    /// The first of a lane is at hand of whoever drives it, who finds that it is over.
    private void passBy(ControlBlock block) {
        var lane = block.lane();
        if (lane != null) {
            synchronized (lanes) {
                var queue = lanes.get(lane);
                if (queue != null && !block.equals(queue.peek())) {
                    queue.remove(block);
                }
            }
        }
    }

    /// The same for all on a VLink or a file, given as the [ControlBlock]s were.
    public Cancelled cancel(AutoCloseable target) {
        var answers =
                List.copyOf(all).stream()
                        .filter(one -> one.isOf(target))
                        .map(this::cancel)
                        .toList();
        if (answers.contains(Cancelled.NOT_CANCELLED)) {
            return Cancelled.NOT_CANCELLED;
        }
        return answers.contains(Cancelled.CANCELLED) ? Cancelled.CANCELLED : Cancelled.ALL_DONE;
    }

    private void begin(
            List<ControlBlock> blocks, List<Operation> operations, @Nullable Runnable whenAll) {
        if (!places.tryAcquire(blocks.size())) {
            throw new RejectedExecutionException(
                    "more than "
                            + MOST
                            + " operations would be in progress: let some complete first");
        }
        var begun = new ArrayList<ControlBlock>();
        try {
            for (int i = 0; i < blocks.size(); i++) {
                blocks.get(i).begin(operations.get(i));
                begun.add(blocks.get(i));
            }
        } catch (RuntimeException | Error e) {
            begun.forEach(ControlBlock::takeBack);
            places.release(blocks.size());
            throw e;
        }
        var left = new AtomicInteger(blocks.size());
        for (var block : blocks) {
            block.whenOver(() -> {
                if (left.decrementAndGet() == 0 && whenAll != null) {
                    whenAll.run();
                }
            });
            all.add(block);
        }
        blocks.forEach(this::enter);
        if (blocks.isEmpty() && whenAll != null) {
            whenAll.run();
        }
    }

    /// Begins it, or has it wait for what was begun before it.
    private void enter(ControlBlock block) {
        var lane = block.lane();
        if (lane == null) {
            drive(block, null);
            return;
        }
        boolean first;
        synchronized (lanes) {
            var queue = lanes.computeIfAbsent(lane, _ -> new ArrayDeque<>());
            first = queue.isEmpty();
            queue.add(block);
        }
        if (first) {
            drive(block, lane);
        }
    }

    private void drive(ControlBlock begun, @Nullable Object lane) {
        var block = begun;
        while (block != null && advance(block, lane)) {
            block = lane == null ? null : next(lane);
        }
    }

    private @Nullable ControlBlock next(Object lane) {
        synchronized (lanes) {
            var queue = lanes.get(lane);
            if (queue == null) {
                return null;
            }
            queue.remove();
            if (queue.isEmpty()) {
                lanes.remove(lane);
            }
            return queue.peek();
        }
    }

    /// @return false: it goes on when what was posted completes
    private boolean advance(ControlBlock block, @Nullable Object lane) {
        while (true) {
            Posted<Integer> posted = block.post();
            if (posted == null) {
                return true; // it was cancelled
            }
            if (!posted.isDone()) {
                posted.whenDone(done -> goOn(block, done, lane));
                return false;
            }
            if (block.took(posted)) {
                leave(block);
                return true;
            }
        }
    }

    private void goOn(ControlBlock block, Posted<Integer> done, @Nullable Object lane) {
        boolean over = block.took(done);
        if (over) {
            leave(block);
        }
        if (over || advance(block, lane)) {
            var next = lane == null ? null : next(lane);
            if (next != null) {
                drive(next, lane);
            }
        }
    }

    /// It is over, which whoever waits is told.
    private void leave(ControlBlock block) {
        all.remove(block);
        places.release();
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        block.tell();
    }

    @Override
    public String toString() {
        return "aio with " + all.size() + " in progress";
    }
}
