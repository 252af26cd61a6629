package org.ibidem.satin;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A worker's jobs, by age. The older ones are open to thieves, the younger ones are the worker's
/// own, which it takes and puts without any lock; when thieves find nothing open, it opens half of
/// its own with the next job it puts or takes, and when it has no more of its own, it takes half of
/// what is open back (after van Dijk and van de Pol, "Lace: non-blocking split deque for
/// work-stealing", 2014; with a lock for the border, as it seldom moves).
///
/// ```
///   tail … stealable … border … the worker's own … head
/// ```
final class Deque {
    /// So many at most: who spawns more does it at once.
    static final int MOST = 1 << 16;

    private static final int FIRST = 64;

    /// Replaced under the lock, by the worker.
    private @Nullable Job[] ring = new @Nullable Job[FIRST];

    /// The worker's own. Up to `full` there is room.
    private long head;

    private long full = FIRST;

    /// How often it was closed, and not opened since. Then it is full where it is.
    private int closed;

    /// Changed under the lock, by the worker.
    private long border;

    /// Under the lock.
    private long tail;

    /// Under the lock: those that came back undone.
    private final List<Job> undone = new ArrayList<>();

    private volatile boolean hungry = true;

    /// Puts a job; by the worker.
    ///
    /// @return false: there is no room
    boolean put(Job job) {
        if (head == full && !makeRoom()) {
            return false;
        }
        ring[(int) head & (ring.length - 1)] = job;
        head++;
        if (hungry) {
            open();
        }
        return true;
    }

    /// Takes the youngest job; by the worker. It knows which that is, if it was not stolen.
    ///
    /// @return false: it was, and all older ones, too
    boolean take() {
        if (head == border && !takeBack()) {
            return false;
        }
        head--;
        ring[(int) head & (ring.length - 1)] = null;
        if (hungry && head > border) {
            open();
        }
        return true;
    }

    /// Where the next job goes; by the worker.
    long level() {
        return head;
    }

    /// Takes all jobs that were put since this was the level, and that nobody has stolen; by the
    /// worker.
    void dropTo(long level) {
        while (head > level && take()) {
            // One less.
        }
    }

    /// The oldest job; for thieves.
    synchronized @Nullable Job steal() {
        for (int i = 0; i < undone.size(); i++) {
            if (!undone.get(i).kept) {
                return undone.remove(i);
            }
        }
        if (tail == border) {
            hungry = true;
            return null;
        }
        int at = (int) tail & (ring.length - 1);
        var job = ring[at];
        ring[at] = null;
        tail++;
        if (tail == border) {
            hungry = true;
        }
        return job;
    }

    /// Gives back what was stolen and not done, unless it was aborted.
    synchronized void giveBack(Job job) {
        if (!job.passedOver) {
            undone.add(job);
        }
    }

    /// Takes this job out again, if it came back; by the worker.
    @SuppressWarnings("ReferenceEquality") // this job, whatever its class says of others
    synchronized boolean takeUndone(Job job) {
        return undone.removeIf(other -> other == job);
    }

    /// Whether a thief has found nothing, or the last one, since a job was put.
    boolean isHungry() {
        return hungry;
    }

    /// Has it take no job from now on, until it is reopened as often; by the worker.
    void close() {
        closed++;
        full = head;
    }

    /// Ends one [#close].
    void reopen() {
        if (closed > 0 && --closed == 0) { // else its thread has become a worker since
            makeRoom();
        }
    }

    private synchronized void open() {
        border += (head - border + 1) / 2;
        hungry = false;
    }

    private synchronized boolean takeBack() {
        long open = border - tail;
        if (open == 0) {
            return false;
        }
        border -= (open + 1) / 2;
        hungry = border == tail;
        return true;
    }

    private synchronized boolean makeRoom() {
        if (closed > 0) {
            return false;
        }
        if (head - tail == ring.length) {
            if (ring.length == MOST) {
                return false;
            }
            var larger = new @Nullable Job[2 * ring.length];
            for (long i = tail; i < head; i++) {
                larger[(int) i & (larger.length - 1)] = ring[(int) i & (ring.length - 1)];
            }
            ring = larger;
        }
        full = tail + ring.length;
        return true;
    }
}
