package org.ibidem.serial.codec;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedList;
import org.ibidem.serial.wire.Build;
import org.ibidem.serial.wire.Codec;
import org.ibidem.serial.wire.Decoder;
import org.ibidem.serial.wire.Encoder;
import org.ibidem.serial.wire.Walk;
import org.jspecify.annotations.Nullable;

/// Collections whose elements are not hashed: their size, then the elements in their order.
@SuppressWarnings("NonApiType") // the very classes matter here
abstract class Lists<C extends Collection<@Nullable Object>> extends Builtin {
    /// Room that is made at once; more is made as elements come.
    static final int MOST_AT_ONCE = 1 << 12;

    private static final int REFERENCE = 4;

    private final boolean hashes;

    Lists(int tag, Class<?> type, boolean hashes) {
        super(tag, type, SHARED);
        this.hashes = hashes;
    }

    static @Nullable Codec of(int tag) {
        return switch (tag) {
            case 34 -> new OfArrayList();
            case 35 -> new OfLinkedList();
            case 36 -> new OfArrayDeque();
            default -> null;
        };
    }

    abstract C make(int size);

    @Override
    public final boolean hashesInside() {
        return hashes;
    }

    @Override
    @SuppressWarnings("unchecked")
    public void write(Encoder to, Object object, int depth) throws IOException {
        var all = (C) object;
        to.putCount(all.size());
        for (var element : all) {
            to.write(element, depth);
        }
    }

    private int size(Decoder from, int depth) throws IOException {
        int size = from.getCount();
        from.depth(depth);
        from.array(Object[].class, size, REFERENCE);
        from.count(size);
        return size;
    }

    @Override
    public final Object read(Decoder from, int depth) throws IOException, ClassNotFoundException {
        int size = size(from, depth);
        var all = make(Math.min(size, MOST_AT_ONCE));
        int handle = from.begin(all);
        long cost = size;
        int done = from.shortTexts(all, size);
        while (done < size) {
            from.cost(0);
            all.add(from.readOther(depth));
            cost = Decoder.sum(cost, from.cost());
            done++;
            done += from.shortTexts(all, size - done);
        }
        from.complete(handle, hashes ? cost : 0);
        return all;
    }

    @Override
    @SuppressWarnings("unchecked")
    public final Walk walk(Encoder to, Object object) throws IOException {
        var all = (C) object;
        to.putCount(all.size());
        return new Elements(all.iterator());
    }

    @Override
    public final Build build(Decoder from) throws IOException {
        int size = size(from, from.deep());
        var all = make(Math.min(size, MOST_AT_ONCE));
        int handle = from.begin(all);
        return new Build() {
            private int left = size;
            private long cost = size;

            @Override
            public boolean more() {
                return left > 0;
            }

            @Override
            public void take(@Nullable Object reference) {
                left--;
                cost = Decoder.sum(cost, from.cost());
                all.add(reference);
            }

            @Override
            public Object finish() {
                from.complete(handle, hashes ? cost : 0);
                return all;
            }
        };
    }

    private static final class OfArrayList extends Lists<ArrayList<@Nullable Object>> {
        OfArrayList() {
            super(34, ArrayList.class, true);
        }

        @Override
        ArrayList<@Nullable Object> make(int size) {
            return new ArrayList<>(size);
        }

        @Override
        @SuppressWarnings("unchecked")
        public int put(Encoder to, Object object, int depth, int at) throws IOException {
            var all = (ArrayList<@Nullable Object>) object;
            int size = all.size();
            int here = to.putCount(size, at);
            for (int i = 0; i < size; i++) {
                var element = all.get(i);
                here =
                        element instanceof String text
                                ? to.putText(text, here)
                                : to.write(element, depth, here);
            }
            return here;
        }
    }

    private static final class OfLinkedList extends Lists<LinkedList<@Nullable Object>> {
        OfLinkedList() {
            super(35, LinkedList.class, true);
        }

        @Override
        LinkedList<@Nullable Object> make(int size) {
            return new LinkedList<>();
        }
    }

    /// Its elements are never null, and `add` says so.
    private static final class OfArrayDeque extends Lists<ArrayDeque<@Nullable Object>> {
        OfArrayDeque() {
            super(36, ArrayDeque.class, false);
        }

        @Override
        ArrayDeque<@Nullable Object> make(int size) {
            return new ArrayDeque<>(size);
        }
    }
}
