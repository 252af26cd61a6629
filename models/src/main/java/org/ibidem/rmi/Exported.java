package org.ibidem.rmi;

import java.lang.ref.WeakReference;
import java.rmi.Remote;
import java.rmi.server.Unreferenced;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.ibidem.port.ReadMessage;
import org.ibidem.rmi.frame.Incoming;
import org.ibidem.rmi.frame.Reference;
import org.ibidem.rmi.frame.RemoteMethod;
import org.ibidem.rmi.generate.RemoteType;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// An object that can be called. It is kept as long as a node holds it that has a stub of it; then
/// as long as somebody here refers to it.
final class Exported implements ByNumber.Numbered<Exported> {
    private final WeakReference<Remote> object;
    private final List<RemoteType> types;
    private final Reference reference;

    /// Those of its methods that have been called.
    private volatile Entry[] entries = {};

    /// Who holds it, with the number of what was heard last.
    private final Map<NodeId, Long> holders = new HashMap<>();

    /// Of an active object.
    private final @Nullable Turns turns;

    /// Its calls that run.
    private final AtomicInteger running = new AtomicInteger();

    private @Nullable Remote kept;
    private @Nullable Exported next;

    /// Whether it was told that no other node has a stub, since the last one got it.
    private boolean told;

    /// A method as it can be called.
    static final class Entry {
        private final RemoteMethod method;
        private final Incoming incoming;
        private final Length length = new Length();

        /// To be used again.
        private final AtomicReference<@Nullable Served> spare = new AtomicReference<>();

        Entry(RemoteMethod method, Incoming incoming) {
            this.method = method;
            this.incoming = incoming;
        }

        RemoteMethod method() {
            return method;
        }

        /// One without arguments.
        Incoming incoming() {
            return incoming;
        }

        Length length() {
            return length;
        }

        /// Reads the arguments of a call.
        ///
        /// @return whether their sender keeps what they refer to until it hears that they have come
        boolean reads(Incoming call, ReadMessage from) {
            InFlight.begin();
            call.read(from);
            return method.takesObjects() && from.readBoolean();
        }

        /// For a call of it.
        Served served(Exported of) {
            var free = method.takesObjects() ? null : spare.getAndSet(null);
            return free != null ? free : new Served(of, this);
        }

        /// Nobody uses it any more. Objects that came as arguments are not kept.
        void free(Served one) {
            if (!method.takesObjects()) {
                spare.lazySet(one);
            }
        }
    }

    Exported(
            WeakReference<Remote> object,
            List<RemoteType> types,
            Reference reference,
            @Nullable Turns turns) {
        this.turns = turns;
        this.object = object;
        this.types = types;
        this.reference = reference;
    }

    /// Null: it was collected.
    @Nullable Remote object() {
        return object.get();
    }

    List<RemoteType> types() {
        return types;
    }

    Reference reference() {
        return reference;
    }

    /// Kept whether anybody holds it or not.
    synchronized void keep() {
        kept = object.get();
        holders.put(reference.node(), Long.MAX_VALUE);
    }

    /// A node has a stub of it.
    ///
    /// @param number increases with each word of that node about it
    /// @return false: it was collected
    synchronized boolean hold(NodeId node, long number) {
        var mine = object.get();
        if (mine == null) {
            return false;
        }
        if (number > holders.getOrDefault(node, Long.MIN_VALUE)) {
            kept = mine;
            told &= node.equals(reference.node());
            holders.put(node, number);
        }
        return true;
    }

    /// A node has no stub of it any more. An [Unreferenced] is told when no other node has one: a
    /// stub at home, which only the collector finds out about, does not count, but a name does.
    ///
    /// @param part runs [Unreferenced#unreferenced]
    void release(NodeId node, long number, Part part) {
        Remote mine;
        synchronized (this) {
            var last = holders.get(node);
            if (last == null || number <= last) {
                return;
            }
            holders.remove(node);
            mine = !told && isOver(node, part) ? kept : null;
            told |= mine != null;
            if (holders.isEmpty()) {
                kept = null;
            }
        }
        if (mine instanceof Unreferenced object) {
            part.tasks().start("tells an object that nobody refers to it", object::unreferenced);
        }
    }

    private boolean isOver(NodeId node, Part part) {
        var home = reference.node();
        boolean onlyHome = holders.size() == 1 && holders.containsKey(home);
        return holders.isEmpty()
                || (onlyHome && !node.equals(home) && !part.isNamed(reference.object()));
    }

    synchronized boolean isHeldBy(NodeId node) {
        return holders.containsKey(node);
    }

    /// How many nodes hold it.
    synchronized int holders() {
        return holders.size();
    }

    @Nullable Turns turns() {
        return turns;
    }

    void begins() {
        running.incrementAndGet();
    }

    void ends() {
        running.decrementAndGet();
    }

    boolean isRunning() {
        return running.get() > 0;
    }

    /// The method of this number; null: its interfaces have none.
    @Nullable Entry entry(long hash) {
        for (var each : entries) {
            if (each.method.hash() == hash) {
                return each;
            }
        }
        return found(hash);
    }

    /// Of which a second one would do no harm.
    private @Nullable Entry found(long hash) {
        for (var type : types) {
            var method = type.method(hash);
            if (method != null) {
                var made = new Entry(method, type.incoming(method));
                synchronized (this) {
                    var more = Arrays.copyOf(entries, entries.length + 1);
                    more[more.length - 1] = made;
                    entries = more;
                }
                return made;
            }
        }
        return null;
    }

    @Override
    public long number() {
        return reference.object();
    }

    @Override
    public @Nullable Exported next() {
        return next;
    }

    @Override
    public void next(@Nullable Exported other) {
        next = other;
    }
}
