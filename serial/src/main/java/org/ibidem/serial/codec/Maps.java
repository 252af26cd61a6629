package org.ibidem.serial.codec;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.ibidem.serial.table.Hashing;
import org.ibidem.serial.table.Sorted;
import org.ibidem.serial.table.Trees;
import org.ibidem.serial.wire.Build;
import org.ibidem.serial.wire.Codec;
import org.ibidem.serial.wire.Decoder;
import org.ibidem.serial.wire.Encoder;
import org.ibidem.serial.wire.Walk;
import org.jspecify.annotations.Nullable;

/// Maps: what is peculiar to the kind, their size, then keys and values by turns.
@SuppressWarnings("NonApiType") // the very classes matter here
abstract class Maps<M extends Map<@Nullable Object, @Nullable Object>> extends Builtin {
    private static final int ENTRY = 16;

    Maps(int tag, Class<?> type) {
        super(tag, type, SHARED);
    }

    static @Nullable Codec of(int tag) {
        return switch (tag) {
            case 37 -> new OfHashMap();
            case 38 -> new OfLinkedHashMap();
            case 39 -> new OfTreeMap();
            case 40 -> new OfConcurrentHashMap();
            case 41 -> new OfEnumMap();
            default -> null;
        };
    }

    /// Writes what is peculiar to the map.
    void writeHead(Encoder to, M map, int depth) throws IOException {
        // nothing
    }

    /// Its entries; a map that others may change gives a copy.
    Collection<? extends Map.Entry<@Nullable Object, @Nullable Object>> entries(M map) {
        return map.entrySet();
    }

    /// Reads it and makes an empty map.
    abstract M make(Decoder from, int size, int depth) throws IOException, ClassNotFoundException;

    /// What it takes to put keys into it.
    ///
    /// @param head what it costs to hash what is peculiar to the map
    Hashing hashing(Decoder from, M map, long head) {
        return Trees.over(from, map.keySet());
    }

    @Override
    public final boolean hashesInside() {
        return true;
    }

    @Override
    @SuppressWarnings("unchecked")
    public void write(Encoder to, Object object, int depth) throws IOException {
        var map = (M) object;
        var entries = entries(map);
        to.putCount(entries.size());
        writeHead(to, map, depth);
        for (var entry : entries) {
            to.write(entry.getKey(), depth);
            to.write(entry.getValue(), depth);
        }
    }

    private M begin(Decoder from, int size, int depth) throws IOException, ClassNotFoundException {
        from.depth(depth);
        from.array(Map.Entry[].class, size, ENTRY);
        from.count(size);
        from.count(size);
        from.cost(0);
        return make(from, Math.min(size, Lists.MOST_AT_ONCE), depth);
    }

    @Override
    public Object read(Decoder from, int depth) throws IOException, ClassNotFoundException {
        int size = from.getCount();
        int handle = from.begin(null);
        var map = begin(from, size, depth);
        long head = from.cost();
        from.replace(handle, map);
        @Nullable Hashing hashing = null; // strings need none
        long cost = size;
        for (int i = from.shortTexts(map, size); i < size; i++) {
            Object key = from.shortText();
            if (key == null) {
                from.cost(0);
                key = from.readOther(depth);
                hashing = hashing == null ? hashing(from, map, head) : hashing;
                hashing.key(key);
                cost = Decoder.sum(cost, from.cost());
            } else if (hashing != null) {
                hashing.text((String) key);
            }
            Object value = from.shortText();
            if (value == null) {
                from.cost(0);
                value = from.readOther(depth);
                cost = Decoder.sum(cost, from.cost());
            }
            map.put(key, value);
        }
        from.complete(handle, hashing == null ? cost : Decoder.sum(cost, hashing.compared()));
        return map;
    }

    @Override
    @SuppressWarnings("unchecked")
    public final Walk walk(Encoder to, Object object) throws IOException {
        var map = (M) object;
        var entries = entries(map);
        to.putCount(entries.size());
        writeHead(to, map, Encoder.DEEP);
        return new Entries(entries.iterator());
    }

    private static final class Entries implements Walk {
        private final Iterator<? extends Map.Entry<?, ?>> left;
        private Map.@Nullable Entry<?, ?> entry;

        Entries(Iterator<? extends Map.Entry<?, ?>> left) {
            this.left = left;
        }

        @Override
        public boolean more() {
            return entry != null || left.hasNext();
        }

        @Override
        public @Nullable Object next() {
            var half = entry;
            if (half != null) {
                entry = null;
                return half.getValue();
            }
            var next = left.next();
            entry = next;
            return next.getKey();
        }
    }

    @Override
    public final Build build(Decoder from) throws IOException, ClassNotFoundException {
        int size = from.getCount();
        int handle = from.begin(null);
        var map = begin(from, size, from.deep());
        var hashing = hashing(from, map, from.cost());
        from.replace(handle, map);
        return new Build() {
            private long left = 2L * size;
            private long cost = size;
            private @Nullable Object key;

            @Override
            public boolean more() {
                return left > 0;
            }

            @Override
            public void take(@Nullable Object reference) throws IOException {
                cost = Decoder.sum(cost, from.cost());
                if (left-- % 2 == 0) {
                    hashing.key(reference);
                    key = reference;
                } else {
                    map.put(key, reference);
                }
            }

            @Override
            public Object finish() {
                from.complete(handle, Decoder.sum(cost, hashing.compared()));
                return map;
            }
        };
    }

    private static final class OfHashMap extends Maps<HashMap<@Nullable Object, @Nullable Object>> {
        OfHashMap() {
            super(37, HashMap.class);
        }

        @Override
        HashMap<@Nullable Object, @Nullable Object> make(Decoder from, int size, int depth) {
            return new HashMap<>((4 * size + 2) / 3); // as newHashMap, which divides doubles
        }

        @Override
        @SuppressWarnings("unchecked")
        public int put(Encoder to, Object object, int depth, int at) throws IOException {
            var map = (HashMap<@Nullable Object, @Nullable Object>) object;
            int here = to.putCount(map.size(), at);
            for (var entry : map.entrySet()) {
                var key = entry.getKey();
                here =
                        key instanceof String text
                                ? to.putText(text, here)
                                : to.write(key, depth, here);
                var value = entry.getValue();
                here =
                        value instanceof String text
                                ? to.putText(text, here)
                                : to.write(value, depth, here);
            }
            return here;
        }
    }

    /// Whether it keeps the order of its last use is not to be asked; the JDK tells serializers.
    private static final class OfLinkedHashMap
            extends Maps<LinkedHashMap<@Nullable Object, @Nullable Object>> {
        private static final float USUAL_LOAD = 0.75f;

        /// Found when the first one is written.
        private static final class Order {
            private static final @Nullable Peek PEEK = Peek.into(LinkedHashMap.class);
        }

        OfLinkedHashMap() {
            super(38, LinkedHashMap.class);
        }

        @Override
        void writeHead(Encoder to, LinkedHashMap<@Nullable Object, @Nullable Object> map, int depth)
                throws IOException {
            var peek = Order.PEEK;
            boolean byUse = peek != null && Boolean.TRUE.equals(peek.field(to, map, "accessOrder"));
            to.putByte(byUse ? 1 : 0);
        }

        @Override
        LinkedHashMap<@Nullable Object, @Nullable Object> make(Decoder from, int size, int depth)
                throws IOException {
            boolean byUse = from.getByte() != 0;
            return byUse
                    ? new LinkedHashMap<>((int) (size / USUAL_LOAD) + 1, USUAL_LOAD, true)
                    : LinkedHashMap.newLinkedHashMap(size);
        }
    }

    private static final class OfTreeMap extends Maps<TreeMap<@Nullable Object, @Nullable Object>> {
        OfTreeMap() {
            super(39, TreeMap.class);
        }

        @Override
        void writeHead(Encoder to, TreeMap<@Nullable Object, @Nullable Object> map, int depth)
                throws IOException {
            to.write(map.comparator(), depth);
        }

        @Override
        TreeMap<@Nullable Object, @Nullable Object> make(Decoder from, int size, int depth)
                throws IOException, ClassNotFoundException {
            return new TreeMap<>(comparator(from, depth));
        }

        @Override
        Hashing hashing(Decoder from, TreeMap<@Nullable Object, @Nullable Object> map, long head) {
            return new Sorted(from, head);
        }
    }

    /// Reads the comparator of a sorted collection.
    @SuppressWarnings("unchecked")
    static @Nullable Comparator<@Nullable Object> comparator(Decoder from, int depth)
            throws IOException, ClassNotFoundException {
        from.count(1);
        var comparator = from.read(depth);
        if (comparator != null && !(comparator instanceof Comparator<?>)) {
            throw new ClassCastException(comparator.getClass() + " where a comparator should be");
        }
        return (Comparator<@Nullable Object>) comparator;
    }

    private static final class OfConcurrentHashMap
            extends Maps<ConcurrentHashMap<@Nullable Object, @Nullable Object>> {
        OfConcurrentHashMap() {
            super(40, ConcurrentHashMap.class);
        }

        @Override
        Collection<? extends Map.Entry<@Nullable Object, @Nullable Object>> entries(
                ConcurrentHashMap<@Nullable Object, @Nullable Object> map) {
            return new ArrayList<>(map.entrySet());
        }

        @Override
        ConcurrentHashMap<@Nullable Object, @Nullable Object> make(
                Decoder from, int size, int depth) {
            return new ConcurrentHashMap<>(size);
        }
    }

    /// Its class of keys is not to be asked where it is empty; the JDK tells serializers.
    private static final class OfEnumMap extends Maps<Map<@Nullable Object, @Nullable Object>> {
        /// Found when the first one is written.
        private static final class KeyType {
            private static final @Nullable Peek PEEK = Peek.into(EnumMap.class);
        }

        OfEnumMap() {
            super(41, EnumMap.class);
        }

        @Override
        void writeHead(Encoder to, Map<@Nullable Object, @Nullable Object> map, int depth)
                throws IOException {
            var peek = KeyType.PEEK;
            if (peek == null) {
                throw new java.io.NotSerializableException("java.util.EnumMap on this JDK");
            }
            to.write(peek.field(to, map, "keyType"), depth);
        }

        @Override
        @SuppressWarnings({"unchecked", "rawtypes"}) // an EnumMap checks its keys itself
        Map<@Nullable Object, @Nullable Object> make(Decoder from, int size, int depth)
                throws IOException, ClassNotFoundException {
            from.count(1);
            if (!(from.read(depth) instanceof Class<?> keys) || !keys.isEnum()) {
                throw from.corrupt("the keys of an EnumMap are of no enum");
            }
            return new EnumMap(keys);
        }

        @Override
        Hashing hashing(Decoder from, Map<@Nullable Object, @Nullable Object> map, long head) {
            return Hashing.none(from);
        }
    }
}
