package org.ibidem.rmi;

import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.rmi.NoSuchObjectException;
import java.rmi.RemoteException;
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
    private static final CompletableFuture<@Nullable Void> KNOWN =
            CompletableFuture.completedFuture(null);

    private final Owners owners;
    private final AtomicLong numbers = new AtomicLong();
    private final ReferenceQueue<Stub> collected = new ReferenceQueue<>();
    private final Set<Gone> stubs = ConcurrentHashMap.newKeySet();
    private final Map<Key, Held> all = new HashMap<>();

    /// An object of a node.
    record Key(NodeId node, long object) {}

    /// Those whose objects it has stubs of, and what tells them.
    interface Owners {
        /// Whether a node has left or died.
        boolean isGone(NodeId owner);

        /// Says that this node has a stub of an object, or has none any more.
        ///
        /// @param number increases with each word
        /// @throws RemoteException when it is not known whether it was heard
        void tell(Key object, boolean has, long number) throws RemoteException;

        /// Says that it has no stub of any object.
        void tellNothing(NodeId owner) throws RemoteException;

        /// Has something done by somebody else.
        void start(Key object, Runnable body);

        /// The same after a while.
        void later(Key object, Runnable body);
    }

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

        /// Whether it may have heard the contrary since: a word whose reply is lost.
        private boolean unsure;

        /// Whether somebody is about to tell it.
        private boolean telling;

        private CompletableFuture<@Nullable Void> told = new CompletableFuture<>();
    }

    Holding(Owners owners) {
        this.owners = owners;
    }

    /// There is a stub of an object.
    ///
    /// @return done when the owner knows that this node has one, or is gone
    CompletableFuture<@Nullable Void> add(Stub stub) {
        var reference = stub.reference();
        var key = new Key(reference.node(), reference.object());
        stubs.add(new Gone(stub, collected, key));
        return add(key);
    }

    /// The same of one whose end is told by [#drop].
    CompletableFuture<@Nullable Void> add(Key key) {
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
            owners.start(key, () -> tell(key));
        }
        return told;
    }

    /// Looks for stubs that were collected.
    void sweep() {
        for (var each = collected.poll(); each != null; each = collected.poll()) {
            if (each instanceof Gone gone && stubs.remove(gone)) {
                drop(gone.key);
            }
        }
    }

    /// There is a stub less.
    void drop(Key key) {
        if (isLast(key)) {
            owners.start(key, () -> tell(key));
        }
    }

    /// @return whether the owner is to be told
    private boolean isLast(Key key) {
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
                if (wanted == held.known && !held.unsure) {
                    held.telling = false;
                    held.told.complete(null);
                    if (!wanted) {
                        all.remove(key);
                    }
                    return;
                }
            }
            boolean told = isTold(key, wanted) || owners.isGone(key.node());
            synchronized (all) {
                var held = all.get(key);
                if (held != null) {
                    held.known = told ? wanted : held.known;
                    held.unsure = !told;
                }
            }
            if (!told) {
                owners.later(key, () -> tell(key));
                return;
            }
        }
    }

    private boolean isTold(Key key, boolean wanted) {
        try {
            owners.tell(key, wanted, numbers.incrementAndGet());
            return true;
        } catch (NoSuchObjectException _) {
            return true; // who has closed has no objects
        } catch (RemoteException _) {
            return false;
        }
    }

    /// Tells all owners that this node has no stub any more, as far as they can be reached.
    void close() {
        Set<NodeId> nodes;
        synchronized (all) {
            nodes = all.keySet().stream().map(Key::node).collect(Collectors.toSet());
            all.clear();
        }
        for (var node : nodes) {
            try {
                owners.tellNothing(node);
            } catch (RemoteException _) {
                // it hears of it when this node leaves
            }
        }
    }

    /// A stub of this is known; for tests.
    boolean has(Reference reference) {
        synchronized (all) {
            return all.containsKey(new Key(reference.node(), reference.object()));
        }
    }

    /// What is known, for people and tests.
    @Override
    public String toString() {
        synchronized (all) {
            return all.values().stream()
                    .map(each ->
                            each.stubs
                                    + (each.known ? " known" : "")
                                    + (each.unsure ? " unsure" : "")
                                    + (each.telling ? " telling" : ""))
                    .collect(Collectors.joining(", "));
        }
    }
}
