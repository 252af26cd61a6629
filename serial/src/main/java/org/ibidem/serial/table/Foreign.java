package org.ibidem.serial.table;

import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectInputStream;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import org.ibidem.serial.wire.Decoder;
import org.jspecify.annotations.Nullable;

/// A table that a class of the JDK makes itself, of the objects that its `readObject` reads.
@SuppressWarnings("JdkObsolete") // a class that is let in
public final class Foreign {
    /// What `List.of`, `Set.of` and `Map.of` write in their place.
    private static final String IMMUTABLE = "java.util.CollSer";

    private static final int SET = 2;
    private static final int MAP = 3;

    /// Bits of the number of elements that are compared in one step where they lie side by side.
    static final int BLOCK = 3;

    /// Steps for the hash that the JVM gives an object.
    private static final int IDENTITY = 6;

    private final Kind kind;
    private final Decoder from;

    /// Every so many objects one is a key.
    private int every;

    private int length;
    private long objects;
    private long comparator;
    private long compared;
    private @Nullable Hashing hashing;

    private enum Kind {
        TREES,
        CHAINS,
        PROBES,
        SORTED,

        /// It asks nothing of its keys, but its own hash asks the JVM for theirs, which takes long.
        IDENTITIES,

        /// Each element is compared with all before it, when the fields have been read.
        ALL
    }

    private Foreign(Kind kind, int every, Decoder from) {
        this.kind = kind;
        this.every = every;
        this.from = from;
    }

    /// The table of objects of a class on this level; null: it makes none.
    public static @Nullable Foreign of(Class<?> level, Decoder from) {
        if (level.getClassLoader() != null) {
            return null;
        }
        if (level == HashSet.class) {
            return new Foreign(Kind.TREES, 1, from);
        }
        if (level == HashMap.class || level == ConcurrentHashMap.class) {
            return new Foreign(Kind.TREES, 2, from);
        }
        if (level == Hashtable.class) {
            return new Foreign(Kind.CHAINS, 2, from);
        }
        if (level == TreeSet.class || level == PriorityQueue.class) {
            return new Foreign(Kind.SORTED, 1, from);
        }
        if (level == TreeMap.class || level == ConcurrentSkipListMap.class) {
            return new Foreign(Kind.SORTED, 2, from);
        }
        if (level == IdentityHashMap.class) {
            return new Foreign(Kind.IDENTITIES, 0, from);
        }
        if (level == CopyOnWriteArraySet.class) {
            return new Foreign(Kind.ALL, 0, from);
        }
        return level.getName().equals(IMMUTABLE) ? new Foreign(Kind.PROBES, 1, from) : null;
    }

    /// Says which fields were read: a comparator, or, where one class stands for several, which.
    ///
    /// @param cost what it takes to hash them
    public void fields(ObjectInputStream.GetField fields, long cost)
            throws IOException, ClassNotFoundException {
        switch (kind) {
            case PROBES -> {
                int tag = fields.get("tag", 0) & 0xFF;
                every = tag == SET ? 1 : tag == MAP ? 2 : 0;
            }
            case SORTED -> comparator = cost - 1;
            case ALL -> {
                if (fields.get("al", null) instanceof CopyOnWriteArrayList<?> all) {
                    long once = Decoder.grows(cost) ? Measure.of(all, from) : cost;
                    compared = Decoder.times(all.size(), once) >> BLOCK;
                    from.work(compared);
                }
            }
            default -> {} // they say nothing
        }
    }

    /// Says that a table or array is made.
    public void announced(int places) {
        length = places;
    }

    /// Charges what the object read last will cost there.
    public void read(@Nullable Object object) throws InvalidClassException {
        long before = objects++;
        if (every > 0 && before % every == 0) {
            var mine = hashing;
            if (mine == null) {
                mine = make();
                hashing = mine;
            }
            mine.key(object);
        }
    }

    private Hashing make() {
        return switch (kind) {
            case CHAINS -> length > 0 ? new Chains(from, length) : Trees.unseen(from);
            case PROBES -> length > 0 ? new Probes(from, length / every) : Trees.unseen(from);
            case SORTED -> new Sorted(from, comparator);
            default -> Trees.unseen(from);
        };
    }

    /// What was charged for comparisons, or is to be for the hash of the table.
    public long compared() {
        if (kind == Kind.IDENTITIES) {
            return IDENTITY * objects;
        }
        return hashing == null ? compared : hashing.compared();
    }
}
