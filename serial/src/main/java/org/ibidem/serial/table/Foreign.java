package org.ibidem.serial.table;

import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectInputStream;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.concurrent.ConcurrentHashMap;
import org.ibidem.serial.wire.Decoder;
import org.jspecify.annotations.Nullable;

/// A table that a class of the JDK makes itself, of the objects that its `readObject` reads.
@SuppressWarnings("JdkObsolete") // a class that is let in
public final class Foreign {
    /// What `List.of`, `Set.of` and `Map.of` write in their place.
    private static final String IMMUTABLE = "java.util.CollSer";

    private static final int SET = 2;
    private static final int MAP = 3;

    private final Class<?> type;
    private final Decoder from;

    /// Every so many objects one is a key.
    private int every;

    private int length;
    private long objects;
    private @Nullable Hashing hashing;

    private Foreign(Class<?> type, Decoder from) {
        this.type = type;
        this.from = from;
        boolean keysAlone = type == HashSet.class || type.getName().equals(IMMUTABLE);
        this.every = keysAlone ? 1 : 2;
    }

    /// The table of objects of a class on this level; null: it makes none.
    public static @Nullable Foreign of(Class<?> level, Decoder from) {
        boolean known =
                level == HashMap.class
                        || level == HashSet.class
                        || level == Hashtable.class
                        || level == ConcurrentHashMap.class
                        || level.getName().equals(IMMUTABLE);
        return known ? new Foreign(level, from) : null;
    }

    /// Says which fields were read: where one class stands for several, the kind is one of them.
    public void fields(ObjectInputStream.GetField fields)
            throws IOException, ClassNotFoundException {
        if (type.getName().equals(IMMUTABLE)) {
            int kind = fields.get("tag", 0) & 0xFF;
            every = kind == SET ? 1 : kind == MAP ? 2 : 0;
        }
    }

    /// Says that a table or array is made.
    public void announced(int places) {
        length = places;
    }

    /// Charges what the object read last will cost there.
    public void read(@Nullable Object object) throws InvalidClassException {
        if (every > 0 && objects++ % every == 0) {
            var mine = hashing;
            if (mine == null) {
                mine = make();
                hashing = mine;
            }
            mine.key(object);
        }
    }

    private Hashing make() {
        if (length > 0 && type == Hashtable.class) {
            return new Chains(from, length);
        }
        if (length > 0 && type.getName().equals(IMMUTABLE)) {
            return new Probes(from, length / every);
        }
        return Trees.unseen(from);
    }

    /// What was charged for comparisons.
    public long compared() {
        return hashing == null ? 0 : hashing.compared();
    }
}
