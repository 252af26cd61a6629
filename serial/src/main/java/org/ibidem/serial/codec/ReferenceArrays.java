package org.ibidem.serial.codec;

import java.io.IOException;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.List;
import org.ibidem.serial.wire.Build;
import org.ibidem.serial.wire.Codec;
import org.ibidem.serial.wire.Decoder;
import org.ibidem.serial.wire.Description;
import org.ibidem.serial.wire.Encoder;
import org.ibidem.serial.wire.Walk;
import org.jspecify.annotations.Nullable;

/// Arrays of references of one type: their length, then the references. An array does not ask what
/// is in it for its hash, but the collection that it belongs to may.
final class ReferenceArrays extends Codec {
    private static final int REFERENCE = 4;

    private final Class<?> component;

    ReferenceArrays(Class<?> type) {
        super(type, SHARED);
        this.component = type.getComponentType();
    }

    @Override
    public Description description() {
        return Description.of(Description.Kind.ARRAY, type.getName(), List.of());
    }

    @Override
    public void write(Encoder to, Object object, int depth) throws IOException {
        var array = (@Nullable Object[]) object;
        to.putCount(array.length);
        for (var element : array) {
            to.write(element, depth);
        }
    }

    @Override
    public Object read(Decoder from, int depth) throws IOException, ClassNotFoundException {
        var array = make(from, depth);
        int handle = from.begin(array);
        long cost = array.length;
        for (int i = 0; i < array.length; i++) {
            from.cost(0);
            array[i] = from.read(depth);
            cost = Decoder.sum(cost, from.cost());
        }
        from.complete(handle, cost);
        return array;
    }

    private @Nullable Object[] make(Decoder from, int depth) throws IOException {
        int length = from.getCount();
        from.depth(depth);
        from.array(type, length, REFERENCE);
        from.count(length);
        return (@Nullable Object[]) Array.newInstance(component, length);
    }

    @Override
    public Walk walk(Encoder to, Object object) throws IOException {
        var array = (@Nullable Object[]) object;
        to.putCount(array.length);
        return new Elements(Arrays.asList(array).iterator());
    }

    @Override
    public Build build(Decoder from) throws IOException {
        var array = make(from, from.deep());
        int handle = from.begin(array);
        return new Build() {
            private int next;
            private long cost = array.length;

            @Override
            public boolean more() {
                return next < array.length;
            }

            @Override
            public void take(@Nullable Object reference) {
                cost = Decoder.sum(cost, from.cost());
                array[next++] = reference;
            }

            @Override
            public Object finish() {
                from.complete(handle, cost);
                return array;
            }
        };
    }
}
