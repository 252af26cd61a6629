package org.ibidem.serial.table;

import java.io.InvalidClassException;
import java.math.BigInteger;
import org.ibidem.serial.wire.Decoder;
import org.jspecify.annotations.Nullable;

/// What it takes to put keys into one table, charged before it is done. See [Decoder#cost(long)].
public abstract class Hashing {
    /// Steps for one comparison with a key that was put before: it lies elsewhere in memory.
    private static final int COMPARING = 2;

    /// A key of at most so many steps costs about the same in any table.
    static final int FREE = 16;

    /// So that products of it do not overflow.
    private static final int MOST_COST = 1 << 28;

    private static final ClassValue<Boolean> OWN_HASH =
            new ClassValue<>() {
                @Override
                protected Boolean computeValue(Class<?> type) {
                    try {
                        return type.getMethod("hashCode").getDeclaringClass() != Object.class;
                    } catch (NoSuchMethodException e) {
                        throw new IllegalStateException(e);
                    }
                }
            };

    final Decoder from;
    private long compared;

    Hashing(Decoder from) {
        this.from = from;
    }

    /// A table that neither hashes nor compares: `EnumMap`.
    public static Hashing none(Decoder from) {
        return new Hashing(from) {
            @Override
            void put(Object key, long cost) {
                // it has its place
            }

            @Override
            void collisions(Object key, long cost) {
                // it is not hashed
            }
        };
    }

    /// Charges what putting this key will take, which was read last.
    public final void key(@Nullable Object key) throws InvalidClassException {
        if (key != null) {
            long cost = Decoder.grows(from.cost()) ? Measure.of(key, from) : from.cost();
            put(key, Decoder.sum(cost, 1));
        }
    }

    /// As [#key], for a string that costs nothing to hash.
    public final void text(String key) throws InvalidClassException {
        put(key, 1);
    }

    /// Charges what it takes to hash a key, and the comparisons with others. Hashes that are
    /// identities cannot be chosen, and nothing inside is asked for its own.
    void put(Object key, long cost) throws InvalidClassException {
        boolean asks = !(key instanceof Enum<?>) && OWN_HASH.get(key.getClass());
        if (!(key instanceof String)) {
            from.work(asks ? cost : 1);
        }
        if (asks) {
            collisions(key, cost);
        }
    }

    /// Whether what it takes to compare a key is in proportion to the bytes that came for it.
    final boolean isNew(Object key) {
        return !from.isAgain() && (key instanceof String || key instanceof BigInteger);
    }

    /// Charges the comparisons with keys that were put before.
    abstract void collisions(Object key, long cost) throws InvalidClassException;

    /// Charges so many comparisons with a key of this cost.
    final void compare(long times, long cost) throws InvalidClassException {
        if (times > 0) {
            long steps = times * COMPARING * Math.min(cost, MOST_COST);
            from.work(steps);
            compared = Decoder.sum(compared, steps);
        }
    }

    /// What was charged for comparisons: whoever compares the table with another does them again.
    public final long compared() {
        return compared;
    }
}
