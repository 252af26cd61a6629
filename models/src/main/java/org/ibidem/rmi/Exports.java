package org.ibidem.rmi;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.rmi.Remote;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.ibidem.rmi.frame.Reference;
import org.ibidem.rmi.generate.RemoteType;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// The objects of this node that can be called, by number. What nobody refers to any more, here or
/// elsewhere, is dropped.
final class Exports {
    /// Numbers below it are for what every node has.
    static final long FIRST = 1024;

    /// The names of a node.
    static final long DIRECTORY = 1;

    private final NodeId node;
    private final SecureRandom chance = new SecureRandom();
    private final ReferenceQueue<Remote> collected = new ReferenceQueue<>();
    private final ByNumber<Exported> byNumber = new ByNumber<>();
    private final Map<Identity, Exported> byObject = new ConcurrentHashMap<>();

    /// An object, whatever its class says of equality.
    private static final class Identity extends WeakReference<Remote> {
        private final int hash;

        Identity(Remote object, @Nullable ReferenceQueue<Remote> queue) {
            super(object, queue);
            this.hash = System.identityHashCode(object);
        }

        @Override
        public int hashCode() {
            return hash;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            if (this == other) {
                return true;
            }
            var mine = get();
            return mine != null && other instanceof Identity that && that.refersTo(mine);
        }
    }

    Exports(NodeId node) {
        this.node = node;
    }

    /// Exports an object.
    ///
    /// @param wellKnown its number; 0: one that nobody can guess
    /// @param turns null: its calls run at once
    /// @throws IllegalStateException when it is exported already
    synchronized Exported add(Remote object, long wellKnown, @Nullable Turns turns) {
        var identity = new Identity(object, collected);
        if (byObject.containsKey(identity)) {
            throw new IllegalStateException(
                    "this object is exported already: a " + object.getClass().getName());
        }
        var types = RemoteType.all(object.getClass());
        long number = wellKnown != 0 ? wellKnown : fresh();
        var names = types.stream().map(each -> each.type().getName()).toList();
        var made = new Exported(identity, types, Reference.of(node, number, names), turns);
        if (wellKnown != 0) {
            made.keep();
        }
        byNumber.put(made);
        byObject.put(identity, made);
        return made;
    }

    private long fresh() {
        long number = chance.nextLong();
        while ((number >= 0 && number < FIRST) || byNumber.get(number) != null) {
            number = chance.nextLong();
        }
        return number;
    }

    /// Exports it no more.
    @Nullable Exported remove(Remote object) {
        var known = byObject.remove(new Identity(object, null));
        if (known != null) {
            byNumber.remove(known);
        }
        return known;
    }

    @Nullable Exported of(Remote object) {
        return byObject.get(new Identity(object, null));
    }

    @Nullable Exported of(long number) {
        return byNumber.get(number);
    }

    List<Exported> all() {
        return byNumber.all();
    }

    /// Drops those that were collected.
    void sweep() {
        for (var each = collected.poll(); each != null; each = collected.poll()) {
            var known = byObject.remove(each);
            if (known != null) {
                byNumber.remove(known);
            }
        }
    }

    int count() {
        return byNumber.size();
    }

    void clear() {
        byNumber.clear();
        byObject.clear();
    }
}
