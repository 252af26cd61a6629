package org.ibidem.satin;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// Jobs whose giver has died while they were done: who has them goes on and keeps what comes of
/// them, and tells all others, so that whoever does the giver's work again takes it from there
/// instead of doing it twice (Wrzesinska, van Nieuwpoort, Maassen and Bal, "Fault-tolerance,
/// malleability and migration for divide-and-conquer applications on the Grid", IPDPS 2005).
///
/// A job is known again by its place in the tree of spawned calls, and by its bytes: where a
/// program does not spawn the same jobs the second time, it is another one.
final class Orphans {
    /// Held here, and known to be elsewhere.
    static final int MOST = 4096;

    private static final long MOST_BYTES = 64 << 20;

    private final Map<Long, Known> known = new ConcurrentHashMap<>();
    private final Map<Long, Held> held = new HashMap<>();
    private long bytes;

    /// So that who looks at each job it does looks at no more than this, where there is none.
    private volatile boolean some;

    /// Whether this process knows of one that is gone: while all are there, no job is an orphan,
    /// whoever says so.
    private volatile boolean bereft;

    /// One that somebody has.
    ///
    /// @param sum of its bytes
    record Known(NodeId holder, long sum) {}

    /// Who waits for one, under which stamp.
    record Claim(NodeId who, long stamp) {}

    /// What came of one.
    record Result(byte[] outcome, boolean thrown) {}

    /// One that is here.
    private static final class Held {
        private final Parcel parcel;
        private @Nullable Result result;
        private @Nullable Claim claim;

        Held(Parcel parcel) {
            this.parcel = parcel;
        }
    }

    /// A sum of a job's bytes.
    static long sum(byte[] job) {
        try {
            return ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(job)).getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }

    /// Whether a job of this place may be one.
    boolean mayKnow(long place) {
        return some && bereft && known.containsKey(place);
    }

    /// Somebody has one.
    synchronized void know(long place, Known orphan) {
        if (known.size() < MOST) {
            known.put(place, orphan);
            some = true;
        }
    }

    /// The one of this place with these bytes, which nobody else in this process gets then.
    synchronized @Nullable Known take(long place, byte[] job) {
        var orphan = known.get(place);
        if (orphan == null || orphan.sum() != sum(job)) {
            return null;
        }
        known.remove(place);
        some = !known.isEmpty();
        return orphan;
    }

    /// Who is gone has none any more.
    synchronized void gone(NodeId id) {
        bereft = true;
        known.values().removeIf(orphan -> orphan.holder().equals(id));
        some = !known.isEmpty();
    }

    /// Keeps one whose giver has died.
    ///
    /// @return false: there is no room
    synchronized boolean hold(Parcel parcel) {
        return held.size() < MOST && held.putIfAbsent(parcel.place(), new Held(parcel)) == null;
    }

    /// One that is here has ended.
    ///
    /// @param result none: nothing came of it
    /// @return who waits for it and is to be told
    synchronized @Nullable Claim ended(Parcel parcel, @Nullable Result result) {
        var here = held.get(parcel.place());
        if (here == null || here.parcel != parcel) {
            return null;
        }
        long more = result == null ? 0 : result.outcome().length;
        if (here.claim != null || result == null || bytes + more > MOST_BYTES) {
            held.remove(parcel.place());
            return here.claim;
        }
        here.result = result;
        bytes += more;
        return null;
    }

    /// What came of the one that is here, if that is known: nobody else gets it then.
    synchronized @Nullable Result result(long place) {
        var here = held.get(place);
        if (here == null || here.result == null) {
            return null;
        }
        held.remove(place);
        bytes -= here.result.outcome().length;
        return here.result;
    }

    /// Somebody waits from now on for the one that is here.
    ///
    /// @return false: there is none, it has ended, or somebody else waits for it
    synchronized boolean await(long place, Claim claim) {
        var here = held.get(place);
        if (here == null || here.result != null || here.claim != null) {
            return false;
        }
        here.claim = claim;
        here.parcel.want();
        return true;
    }
}
