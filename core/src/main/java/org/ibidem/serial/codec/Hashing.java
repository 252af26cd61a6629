package org.ibidem.serial.codec;

import java.io.InvalidClassException;
import java.util.HashMap;
import java.util.Map;
import org.ibidem.serial.wire.Decoder;
import org.jspecify.annotations.Nullable;

/// What it costs to put keys into one table. See [Decoder#cost(long)].
final class Hashing {
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

    private final Decoder from;
    private @Nullable Map<Integer, Integer> hashes;

    Hashing(Decoder from) {
        this.from = from;
    }

    /// Charges what putting this key, which was read last, will take.
    void key(@Nullable Object key) throws InvalidClassException {
        if (key instanceof String || key == null) {
            return;
        }
        long cost = Decoder.sum(from.cost(), 1);
        from.work(cost);
        if (!(key instanceof Comparable<?>) && OWN_HASH.get(key.getClass())) {
            collisions(key, cost);
        }
    }

    /// Keys of one hash that cannot be ordered are compared with each other, one by one.
    private void collisions(Object key, long cost) throws InvalidClassException {
        var seen = hashes;
        if (seen == null) {
            seen = new HashMap<>();
            hashes = seen;
        }
        from.work(cost);
        int before = seen.merge(key.hashCode(), 1, Integer::sum) - 1;
        if (before > 0) {
            from.work(before * Math.min(cost, Integer.MAX_VALUE));
        }
    }
}
