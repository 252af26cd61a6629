package org.ibidem.serial.table;

import java.io.InvalidClassException;
import java.lang.reflect.ParameterizedType;
import java.math.BigDecimal;
import org.ibidem.serial.wire.Decoder;
import org.jspecify.annotations.Nullable;

/// Tables that put keys of one hash in order where their class says how: `HashMap` and its kin,
/// `ConcurrentHashMap`. The order is that of a class which is `Comparable` of itself; keys of other
/// classes, and of several, are compared with all of the same hash. Those that are ordered are
/// charged where they are long and came by handles, as the same few may be in many tables.
public final class Trees extends Hashing {
    /// As `HashMap` asks it.
    private static final ClassValue<Boolean> ORDERED =
            new ClassValue<>() {
                @Override
                protected Boolean computeValue(Class<?> type) {
                    for (var each : type.getGenericInterfaces()) {
                        if (each instanceof ParameterizedType comparable
                                && comparable.getRawType() == Comparable.class
                                && comparable.getActualTypeArguments()[0] == type) {
                            return true;
                        }
                    }
                    return false;
                }
            };

    /// Keys of one place that lie in a list, before they become a tree.
    private static final int LIST = 8;

    /// Keys put before, if those need not be counted as they come.
    private final @Nullable Iterable<?> before;

    /// The class of all keys so far, while they are of one.
    private @Nullable Class<?> only;

    private boolean mixed;
    private @Nullable HashCounts counts;
    private @Nullable HashCounts longOnes;
    private long hashed;

    private Trees(Decoder from, @Nullable Iterable<?> before) {
        super(from);
        this.before = before;
    }

    /// For a table of which it is known what is in it: then keys of one ordered class cost nothing.
    ///
    /// @param keys those put so far; those that were not charged are strings
    public static Hashing over(Decoder from, Iterable<?> keys) {
        var trees = new Trees(from, keys);
        trees.only = keys.iterator().hasNext() ? String.class : null;
        return trees;
    }

    /// For a table that somebody else makes.
    static Hashing unseen(Decoder from) {
        var trees = new Trees(from, null);
        trees.counts = new HashCounts();
        return trees;
    }

    @Override
    void collisions(Object key, long cost) throws InvalidClassException {
        var type = key.getClass();
        if (!mixed && only != type) {
            mixed = only != null || !ORDERED.get(type);
            only = type;
        }
        if (!mixed && cost > FREE && !isNew(key)) {
            ordered(key, cost);
        }
        var all = counts;
        if (all == null) {
            if (!mixed) {
                hashed = Decoder.sum(hashed, cost);
                return;
            }
            all = counted();
            counts = all;
        }
        from.work(cost);
        int met = all.add(key.hashCode());
        if (mixed) {
            compare(met, cost);
        }
    }

    /// A long key is compared with some of the long ones of its hash; shorter ones differ soon, and
    /// new ones pay for themselves.
    private void ordered(Object key, long cost) throws InvalidClassException {
        var some = longOnes;
        if (some == null) {
            some = new HashCounts();
            longOnes = some;
        }
        if (!(key instanceof String)) {
            from.work(cost);
        }
        int met = some.add(key.hashCode());
        if (met > 0) {
            long steps = key instanceof BigDecimal ? Sorted.scaled(cost) : cost;
            compare(Math.min(met, LIST + Integer.SIZE - Integer.numberOfLeadingZeros(met)), steps);
        }
    }

    /// Counts the keys put before, which hashes them again.
    private HashCounts counted() throws InvalidClassException {
        from.work(hashed);
        var made = new HashCounts();
        if (before != null) {
            for (var key : before) {
                made.add(key == null ? 0 : key.hashCode());
            }
        }
        return made;
    }
}
