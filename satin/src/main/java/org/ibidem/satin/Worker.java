package org.ibidem.satin;

import ibis.satin.SharedObject;
import java.io.Serializable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.ibidem.satin.host.Host;
import org.ibidem.satin.trace.Track;
import org.jspecify.annotations.Nullable;

/// A thread that does jobs: its own, youngest first, and while it waits for some that are away,
/// those of others.
///
/// Each job has a place in the tree of all jobs that is the same when the tree grows again: a
/// number made of its spawner's place and of how many that has spawned before.
final class Worker extends Thread implements Host {
    /// Recursion is what these programs are made of, and a stolen job begins on top of what waits.
    private static final long STACK_BYTES = 64 << 20;

    private static final long FIRST_PAUSE_NANOS = 50_000;
    private static final long LONGEST_PAUSE_NANOS = 2_000_000;

    /// After which a worker that waits for an orphan does that itself. It has nothing else to do;
    /// and two orphans might each wait for what lies on top of the other.
    private static final long IDLE_NANOS = 1_000_000_000;

    private static final VarHandle DONE;

    static {
        try {
            DONE = MethodHandles.lookup().findVarHandle(Worker.class, "done", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Crew crew;
    private final @Nullable Track track;
    private final LongAdder idleNanos = new LongAdder();
    private final long began = System.nanoTime();
    private volatile long lasted;
    private final Deque deque = new Deque();
    private final Queue<Answer> mail = new ConcurrentLinkedQueue<>();
    private long pause = FIRST_PAUSE_NANOS;

    /// How many answers have come that an inlet is to have.
    private long failures;

    private @Nullable Parcel carried;

    /// Of the job that is done now.
    private long place;

    /// How many jobs that has spawned.
    private long spawned;

    /// How long it has had nothing to do.
    private long idle;

    /// How many jobs it has done; others may look.
    private long done;

    /// What became of a job that was away.
    private record Answer(Job job, Outcome outcome) {}

    /// @param place of what it does by itself
    Worker(Crew crew, String name, long place, Runnable work) {
        super(null, work, name, STACK_BYTES);
        this.crew = crew;
        this.track = crew.track();
        this.place = place;
        setDaemon(true);
    }

    @Override
    public void run() {
        if (track != null) {
            track.begin(getName());
        }
        try {
            super.run();
        } finally {
            lasted = Math.max(1, System.nanoTime() - began);
            if (track != null) {
                track.end();
            }
        }
    }

    /// Where it keeps what it does, if it does.
    @Nullable Track track() {
        return track;
    }

    /// What it has done so far.
    Tally tally() {
        long time = lasted == 0 ? System.nanoTime() - began : lasted;
        return new Tally("", 0, 1, (long) DONE.getOpaque(this), 0, idleNanos.sum(), time);
    }

    /// The worker that the caller runs in.
    static @Nullable Worker current() {
        return Thread.currentThread() instanceof Worker worker ? worker : null;
    }

    Crew crew() {
        return crew;
    }

    Deque deque() {
        return deque;
    }

    /// Whether what it does now, or what spawned that, was stolen.
    @Override
    public boolean isOnStolen() {
        return carried != null;
    }

    @Override
    public void paused(boolean asksNobody) {
        crew.paused(asksNobody);
    }

    @Override
    public boolean needsMoreJobs() {
        return deque.isHungry();
    }

    @Override
    public Serializable deepCopy(Serializable object) {
        return crew.copies().deepCopy(object);
    }

    @Override
    public void export(Serializable shared) {
        crew.sharing().export((SharedObject) shared);
    }

    /// Keeps a job for later, or does it where there is no room.
    void keep(Job job) {
        requireWanted(job.next);
        crew.sharing().look();
        job.place = inside(place, ++spawned);
        if (!deque.put(job)) {
            perform(job, null);
        }
    }

    /// The place of a job.
    ///
    /// @param number of those of its spawner
    static long inside(long spawner, long number) {
        long mixed = spawner + number * 0x9e3779b97f4a7c15L;
        mixed = (mixed ^ mixed >>> 32) * 0xd6e8feb86659fd93L;
        return mixed ^ mixed >>> 29;
    }

    /// Does a job of this process, unless an orphan is taken for it.
    private void perform(Job job) {
        if (crew.orphans().mayKnow(job.place) && crew.claim(job, this)) {
            job.claimed = true;
        } else {
            perform(job, null);
        }
    }

    /// @param parcel in which it came; none: it is of this process
    void perform(Job job, @Nullable Parcel parcel) {
        long around = place;
        long before = spawned;
        place = job.place;
        spawned = 0;
        idle = 0;
        DONE.setOpaque(this, done + 1); // As cheap as any store, and seen by who looks.
        long level = deque.level();
        if (parcel == null) {
            crew.perform(job);
        } else {
            job.perform();
        }
        if (deque.level() > level) {
            deque.dropTo(level); // Else the next to come back here takes those for its own.
        }
        place = around;
        spawned = before;
    }

    /// Gives up the stolen job that this is part of when nobody waits for it any more.
    ///
    /// @param newest what the method that asks has spawned last, which is given up with it
    private void requireWanted(@Nullable Job newest) {
        if (carried != null && carried.isAbandoned()) {
            if (newest != null) {
                abort(newest);
            }
            throw new GivenUp();
        }
    }

    /// Returns when this job and those before it have ended. The youngest that has not is at the
    /// deque's end, as whatever was spawned later has ended.
    ///
    /// @param inlets whether to return before, when one has failed that waits for its inlet
    /// @return that one
    @Nullable Job await(Job newest, boolean inlets) {
        requireWanted(newest);
        crew.sharing().look();
        var job = newest;
        boolean claimed = false;
        for (; job != null && (job.ended || job.claimed || deque.take()); job = job.next) {
            if (!job.ended && !job.claimed) {
                perform(job);
                requireWanted(newest);
            }
            claimed |= job.claimed;
            if (inlets && job.waitsForInlet()) {
                return job;
            }
        }
        job = claimed ? newest : job;
        for (long seen = -1; job != null; job = job.next) {
            while (!job.ended) {
                if (inlets && seen != failures) {
                    seen = failures;
                    var failed = failed(job);
                    if (failed != null) {
                        return failed;
                    }
                }
                wait(job);
                requireWanted(newest);
            }
            if (inlets && job.waitsForInlet()) {
                return job;
            }
        }
        return null;
    }

    /// Among a job and those before it.
    private static @Nullable Job failed(Job newest) {
        for (Job job = newest; job != null; job = job.next) {
            if (job.waitsForInlet()) {
                return job;
            }
        }
        return null;
    }

    /// A bit of waiting for a job that is away.
    private void wait(Job job) {
        takeMail();
        crew.sharing().look();
        if (job.ended) {
            return;
        }
        if (deque.takeUndone(job)) {
            perform(job);
        } else if (!doForOthers()) {
            idle += pause;
            rest();
            if (idle > IDLE_NANOS) {
                idle = 0;
                crew.unclaim(job);
            }
        }
    }

    /// Steals a job and does it.
    ///
    /// @return false: there was none
    boolean doForOthers() {
        crew.sharing().look();
        var parcel = seek();
        if (parcel == null) {
            return false;
        }
        pause = FIRST_PAUSE_NANOS;
        idle = 0;
        var before = carried;
        carried = parcel;
        long event =
                track == null ? 0 : track.job(parcel.stamp(), parcel.place(), parcel.from().self());
        boolean did = false;
        try {
            did = crew.carryOut(parcel, this);
        } finally {
            carried = before;
            if (track != null) {
                track.jobEnded(event, did);
            }
        }
        return true;
    }

    private @Nullable Parcel seek() {
        long from = System.nanoTime();
        var parcel = crew.seek(this);
        long to = System.nanoTime();
        idleNanos.add(to - from);
        if (track != null) {
            track.asked(from, to);
        }
        return parcel;
    }

    /// Sleeps for a moment, unless there is mail; longer each time that there was no work.
    void rest() {
        if (mail.isEmpty()) {
            park(pause);
            pause = Math.min(2 * pause, LONGEST_PAUSE_NANOS);
        }
    }

    /// Does nothing for so long, or until it is woken.
    void park(long nanos) {
        long from = System.nanoTime();
        LockSupport.parkNanos(this, nanos);
        long to = System.nanoTime();
        idleNanos.add(to - from);
        if (track != null) {
            track.rested(from, to);
        }
    }

    /// What became of a job that was away. From any thread.
    void answer(Job job, Outcome outcome) {
        mail.add(new Answer(job, outcome));
        LockSupport.unpark(this);
    }

    /// A job that was away comes back undone. From any thread.
    void giveBack(Job job) {
        deque.giveBack(job);
        LockSupport.unpark(this);
    }

    private void takeMail() {
        for (var answer = mail.poll(); answer != null; answer = mail.poll()) {
            answer.outcome().into(answer.job());
            if (answer.job().waitsForInlet()) {
                failures++;
            }
        }
    }

    /// Gives up this job and those before it: those here are dropped, those away are called off.
    void abort(Job newest) {
        takeMail();
        for (Job job = newest; job != null; job = job.next) {
            if (!job.ended) {
                job.passedOver = true; // Before its place is looked at: it may just be coming back.
                if (job.claimed || !deque.take()) {
                    crew.forget(job);
                    deque.takeUndone(job);
                }
                job.ended = true;
            }
        }
    }
}
