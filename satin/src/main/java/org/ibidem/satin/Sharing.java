package org.ibidem.satin;

import static org.ibidem.IbidemException.describe;

import ibis.satin.SharedObject;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectStreamException;
import java.io.Serializable;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import org.ibidem.Visible;
import org.ibidem.satin.host.StandIns;
import org.ibidem.satin.trace.Track;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// The copies of shared objects that one process has. They are written to, and read, by its one
/// worker alone: what others have written waits until that looks, at its next spawn or sync.
/// Whoever else makes a copy for somebody holds the lock that writes hold, too.
final class Sharing {
    private static final System.Logger LOG = System.getLogger(Sharing.class.getName());

    /// Bytes of writes of others that wait until the worker looks; who brings more waits.
    private static final int MOST_WAITING = 64 << 20;

    /// What a write that waits takes at least, so that there are 16384 at most.
    private static final int LEAST_WAITING = MOST_WAITING >> 14;

    /// Bytes of writes to objects of which there is no copy here yet; of more the oldest are
    /// dropped.
    private static final int MOST_EARLY = 64 << 20;

    /// What one of those takes at least, so that there are 4096 at most.
    private static final int LEAST_EARLY = MOST_EARLY >> 12;

    /// What a copy takes at least.
    private static final int LEAST_COPY = 1024;

    /// Copies are kept until the end of the run, so what one other process brings is bounded.
    private static final int SHARE_OF_HEAP = 4;

    private static final long PAUSE_NANOS = 100_000;

    private static final ThreadLocal<@Nullable Reading> READING = new ThreadLocal<>();

    private final Crew crew;
    private final Object lock = new Object();
    private final Map<String, Copy> copies = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<Written> waiting = new ConcurrentLinkedQueue<>();
    private final Semaphore room = new Semaphore(MOST_WAITING, true);
    private final Deque<Written> early = new ArrayDeque<>();
    private long earlyBytes;

    /// Bytes of the copies that each of the others has brought; with the lock.
    private final Map<NodeId, Long> brought = new HashMap<>();

    private volatile long mostBrought = Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP;
    private volatile boolean news;

    /// Whether a copy has come since [#early] was looked through; with the lock.
    private boolean arrivals;

    private volatile boolean ended;

    /// Whether the worker is within a write.
    private boolean writing;

    Sharing(Crew crew) {
        this.crew = crew;
    }

    /// One object as this process has it.
    static final class Copy {
        private final SharedObject object;

        /// How many writes of each process were done to it.
        private final Map<NodeId, Long> done = new HashMap<>();

        /// Processes that have a copy for sure.
        private final Set<Object> have = ConcurrentHashMap.newKeySet();

        private Copy(SharedObject object) {
            this.object = object;
        }
    }

    /// A write that another process has done.
    private record Written(NodeId by, String id, long number, byte[] write) {
        /// What it takes of the room for such.
        int waiting() {
            return (int) Math.min(MOST_WAITING, (long) LEAST_WAITING + write.length);
        }

        long early() {
            return (long) LEAST_EARLY + write.length;
        }
    }

    /// What is being read on this thread.
    ///
    /// @param by who has sent it; none: this process
    private record Reading(Sharing sharing, @Nullable NodeId by) {}

    /// What is being written on this thread.
    ///
    /// @param to for whom; none: for whoever reads it
    /// @param given objects whose state went along
    private record Writing(
            Sharing sharing, @Nullable Object to, @Nullable SharedObject whole, List<Copy> given)
            implements StandIns {
        @Override
        @SuppressWarnings("ReferenceEquality") // this object, whatever its class says of others
        public Object of(Serializable shared) throws ObjectStreamException {
            try {
                return whole == shared ? shared : sharing.standIn((SharedObject) shared, this);
            } catch (ObjectStreamException e) {
                throw e;
            } catch (IOException e) {
                var failed = new InvalidObjectException(String.valueOf(e.getMessage()));
                failed.initCause(e);
                throw failed;
            }
        }
    }

    /// Something that makes or reads bytes.
    interface Work<T extends @Nullable Object, X extends Exception> {
        T run() throws IOException, X;
    }

    /// Does what writes objects: shared ones are represented by their names.
    ///
    /// @param to who reads it; none: anybody
    /// @param given gets those whose state went along
    <T extends @Nullable Object, X extends Exception> T writing(
            @Nullable Object to, List<Copy> given, Work<T, X> work) throws IOException, X {
        return writing(new Writing(this, to, null, given), work);
    }

    private static <T extends @Nullable Object, X extends Exception> T writing(
            Writing how, Work<T, X> work) throws IOException, X {
        var before = StandIns.HERE.get();
        StandIns.HERE.set(how);
        try {
            return work.run();
        } finally {
            StandIns.HERE.set(before);
        }
    }

    /// Does what reads objects.
    ///
    /// @param by who has sent them; none: this process
    <T extends @Nullable Object, X extends Exception> T reading(
            @Nullable NodeId by, Work<T, X> work) throws IOException, X {
        var before = READING.get();
        READING.set(new Reading(this, by));
        try {
            return work.run();
        } finally {
            READING.set(before);
        }
    }

    /// Whoever reads on this thread; none: somebody that runs no program.
    static @Nullable Sharing reading() {
        var now = READING.get();
        return now == null ? null : now.sharing();
    }

    private StandIn standIn(SharedObject object, Writing how) throws IOException {
        synchronized (lock) {
            var copy = known(object);
            byte[] state = null;
            if (how.to() == null || !copy.have.contains(how.to())) {
                var whole = new Writing(this, how.to(), object, how.given());
                state = writing(whole, () -> crew.copies().bytes(object));
                how.given().add(copy);
            }
            var writers = new ArrayList<String>();
            var counts = new ArrayList<Long>();
            if (state != null) {
                copy.done.forEach((writer, count) -> {
                    writers.add(writer.toString());
                    counts.add(count);
                });
            }
            return new StandIn(
                    name(object),
                    state,
                    writers,
                    counts.stream().mapToLong(Long::longValue).toArray());
        }
    }

    private static String name(SharedObject object) {
        return Objects.requireNonNull(object.getObjectId());
    }

    /// With the lock: this process's entry of it.
    private Copy known(SharedObject object) {
        if (crew.size() > 1) {
            throw new IllegalStateException(
                    "a process has one copy of a shared object, and one worker to write to it:"
                            + " set ibidem.satin.threads to 1, and start more processes");
        }
        object.getObjectIdAndSetNonlocal();
        return copies.computeIfAbsent(name(object), _ -> new Copy(object));
    }

    /// The copy of this process that a name stands for.
    SharedObject copy(StandIn it) throws InvalidObjectException {
        var copy = copies.get(it.id());
        return copy != null ? copy.object : arrived(it);
    }

    @SuppressWarnings("ReferenceEquality") // whether the new one is the one that is kept
    private SharedObject arrived(StandIn it) throws InvalidObjectException {
        if (it.state() == null) {
            throw new InvalidObjectException(
                    "there is no copy here of object " + Visible.of(it.id()));
        }
        var now = READING.get();
        var by = now == null ? null : now.by();
        if (by != null && !by.equals(crew.self())) {
            charge(by, it);
        }
        SharedObject object;
        try {
            object = (SharedObject) Objects.requireNonNull(crew.copies().read(it.state(), by));
        } catch (IOException | ClassNotFoundException | ClassCastException e) {
            var failed =
                    new InvalidObjectException(
                            "object " + Visible.of(it.id()) + " cannot be read: " + describe(e));
            failed.initCause(e);
            throw failed;
        }
        if (it.writers().size() != it.counts().length || !it.id().equals(object.getObjectId())) {
            throw new InvalidObjectException(
                    "what stands for object " + Visible.of(it.id()) + " is none");
        }
        synchronized (lock) {
            var mine = known(object);
            if (mine.object == object) {
                for (int i = 0; i < it.counts().length; i++) {
                    mine.done.put(NodeId.parse(it.writers().get(i)), it.counts()[i]);
                }
            }
            arrivals = true; // Somebody may have written to it before it came.
            news = true;
            return mine.object;
        }
    }

    /// Charges a process for a copy that it brings.
    private void charge(NodeId by, StandIn it) throws InvalidObjectException {
        synchronized (lock) {
            long bytes = brought.getOrDefault(by, 0L) + LEAST_COPY + it.size();
            if (bytes > mostBrought) {
                throw new InvalidObjectException(
                        "object %s is not taken: %s has brought shared objects of %s bytes, and of one"
                                        .formatted(Visible.of(it.id()), by, bytes)
                                + " process at most %s are kept, a quarter of the heap:"
                                        .formatted(mostBrought)
                                + " give the processes more (-Xmx)");
            }
            brought.put(by, bytes);
        }
    }

    /// Keeps no more than that of each of the others; tests take little.
    void mostBrought(long bytes) {
        mostBrought = bytes;
    }

    /// How many copies there are.
    int copies() {
        return copies.size();
    }

    /// Bytes of writes that wait for a copy.
    long early() {
        synchronized (lock) {
            return earlyBytes;
        }
    }

    /// Gives an object to all processes now.
    void export(SharedObject object) {
        crew.toAll(Letter.share(bytes(object)));
    }

    private byte[] bytes(Object graph) {
        try {
            return writing(null, new ArrayList<>(), () -> crew.copies().bytes(graph));
        } catch (IOException e) {
            throw new IllegalArgumentException("cannot be sent to others: " + e, e);
        }
    }

    /// An object was given to this process before it needs it.
    void shared(NodeId by, byte[] bytes) throws IOException, ClassNotFoundException {
        crew.copies().read(bytes, by);
    }

    /// In the worker: does a write here, and has it done elsewhere.
    void perform(SharedObject on, Write write) throws Throwable {
        synchronized (lock) {
            if (on.isUnshared() || writing) {
                write.apply(on);
                return;
            }
        }
        look(); // What others wrote before comes before it.
        var track = track();
        long from = track == null ? 0 : System.nanoTime();
        try {
            share(on, write);
        } finally {
            if (track != null) {
                track.wrote(from, System.nanoTime());
            }
        }
    }

    private static @Nullable Track track() {
        var worker = Worker.current();
        return worker == null ? null : worker.track();
    }

    private void share(SharedObject on, Write write) throws Throwable {
        var bytes = bytes(write);
        while (crew.othersAreFull()) {
            LockSupport.parkNanos(this, PAUSE_NANOS);
            look(); // They may wait for room here.
        }
        synchronized (lock) {
            var copy = known(on);
            long number = copy.done.merge(crew.self(), 1L, Long::sum);
            crew.toAll(Letter.write(number, name(on), bytes));
            apply(on, write);
        }
    }

    private void apply(SharedObject on, Write write) throws Throwable {
        writing = true;
        try {
            write.apply(on);
        } finally {
            writing = false;
        }
    }

    /// Another process has written. Waits while too many writes wait already.
    ///
    /// @param number of its writes to this object
    void written(NodeId by, String id, long number, byte[] write) {
        var written = new Written(by, id, number, write);
        room.acquireUninterruptibly(written.waiting());
        if (ended) {
            room.release(written.waiting());
            return;
        }
        waiting.add(written);
        news = true;
    }

    /// In the worker, between two of its jobs' steps: does what others have written.
    void look() {
        if (!news || writing) {
            return;
        }
        news = false; // Before the look: what comes after it sets it again.
        var track = track();
        long from = track == null ? 0 : System.nanoTime();
        synchronized (lock) {
            takeEarly();
        }
        long taken = 0;
        for (var next = waiting.poll(); next != null; next = waiting.poll()) {
            room.release(next.waiting());
            take(next);
            taken++;
        }
        if (track != null && taken > 0) {
            track.read(from, System.nanoTime(), taken);
        }
    }

    private void take(Written written) {
        synchronized (lock) {
            takeEarly(); // a copy may have come just now: what was before this one comes before it
            takeNow(written);
        }
    }

    /// With the lock: what waited for copies that have come since.
    private void takeEarly() {
        if (arrivals) {
            arrivals = false;
            var again = List.copyOf(early);
            early.clear();
            earlyBytes = 0;
            again.forEach(this::takeNow);
        }
    }

    private void takeNow(Written written) {
        var copy = copies.get(written.id());
        if (copy == null) {
            early.add(written);
            earlyBytes += written.early();
            while (earlyBytes > MOST_EARLY && early.size() > 1) {
                earlyBytes -= early.remove().early();
            }
            return;
        }
        if (written.number() <= copy.done.getOrDefault(written.by(), 0L)) {
            return; // It was in the state that came.
        }
        copy.done.put(written.by(), written.number());
        try {
            var write =
                    (Write)
                            Objects.requireNonNull(
                                    crew.copies().read(written.write(), written.by()));
            apply(copy.object, write);
        } catch (Throwable e) { // It threw where it was called, too, or cannot be read here.
            var level = e instanceof Error ? Level.WARNING : Level.DEBUG;
            LOG.log(
                    level,
                    () ->
                            "a write to "
                                    + Visible.of(written.id())
                                    + " failed here: "
                                    + describe(e));
        }
    }

    /// Nobody looks any more: whoever brings something does not wait.
    void end() {
        ended = true;
        room.release(MOST_WAITING); // and whoever gets in by that passes it on
    }

    /// These have arrived with a job that this process has done.
    static void have(Object thief, List<Copy> given) {
        given.forEach(copy -> copy.have.add(thief));
    }
}
