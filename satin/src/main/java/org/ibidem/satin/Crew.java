package org.ibidem.satin;

import static org.ibidem.IbidemException.describe;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.ibidem.satin.trace.Recorder;
import org.ibidem.satin.trace.Track;
import org.ibidem.serial.ObjectPolicy;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// The workers of one process, and which of their jobs are away.
final class Crew implements Parcel.Giver {
    private static final System.Logger LOG = System.getLogger(Crew.class.getName());

    /// In which writes that its giver has seen come to a thief, too.
    private static final Duration GUARD_LIMIT = Duration.ofSeconds(2);

    private static final long GUARD_PAUSE_NANOS = 200_000;

    private final Copies copies;
    private final Sharing sharing;
    private final boolean copying;
    private final NodeId self;
    private final AtomicLong stamps = new AtomicLong();
    private final Map<Long, Away> away = new ConcurrentHashMap<>();
    private final Set<Object> dead = ConcurrentHashMap.newKeySet();
    private final Set<Class<?>> kept = ConcurrentHashMap.newKeySet();
    private final LongAdder stolen = new LongAdder();
    private final LongAdder given = new LongAdder();
    private final LongAdder redone = new LongAdder();
    private final LongAdder abandoned = new LongAdder();
    private final LongAdder reused = new LongAdder();
    private final Orphans orphans = new Orphans();
    private final LongAdder asked = new LongAdder();
    private volatile List<Worker> workers = List.of();
    private volatile Tally before = Tally.NONE;
    private volatile @Nullable Others others;
    private volatile @Nullable Recorder recorder;
    private volatile boolean paused;

    /// A job that somebody has stolen.
    ///
    /// @param given shared objects whose state went along
    private record Away(
            Job job, Worker owner, Object thief, Parcel parcel, List<Sharing.Copy> given) {}

    /// @param policy which objects of others are let in
    /// @param copying whether jobs that stay are copied, too, as if they were stolen
    /// @param self this process
    Crew(ObjectPolicy policy, boolean copying, NodeId self) {
        this.sharing = new Sharing(this);
        this.copies = new Copies(policy, sharing);
        this.copying = copying;
        this.self = self;
    }

    /// Before any of them starts.
    void workers(List<Worker> all) {
        for (var worker : workers) { // They have ended.
            before = before.plus(worker.tally());
        }
        before = before.of(0, 0, 0);
        workers = List.copyOf(all);
    }

    /// What is to be traced is kept there.
    void record(Recorder to) {
        recorder = to;
    }

    /// For a worker to keep what it does; none: nobody wants to know.
    @Nullable Track track() {
        var to = recorder;
        return to == null ? null : to.track();
    }

    /// What this process has done so far.
    Tally tally() {
        var all = workers;
        var sum = before;
        for (var worker : all) {
            sum = sum.plus(worker.tally());
        }
        return sum.of(1, all.size(), stolen.sum());
    }

    void others(Others all) {
        others = all;
    }

    Copies copies() {
        return copies;
    }

    Orphans orphans() {
        return orphans;
    }

    Sharing sharing() {
        return sharing;
    }

    @Override
    public NodeId self() {
        return self;
    }

    /// How many workers there are.
    int size() {
        return workers.size();
    }

    /// Tells every other process.
    void toAll(Letter letter) {
        var far = others;
        if (far != null) {
            far.toAll(letter);
        }
    }

    /// Whether one of the other processes does not take what it is sent.
    boolean othersAreFull() {
        var far = others;
        return far != null && far.areFull();
    }

    /// Whether this process steals nothing from others.
    void paused(boolean whether) {
        paused = whether;
        var far = others;
        if (far != null) {
            far.pause(whether);
        }
    }

    Statistics statistics() {
        var far = others;
        return new Statistics(
                stolen.sum(),
                given.sum(),
                redone.sum(),
                abandoned.sum(),
                asked.sum(),
                far == null ? 0 : far.askedFar(),
                reused.sum());
    }

    /// Gives the oldest job that one of the workers has.
    ///
    /// @param thief who gets it, as [#died] will call it
    /// @return none: there is none, or the thief is dead
    @Nullable Parcel give(Object thief) {
        var all = workers;
        int first = all.isEmpty() ? 0 : ThreadLocalRandom.current().nextInt(all.size());
        for (int i = 0; i < all.size(); i++) {
            var owner = all.get((first + i) % all.size());
            var parcel = owner == thief ? null : give(thief, owner);
            if (parcel != null) {
                return parcel;
            }
        }
        return null;
    }

    private @Nullable Parcel give(Object thief, Worker owner) {
        for (var job = owner.deque().steal(); job != null; job = owner.deque().steal()) {
            byte[] bytes;
            var shared = new ArrayList<Sharing.Copy>();
            try {
                bytes = copies.write(job, thief, shared);
            } catch (IOException | RuntimeException | Error e) {
                keep(job, owner, "it cannot be copied: " + describe(e));
                continue;
            }
            if (orphans.mayKnow(job.place) && claim(job, owner, bytes)) {
                continue;
            }
            long stamp = stamps.incrementAndGet();
            var parcel = new Parcel(this, stamp, job.place, bytes);
            away.put(stamp, new Away(job, owner, thief, parcel, shared));
            // Who is told of the death after this finds the entry; who was before, has said so.
            if (dead.contains(thief)) {
                back(stamp, "");
                return null;
            }
            given.increment();
            return parcel;
        }
        return null;
    }

    private void keep(Job job, Worker owner, String why) {
        job.kept = true;
        owner.giveBack(job);
        warnOfKept(job, why);
    }

    /// The first of its class is worth a warning.
    private void warnOfKept(Job job, String why) {
        LOG.log(
                kept.add(job.getClass()) ? Level.WARNING : Level.DEBUG,
                "a job of {0} is done where it was spawned: {1}",
                job.getClass().getName(),
                why);
    }

    /// Whether this process may say what became of a job: it has it, or had it, unless it is known
    /// to be with somebody else, or was never given away.
    boolean mayAnswer(NodeId from, long stamp) {
        var entry = away.get(stamp); // A stamp is used once.
        return entry == null ? stamp >= 1 && stamp <= stamps.get() : entry.thief().equals(from);
    }

    @Override
    public void done(long stamp, byte[] outcome, boolean thrown) {
        var entry = away.remove(stamp);
        if (entry != null) { // Else it was redone, or nobody waits for it any more.
            Sharing.have(entry.thief(), entry.given());
            var by = entry.thief() instanceof NodeId thief ? thief : null;
            entry.owner().answer(entry.job(), copies.outcome(outcome, thrown, by));
        }
    }

    @Override
    public void back(long stamp, String why) {
        var entry = away.remove(stamp);
        if (entry == null) {
            return;
        }
        redone.increment();
        if (why.isEmpty()) {
            entry.owner().giveBack(entry.job());
        } else {
            keep(entry.job(), entry.owner(), why);
        }
    }

    /// Takes an orphan for a job, if there is one, and has its holder answer as its thief would.
    boolean claim(Job job, Worker owner) {
        try {
            return claim(job, owner, copies.write(job));
        } catch (IOException | RuntimeException | Error e) {
            LOG.log(Level.DEBUG, "not compared with an orphan: {0}", describe(e));
            return false;
        }
    }

    private boolean claim(Job job, Worker owner, byte[] bytes) {
        var orphan = orphans.take(job.place, bytes);
        var far = others;
        if (orphan == null || far == null) {
            return false;
        }
        if (orphan.holder().equals(self)) {
            // What has not ended may lie below this on the same stack, and is done once more.
            var result = orphans.result(job.place);
            if (result != null) {
                owner.answer(job, copies.outcome(result.outcome(), result.thrown(), null));
                reused.increment();
            }
            return result != null;
        }
        long stamp = stamps.incrementAndGet();
        var parcel = new Parcel(this, stamp, job.place, bytes);
        away.put(stamp, new Away(job, owner, orphan.holder(), parcel, List.of()));
        if (dead.contains(orphan.holder())) {
            back(stamp, "");
        } else {
            reused.increment();
            far.claim(orphan.holder(), job.place, stamp);
        }
        return true;
    }

    /// Takes back a job for which an orphan was claimed, if this is one.
    @SuppressWarnings("ReferenceEquality") // this job, whatever its class says of others
    void unclaim(Job job) {
        if (job.claimed) {
            away.forEach((stamp, entry) -> {
                if (entry.job() == job) {
                    back(stamp, "");
                }
            });
        }
    }

    /// The giver of a job is dead.
    void orphaned(Parcel parcel) {
        if (!parcel.orphan()) {
            return;
        }
        long sum = Orphans.sum(parcel.job());
        if (!orphans.hold(parcel)) {
            parcel.abandon();
            return;
        }
        orphans.know(parcel.place(), new Orphans.Known(self, sum));
        toAll(Letter.orphan(parcel.place(), sum));
    }

    /// What came of a job whose giver is dead.
    ///
    /// @param result none: nothing
    private void ended(Parcel parcel, Orphans.@Nullable Result result) {
        var claim = orphans.ended(parcel, result);
        var far = others;
        if (claim != null && far != null) {
            far.answer(claim, result);
        }
    }

    /// A thief is dead: what it has comes back.
    void died(Object thief) {
        dead.add(thief);
        if (thief instanceof NodeId id) {
            orphans.gone(id);
        }
        away.forEach((stamp, entry) -> {
            if (entry.thief().equals(thief)) {
                back(stamp, "");
            }
        });
    }

    /// Nobody waits for this job any more.
    @SuppressWarnings("ReferenceEquality") // this job, whatever its class says of others
    void forget(Job job) {
        away.forEach((stamp, entry) -> {
            if (entry.job() == job && away.remove(stamp, entry)) {
                entry.parcel().abandon();
                var far = others;
                if (far != null && entry.thief() instanceof NodeId thief) {
                    far.abandon(thief, stamp);
                }
            }
        });
    }

    @Override
    public void over(long stamp) {
        // It is not among those that are away any more, or it would not have been abandoned.
    }

    boolean isDead(Object thief) {
        return dead.contains(thief);
    }

    /// Does a job of this process.
    void perform(Job job) {
        if (!copying || job.kept) {
            job.perform();
            return;
        }
        Job copy;
        try {
            copy = (Job) Objects.requireNonNull(copies.read(copies.write(job), null));
        } catch (IOException | ClassNotFoundException | RuntimeException | Error e) {
            warnOfKept(job, "it cannot be copied: " + describe(e));
            job.perform();
            return;
        }
        copy.perform();
        boolean thrown = copy.thrown != null;
        try {
            copies.outcome(copies.write(Outcome.of(copy)), thrown, null).into(job);
        } catch (UncopiedResult e) {
            new Outcome(null, e).into(job);
        }
    }

    /// Looks for a job for a worker: here first, then in other processes.
    @Nullable Parcel seek(Worker thief) {
        var near = workers.size() > 1 ? give(thief) : null;
        var far = others;
        if (near != null || far == null || paused) {
            return near;
        }
        asked.increment();
        try {
            return far.steal();
        } catch (InterruptedException e) {
            thief.interrupt(); // The program's to notice.
            return null;
        }
    }

    /// Does a stolen job, and says what became of it.
    ///
    /// @return whether it was done
    boolean carryOut(Parcel parcel, Worker thief) {
        try {
            return attempt(parcel, thief);
        } catch (RuntimeException | Error e) { // No room for an answer, say: a short one may do.
            undone(parcel, "its thief failed: " + describe(e));
            throw e;
        }
    }

    private boolean attempt(Parcel parcel, Worker thief) {
        if (parcel.isAbandoned()) {
            parcel.from().over(parcel.stamp());
            return false;
        }
        Job job;
        try {
            job = (Job) copies.read(parcel.job(), parcel.from().self());
        } catch (IOException | ClassNotFoundException | RuntimeException | Error e) {
            parcel.from().back(parcel.stamp(), "its thief cannot read it: " + describe(e));
            return false;
        }
        if (job == null) {
            parcel.from().back(parcel.stamp(), "its thief has read nothing");
            return false;
        }
        var no = awaitGuard(job, parcel, thief);
        if (no != null) {
            parcel.from().back(parcel.stamp(), no);
            return false;
        }
        job.place = parcel.place();
        parcel.begin();
        thief.perform(job, parcel);
        if (parcel.isAbandoned()) {
            abandoned.increment();
            if (parcel.end()) {
                ended(parcel, null);
            }
            parcel.from().over(parcel.stamp());
            return false;
        }
        if (job.thrown instanceof NoClassDefFoundError missing) {
            undone(parcel, "a class is missing at its thief: " + missing.getMessage());
            return false;
        }
        stolen.increment();
        deliver(job, parcel);
        return true;
    }

    /// It is done where it was spawned, if that is still there.
    private void undone(Parcel parcel, String why) {
        if (parcel.end()) {
            ended(parcel, null);
        } else {
            parcel.from().back(parcel.stamp(), why);
        }
    }

    private void deliver(Job job, Parcel parcel) {
        boolean thrown = job.thrown != null;
        try {
            var outcome = copies.write(Outcome.of(job));
            if (parcel.end()) {
                ended(parcel, new Orphans.Result(outcome, thrown));
            } else {
                parcel.from().done(parcel.stamp(), outcome, thrown);
            }
        } catch (UncopiedResult e) {
            undone(parcel, String.valueOf(e.getMessage()));
        }
    }

    /// Waits until what a stolen job needs of shared objects has come.
    ///
    /// @return why it is not to be done here; null: it is
    private @Nullable String awaitGuard(Job job, Parcel parcel, Worker thief) {
        long end = System.nanoTime() + GUARD_LIMIT.toNanos();
        sharing.look();
        try {
            while (!job.guard() && !parcel.isAbandoned()) {
                if (System.nanoTime() - end > 0) {
                    return "its guard says no at its thief, where what it waits for has not come";
                }
                thief.park(GUARD_PAUSE_NANOS);
                sharing.look();
            }
        } catch (RuntimeException | Error e) { // The program's own.
            return "its guard failed: " + describe(e);
        }
        return null;
    }
}
