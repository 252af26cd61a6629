package org.ibidem.serial.codec;

import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.ibidem.serial.wire.Codec;
import org.ibidem.serial.wire.Decoder;
import org.ibidem.serial.wire.Encoder;
import org.jspecify.annotations.Nullable;

/// What `List.of`, `Set.of`, `Map.of` and `Stream.toList` make: their elements, from which the same
/// is made again.
abstract class Immutables extends Builtin {
    private static final int REFERENCE = 4;
    private static final Codec LIST = new OfList();
    private static final Codec SET = new OfSet();
    private static final Codec MAP = new OfMap();

    Immutables(int tag, Class<?> type) {
        super(tag, type, SHARED);
    }

    static List<Codec> all() {
        return List.of(LIST, SET, MAP);
    }

    /// Classes that share a codec with another.
    static Map<Class<?>, Codec> more() {
        return Map.of(
                List.of(1).getClass(), LIST,
                Set.of(1).getClass(), SET,
                Map.of(1, 1).getClass(), MAP);
    }

    @Override
    public final boolean hashesInside() {
        return true;
    }

    /// Writes how many elements there are, and the elements.
    static void write(Encoder to, Collection<? extends @Nullable Object> all, int depth)
            throws IOException {
        to.putCount(all.size());
        for (var element : all) {
            to.write(element, depth);
        }
    }

    /// Makes the collection of its elements.
    ///
    /// @param head what was in front of them
    abstract Object make(int head, @Nullable Object[] elements);

    /// Reads what is in front of the elements.
    int head(Decoder from) throws IOException {
        return 0;
    }

    /// Of how many elements each counts as a key.
    abstract int keys();

    @Override
    public final Object read(Decoder from, int depth) throws IOException, ClassNotFoundException {
        int handle = from.register(null);
        int head = head(from);
        int count = from.getCount();
        from.depth(depth);
        from.array(Object[].class, count, REFERENCE);
        from.count(count);
        var elements = new @Nullable Object[count];
        var hashing = new Hashing(from);
        long cost = count;
        for (int i = 0; i < count; i++) {
            from.cost(0);
            elements[i] = from.read(depth);
            if (keys() > 0 && i % keys() == 0) {
                hashing.key(elements[i]);
            }
            cost = Decoder.sum(cost, from.cost());
        }
        var made = make(from, head, elements);
        from.replace(handle, made);
        from.cost(handle, cost);
        return made;
    }

    private Object make(Decoder from, int head, @Nullable Object[] elements) throws IOException {
        try {
            return make(head, elements);
        } catch (IllegalArgumentException | NullPointerException | IndexOutOfBoundsException e) {
            throw (IOException) from.invalid("impossible elements: " + e.getMessage()).initCause(e);
        }
    }

    private static final class OfList extends Immutables {
        OfList() {
            super(45, List.of().getClass());
        }

        /// Only a list that takes nulls is copied by `copyOf`, or refused.
        @SuppressWarnings("ReferenceEquality") // whether it was copied
        private static boolean takesNulls(List<?> list) {
            try {
                return List.copyOf(list) != list;
            } catch (NullPointerException _) {
                return true;
            }
        }

        @Override
        public void write(Encoder to, Object object, int depth) throws IOException {
            var list = (List<?>) object;
            to.putByte(takesNulls(list) ? 1 : 0);
            write(to, list, depth);
        }

        @Override
        int head(Decoder from) throws IOException {
            return from.getByte();
        }

        @Override
        Object make(int head, @Nullable Object[] elements) {
            return head == 0 ? List.of(elements) : Arrays.stream(elements).toList();
        }

        @Override
        int keys() {
            return 0;
        }
    }

    private static final class OfSet extends Immutables {
        OfSet() {
            super(46, Set.of().getClass());
        }

        @Override
        public void write(Encoder to, Object object, int depth) throws IOException {
            write(to, (Set<?>) object, depth);
        }

        @Override
        Object make(int head, @Nullable Object[] elements) {
            return Set.of(elements);
        }

        @Override
        int keys() {
            return 1;
        }
    }

    /// Its elements are keys and values by turns.
    private static final class OfMap extends Immutables {
        OfMap() {
            super(47, Map.of().getClass());
        }

        @Override
        public void write(Encoder to, Object object, int depth) throws IOException {
            var map = (Map<?, ?>) object;
            to.putCount(2 * map.size());
            for (var entry : map.entrySet()) {
                to.write(entry.getKey(), depth);
                to.write(entry.getValue(), depth);
            }
        }

        @Override
        Object make(int head, @Nullable Object[] elements) {
            var entries = new Map.Entry<?, ?>[elements.length / 2];
            for (int i = 0; i < entries.length; i++) {
                entries[i] = Map.entry(elements[2 * i], elements[2 * i + 1]);
            }
            return Map.ofEntries(entries);
        }

        @Override
        int keys() {
            return 2;
        }
    }
}
