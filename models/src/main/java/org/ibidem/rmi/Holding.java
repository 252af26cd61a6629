package org.ibidem.rmi;

import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.rmi.NoSuchObjectException;
import java.rmi.RemoteException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.ibidem.rmi.frame.Reference;
import org.ibidem.rmi.frame.Stub;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// Which objects of others this node has stubs of, and that their owners know (after Birrell et
/// al., "Distributed garbage collection for network objects", 1993). An owner is told once for all
/// stubs of an object, and again when the last was collected. One word about an object is under way
/// at a time, so none overtakes another.
final class Holding {
    private static final Duration AGAIN = Duration.ofMillis(500);
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(1);
    private static final CompletableFuture<@Nullable Void> KNOWN =
            CompletableFuture.completedFuture(null);

    private final Part part;
    private final AtomicLong numbers = new AtomicLong();
    private final ReferenceQueue<Stub> collected = new ReferenceQueue<>();
    private final Set<Gone> stubs = ConcurrentHashMap.newKeySet();
    private final Map<Key, Held> all = new HashMap<>();

    private record Key(NodeId node, long object) {}

    /// Comes out of the queue when its stub was collected.
    private static final class Gone extends PhantomReference<Stub> {
        private final Key key;

        Gone(Stub stub, ReferenceQueue<Stub> queue, Key key) {
            super(stub, queue);
            this.key = key;
        }
    }

    /// What is known of an object; guarded by the map.
    private static final class Held {
        private int stubs;

        /// Whether the owner knows.
        private boolean known;

        /// Whether somebody is about to tell it.
        private boolean telling;

        private CompletableFuture<@Nullable Void> told = new CompletableFuture<>();
    }

    Holding(Part part) {
        this.part = part;
    }

    /// There is a stub of an object.
    ///
    /// @return done when the owner knows that this node has one, or is gone
    CompletableFuture<@Nullable Void> add(Stub stub) {
        var reference = stub.reference();
        var key = new Key(reference.node(), reference.object());
        stubs.add(new Gone(stub, collected, key));
        boolean starts;
        CompletableFuture<@Nullable Void> told;
        synchronized (all) {
            var held = all.computeIfAbsent(key, _ -> new Held());
            held.stubs++;
            if (held.known && !held.telling) {
                return KNOWN;
            }
            if (held.told.isDone()) {
                held.told = new CompletableFuture<>();
            }
            told = held.told;
            starts = !held.telling;
            held.telling = true;
        }
        if (starts) {
            if (key.node().equals(part.node().id())) {
                tell(key); // no message
            } else {
                part.tasks().start("tells of a stub", () -> tell(key));
            }
        }
        return told;
    }

    /// Looks for stubs that were collected.
    void sweep() {
        for (var each = collected.poll(); each != null; each = collected.poll()) {
            if (each instanceof Gone gone && stubs.remove(gone) && drop(gone.key)) {
                part.tasks().start("tells that there is no stub", () -> tell(gone.key));
            }
        }
    }

    /// @return whether the owner is to be told
    private boolean drop(Key key) {
        synchronized (all) {
            var held = all.get(key);
            if (held == null || --held.stubs > 0 || held.telling) {
                return false;
            }
            held.telling = true;
            return true;
        }
    }

    /// Tells the owner until it knows what is so.
    private void tell(Key key) {
        while (true) {
            boolean wanted;
            synchronized (all) {
                var held = all.get(key);
                if (held == null) {
                    return;
                }
                wanted = held.stubs > 0;
                if (wanted == held.known) {
                    held.telling = false;
                    held.told.complete(null);
                    if (!wanted) {
                        all.remove(key);
                    }
                    return;
                }
            }
            if (!isTold(key, wanted) && !part.isGone(key.node())) {
                part.later(AGAIN, "tells of a stub again", () -> tell(key));
                return;
            }
            synchronized (all) {
                var held = all.get(key);
                if (held != null) {
                    held.known = wanted;
                }
            }
        }
    }

    private boolean isTold(Key key, boolean wanted) {
        long number = numbers.incrementAndGet();
        if (key.node().equals(part.node().id())) {
            part.heard(key.node(), key.object(), wanted, number);
            return true;
        }
        try {
            var owner = part.directory(key.node(), LIMIT);
            if (wanted) {
                owner.hold(key.object(), number);
            } else {
                owner.release(key.object(), number);
            }
            return true;
        } catch (NoSuchObjectException _) {
            return true; // who has closed has no objects
        } catch (RemoteException _) {
            return false;
        }
    }

    /// Tells all owners that this node has no stub any more, as far as they can be reached.
    void close() {
        Set<NodeId> owners;
        synchronized (all) {
            owners = all.keySet().stream().map(Key::node).collect(Collectors.toSet());
            all.clear();
        }
        for (var owner : owners) {
            if (part.isConnected(owner)) {
                try {
                    part.directory(owner, CLOSE_LIMIT).releaseAll();
                } catch (RemoteException _) {
                    // it hears of it when this node leaves
                }
            }
        }
    }

    /// A stub of this is known; for tests.
    boolean has(Reference reference) {
        synchronized (all) {
            return all.containsKey(new Key(reference.node(), reference.object()));
        }
    }
}
