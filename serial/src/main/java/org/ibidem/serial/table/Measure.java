package org.ibidem.serial.table;

import java.io.InvalidClassException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.BitSet;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import org.ibidem.serial.wire.Decoder;
import org.jspecify.annotations.Nullable;

/// What it takes to hash a key, counted on the key itself: for one that holds a collection which is
/// still being read, and grows. Each step is charged before it is taken.
final class Measure {
    private static final Class<?> COPIES = Collections.nCopies(1, 1).getClass();

    private final Decoder from;
    private long steps;

    private Measure(Decoder from) {
        this.from = from;
    }

    static long of(Object key, Decoder from) throws InvalidClassException {
        var measure = new Measure(from);
        measure.visit(key);
        return measure.steps;
    }

    private void visit(@Nullable Object object) throws InvalidClassException {
        step(1);
        switch (object) {
            case null -> {} // it has no hash
            case String text -> step(Decoder.costOfArray(text.length()));
            case BigInteger number -> step(size(number));
            case BigDecimal number -> step(size(number.unscaledValue()));
            case BitSet bits -> step(Decoder.costOfArray(bits.size() / Byte.SIZE));
            case IdentityHashMap<?, ?> map -> step(map.size());
            case Map<?, ?> map -> {
                for (var entry : map.entrySet()) {
                    visit(entry.getKey());
                    visit(entry.getValue());
                }
            }
            case Map.Entry<?, ?> entry -> {
                visit(entry.getKey());
                visit(entry.getValue());
            }
            case List<?> list when list.getClass() == COPIES -> copies(list);
            case CopyOnWriteArraySet<?> set -> {
                step(Decoder.times(set.size(), set.size()) >> Foreign.BLOCK);
                elements(set);
            }
            case List<?> list -> elements(list);
            case Set<?> set -> elements(set);
            default -> {} // it asks nothing that grows
        }
    }

    private void elements(Iterable<?> all) throws InvalidClassException {
        for (var each : all) {
            visit(each);
        }
    }

    private void copies(List<?> list) throws InvalidClassException {
        long before = steps;
        visit(list.isEmpty() ? null : list.getFirst());
        step(Decoder.times(list.size(), steps - before));
    }

    private static long size(BigInteger number) {
        return Decoder.costOfNumber(number.bitLength() / Byte.SIZE);
    }

    private void step(long some) throws InvalidClassException {
        from.work(some);
        steps = Decoder.sum(steps, some);
    }
}
