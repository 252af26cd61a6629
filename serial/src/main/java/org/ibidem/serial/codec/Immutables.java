package org.ibidem.serial.codec;

import java.io.IOException;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.ibidem.serial.table.Hashing;
import org.ibidem.serial.table.Probes;
import org.ibidem.serial.wire.Build;
import org.ibidem.serial.wire.Codec;
import org.ibidem.serial.wire.Decoder;
import org.ibidem.serial.wire.Encoder;
import org.ibidem.serial.wire.Walk;
import org.jspecify.annotations.Nullable;

/// What `List.of`, `Set.of`, `Map.of` and `Stream.toList` make: their elements, from which the same
/// is made again.
abstract class Immutables extends Builtin {
    private static final int REFERENCE = 4;
    private static final int LIST = 45;
    private static final int SET = 46;
    private static final int MAP = 47;

    Immutables(int tag, Class<?> type) {
        super(tag, type, SHARED);
    }

    static @Nullable Codec of(int tag) {
        return switch (tag) {
            case LIST -> new OfList();
            case SET -> new OfSet();
            case MAP -> new OfMap();
            default -> null;
        };
    }

    /// The tag of a class of `java.util`; 0: it is none of these. The JDK has two classes of each.
    static int tag(String name) {
        if (!name.startsWith("java.util.ImmutableCollections")) {
            return 0;
        }
        if (name.equals(List.of().getClass().getName())
                || name.equals(List.of(1).getClass().getName())) {
            return LIST;
        }
        if (name.equals(Set.of().getClass().getName())
                || name.equals(Set.of(1).getClass().getName())) {
            return SET;
        }
        boolean map =
                name.equals(Map.of().getClass().getName())
                        || name.equals(Map.of(1, 1).getClass().getName());
        return map ? MAP : 0;
    }

    @Override
    public final boolean hashesInside() {
        return true;
    }

    /// Writes what is in front of the elements, and how many there are.
    abstract void begin(Encoder to, Object object) throws IOException;

    /// The elements.
    abstract Iterator<?> elements(Object object);

    @Override
    public final void write(Encoder to, Object object, int depth) throws IOException {
        begin(to, object);
        for (var left = elements(object); left.hasNext(); ) {
            to.write(left.next(), depth);
        }
    }

    @Override
    public final Walk walk(Encoder to, Object object) throws IOException {
        begin(to, object);
        return new Elements(elements(object));
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

    /// Whether an element may be null.
    boolean takesNulls(int head) {
        return false;
    }

    @Override
    public final Object read(Decoder from, int depth) throws IOException, ClassNotFoundException {
        var making = new Making(from, depth);
        while (making.more()) {
            from.cost(0);
            making.take(from.read(depth));
        }
        return making.finish();
    }

    @Override
    public final Build build(Decoder from) throws IOException {
        return new Making(from, from.deep());
    }

    /// One that is being read. Who is part of it and names it gets nothing, as with a record.
    private final class Making implements Build {
        private final Decoder from;
        private final int handle;
        private final int head;
        private final @Nullable Object[] elements;
        private final Hashing hashing;
        private int next;
        private long cost;

        Making(Decoder from, int depth) throws IOException {
            this.from = from;
            handle = from.register(null);
            head = head(from);
            int count = from.getCount();
            from.depth(depth);
            from.array(Object[].class, count, REFERENCE);
            if (keys() > 0 && count > Integer.MAX_VALUE / 2) {
                throw from.corrupt("a table for " + count + " elements, which no JVM makes");
            }
            if (keys() > 0 && count % keys() > 0) {
                throw from.corrupt("a key without a value");
            }
            from.count(count);
            elements = new @Nullable Object[count];
            hashing = keys() == 0 ? Hashing.none(from) : new Probes(from, count / keys());
            cost = count;
        }

        @Override
        public boolean more() {
            return next < elements.length;
        }

        @Override
        public void take(@Nullable Object reference) throws IOException {
            if (reference == null && !takesNulls(head)) {
                throw from.invalid("impossible elements: null, in a collection that takes none");
            }
            if (keys() > 0 && next % keys() == 0) {
                hashing.key(reference);
            }
            elements[next++] = reference;
            cost = Decoder.sum(cost, from.cost());
        }

        @Override
        public Object finish() throws IOException {
            var made = make(from, head, elements);
            from.replace(handle, made);
            from.cost(handle, Decoder.sum(cost, hashing.compared()));
            return made;
        }
    }

    private Object make(Decoder from, int head, @Nullable Object[] elements) throws IOException {
        try {
            return make(head, elements);
        } catch (IllegalArgumentException e) { // two are equal
            throw (IOException) from.invalid("impossible elements: " + e.getMessage()).initCause(e);
        }
    }

    private static final class OfList extends Immutables {
        OfList() {
            super(LIST, List.of().getClass());
        }

        /// One that has a null takes them; of the others `copyOf` copies only one that does.
        @SuppressWarnings("ReferenceEquality") // whether it was copied
        private static boolean takesNulls(List<?> list) {
            for (var element : list) {
                if (element == null) {
                    return true;
                }
            }
            return List.copyOf(list) != list;
        }

        @Override
        boolean takesNulls(int head) {
            return head != 0;
        }

        @Override
        void begin(Encoder to, Object object) throws IOException {
            var list = (List<?>) object;
            to.putByte(takesNulls(list) ? 1 : 0);
            to.putCount(list.size());
        }

        @Override
        Iterator<?> elements(Object object) {
            return ((List<?>) object).iterator();
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
            super(SET, Set.of().getClass());
        }

        @Override
        void begin(Encoder to, Object object) throws IOException {
            to.putCount(((Set<?>) object).size());
        }

        @Override
        Iterator<?> elements(Object object) {
            return ((Set<?>) object).iterator();
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
            super(MAP, Map.of().getClass());
        }

        @Override
        void begin(Encoder to, Object object) throws IOException {
            to.putCount(2 * ((Map<?, ?>) object).size());
        }

        @Override
        Iterator<?> elements(Object object) {
            return ((Map<?, ?>) object)
                    .entrySet().stream()
                            .<Object>mapMulti((entry, taker) -> {
                                taker.accept(entry.getKey());
                                taker.accept(entry.getValue());
                            })
                            .iterator();
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
