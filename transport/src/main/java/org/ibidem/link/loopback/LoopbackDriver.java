package org.ibidem.link.loopback;

import java.io.IOException;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.ibidem.link.Domain;
import org.ibidem.link.Driver;
import org.ibidem.link.FrameLink;
import org.ibidem.link.Link;
import org.ibidem.link.Lower;
import org.ibidem.link.Reach;
import org.ibidem.task.Tasks;

/// The network driver `loopback`: two nodes in one JVM, over rings in off-heap memory. What its
/// links share is the JVM's, not a node's, so it is its own domain.
public final class LoopbackDriver implements Driver, Domain {
    private static final long COST = 50;
    private static final int MEET_SECONDS = 10;

    /// Names this JVM. Not state: it never changes.
    private static final String JVM = UUID.randomUUID().toString();

    /// Where the two ends of a link find each other. Both ends are in this JVM but know only the
    /// link's key, so the meeting place must be the JVM's. Keys are unguessable and unique: nodes
    /// of different pools cannot meet.
    private static final ConcurrentHashMap<String, Meeting> MEETINGS = new ConcurrentHashMap<>();

    /// The place of one link's ends. Who offered may have sent something and closed before the
    /// other comes, which is to find it; but not for ever.
    private static final class Meeting {
        final CompletableFuture<FrameLink> passive = new CompletableFuture<>();
        private volatile boolean left;
        private long leftAt;

        void leave(long now) {
            leftAt = now;
            left = true;
        }

        boolean isOver(long now) {
            return left && now - leftAt > TimeUnit.SECONDS.toNanos(MEET_SECONDS);
        }
    }

    /// Found by its `provides` line.
    public LoopbackDriver() {}

    @Override
    public String name() {
        return "loopback";
    }

    @Override
    public Class<Loopback> options() {
        return Loopback.class;
    }

    @Override
    public boolean overConnections() {
        return false;
    }

    @Override
    public Domain domain(Tasks tasks, boolean open) {
        return this;
    }

    @Override
    public String place() {
        return JVM;
    }

    @Override
    public Reach reach(String there) {
        return there.equals(JVM) ? new Reach.Yes(COST) : new Reach.No("it runs in another JVM");
    }

    @Override
    public Link open(Lower lower, Record options) throws IOException {
        return lower.active() ? offer(lower, (Loopback) options) : take(lower);
    }

    private static FrameLink offer(Lower lower, Loopback options) {
        forget(lower.tasks().nanoTime());
        var pair = LoopbackPair.of(options.ring(), () -> leave(lower));
        meeting(lower).passive.complete(pair.passive());
        return pair.active();
    }

    private static Meeting meeting(Lower lower) {
        return MEETINGS.computeIfAbsent(lower.key(), _ -> new Meeting());
    }

    private static void leave(Lower lower) {
        var meeting = MEETINGS.get(lower.key());
        if (meeting != null) { // the other end has not come yet
            meeting.leave(lower.tasks().nanoTime());
        }
    }

    /// Forgets those that nobody came to in time.
    ///
    /// @param now in [org.ibidem.task.Tasks#nanoTime]
    /// @return how many are left
    static int forget(long now) {
        MEETINGS.values().removeIf(meeting -> meeting.isOver(now));
        return MEETINGS.size();
    }

    private static FrameLink take(Lower lower) throws IOException {
        try {
            return meeting(lower).passive.get(MEET_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new IOException("the other end did not come within " + MEET_SECONDS + " s", e);
        } catch (ExecutionException e) {
            throw new IOException("the other end failed", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for the other end", e);
        } finally {
            MEETINGS.remove(lower.key());
        }
    }
}
