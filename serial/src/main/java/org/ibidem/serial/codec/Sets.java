package org.ibidem.serial.codec;

import java.io.IOException;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.TreeSet;
import org.ibidem.serial.table.Hashing;
import org.ibidem.serial.table.Sorted;
import org.ibidem.serial.table.Trees;
import org.ibidem.serial.wire.Build;
import org.ibidem.serial.wire.Codec;
import org.ibidem.serial.wire.Decoder;
import org.ibidem.serial.wire.Encoder;
import org.ibidem.serial.wire.Walk;
import org.jspecify.annotations.Nullable;

/// Sets: their size, what is peculiar to the kind, then the elements.
@SuppressWarnings("NonApiType") // the very classes matter here
abstract class Sets<S extends Set<@Nullable Object>> extends Builtin {
    private static final int ENTRY = 16;

    Sets(int tag, Class<?> type) {
        super(tag, type, SHARED);
    }

    static @Nullable Codec of(int tag) {
        return switch (tag) {
            case 42 -> new OfHashSet();
            case 43 -> new OfLinkedHashSet();
            case 44 -> new OfTreeSet();
            default -> null;
        };
    }

    /// Writes what is peculiar to the set.
    void writeHead(Encoder to, S set, int depth) throws IOException {
        // nothing
    }

    /// Reads it and makes an empty set.
    abstract S make(Decoder from, int size, int depth) throws IOException, ClassNotFoundException;

    /// What it takes to put elements into it.
    ///
    /// @param head what it costs to hash what is peculiar to the set
    Hashing hashing(Decoder from, S set, long head) {
        return Trees.over(from, set);
    }

    @Override
    public final boolean hashesInside() {
        return true;
    }

    @Override
    @SuppressWarnings("unchecked")
    public final void write(Encoder to, Object object, int depth) throws IOException {
        var set = (S) object;
        to.putCount(set.size());
        writeHead(to, set, depth);
        for (var element : set) {
            to.write(element, depth);
        }
    }

    private S begin(Decoder from, int size, int depth) throws IOException, ClassNotFoundException {
        from.depth(depth);
        from.array(java.util.Map.Entry[].class, size, ENTRY);
        from.count(size);
        from.cost(0);
        return make(from, Math.min(size, Lists.MOST_AT_ONCE), depth);
    }

    @Override
    public final Object read(Decoder from, int depth) throws IOException, ClassNotFoundException {
        int size = from.getCount();
        int handle = from.begin(null);
        var set = begin(from, size, depth);
        long head = from.cost();
        from.replace(handle, set);
        @Nullable Hashing hashing = null; // strings need none
        long cost = size;
        for (int i = 0; i < size; i++) {
            Object element = from.shortText();
            if (element == null) {
                from.cost(0);
                element = from.read(depth);
                hashing = hashing == null ? hashing(from, set, head) : hashing;
                hashing.key(element);
                cost = Decoder.sum(cost, from.cost());
            } else if (hashing != null) {
                hashing.text((String) element);
            }
            set.add(element);
        }
        from.complete(handle, hashing == null ? cost : Decoder.sum(cost, hashing.compared()));
        return set;
    }

    @Override
    @SuppressWarnings("unchecked")
    public final Walk walk(Encoder to, Object object) throws IOException {
        var set = (S) object;
        to.putCount(set.size());
        writeHead(to, set, Encoder.DEEP);
        return new Elements(set.iterator());
    }

    @Override
    public final Build build(Decoder from) throws IOException, ClassNotFoundException {
        int size = from.getCount();
        int handle = from.begin(null);
        var set = begin(from, size, from.deep());
        var hashing = hashing(from, set, from.cost());
        from.replace(handle, set);
        return new Build() {
            private int left = size;
            private long cost = size;

            @Override
            public boolean more() {
                return left > 0;
            }

            @Override
            public void take(@Nullable Object reference) throws IOException {
                left--;
                cost = Decoder.sum(cost, from.cost());
                hashing.key(reference);
                set.add(reference);
            }

            @Override
            public Object finish() {
                from.complete(handle, Decoder.sum(cost, hashing.compared()));
                return set;
            }
        };
    }

    private static final class OfHashSet extends Sets<HashSet<@Nullable Object>> {
        OfHashSet() {
            super(42, HashSet.class);
        }

        @Override
        HashSet<@Nullable Object> make(Decoder from, int size, int depth) {
            return new HashSet<>((4 * size + 2) / 3); // as newHashSet, which divides doubles
        }
    }

    private static final class OfLinkedHashSet extends Sets<LinkedHashSet<@Nullable Object>> {
        OfLinkedHashSet() {
            super(43, LinkedHashSet.class);
        }

        @Override
        LinkedHashSet<@Nullable Object> make(Decoder from, int size, int depth) {
            return LinkedHashSet.newLinkedHashSet(size);
        }
    }

    private static final class OfTreeSet extends Sets<TreeSet<@Nullable Object>> {
        OfTreeSet() {
            super(44, TreeSet.class);
        }

        @Override
        void writeHead(Encoder to, TreeSet<@Nullable Object> set, int depth) throws IOException {
            to.write(set.comparator(), depth);
        }

        @Override
        TreeSet<@Nullable Object> make(Decoder from, int size, int depth)
                throws IOException, ClassNotFoundException {
            return new TreeSet<>(Maps.comparator(from, depth));
        }

        @Override
        Hashing hashing(Decoder from, TreeSet<@Nullable Object> set, long head) {
            return new Sorted(from, head);
        }
    }
}
