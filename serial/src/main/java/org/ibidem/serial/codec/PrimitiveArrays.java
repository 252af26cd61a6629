package org.ibidem.serial.codec;

import java.io.IOException;
import java.util.List;
import org.ibidem.serial.wire.Codec;
import org.ibidem.serial.wire.Decoder;
import org.ibidem.serial.wire.Encoder;
import org.ibidem.serial.wire.PrimitiveArray;

/// Arrays of primitives: their length, then their elements as they lie in memory.
final class PrimitiveArrays {
    private static final int FIRST_TAG = 24;
    private static final int BOOLEANS_TAG = 31;
    private static final int PIECE = 1024;

    private PrimitiveArrays() {}

    static Codec of(int tag) {
        return tag == BOOLEANS_TAG
                ? new Booleans()
                : new Copied(tag, List.of(PrimitiveArray.values()).get(tag - FIRST_TAG));
    }

    private static final class Copied extends Builtin {
        private final PrimitiveArray kind;

        Copied(int tag, PrimitiveArray kind) {
            super(tag, kind.type(), SHARED);
            this.kind = kind;
        }

        @Override
        public void write(Encoder to, Object object, int depth) throws IOException {
            int length = kind.length(object);
            to.putCount(length);
            to.putArray(kind, object, length);
        }

        @Override
        public Object read(Decoder from, int depth) throws IOException {
            int length = from.getCount();
            from.depth(depth);
            from.array(type, length, kind.size());
            var array = kind.make(length);
            int handle = from.register(array);
            from.getArray(kind, array, length);
            from.cost(handle, Decoder.costOfArray((long) length * kind.size()));
            return array;
        }
    }

    private static final class Booleans extends Builtin {
        Booleans() {
            super(BOOLEANS_TAG, boolean[].class, SHARED);
        }

        @Override
        public void write(Encoder to, Object object, int depth) throws IOException {
            var array = (boolean[]) object;
            to.putCount(array.length);
            for (int some, done = 0; done < array.length; done += some) {
                some = Math.min(array.length - done, PIECE);
                int at = to.room(some);
                var page = to.page();
                for (int i = 0; i < some; i++) {
                    page[at + i] = (byte) (array[done + i] ? 1 : 0);
                }
                to.filled(at + some);
            }
        }

        @Override
        public Object read(Decoder from, int depth) throws IOException {
            int length = from.getCount();
            from.depth(depth);
            from.array(boolean[].class, length, 1);
            var array = new boolean[length];
            int handle = from.register(array);
            for (int some, done = 0; done < length; done += some) {
                some = Math.min(length - done, PIECE);
                int at = from.need(some);
                var page = from.page();
                for (int i = 0; i < some; i++) {
                    array[done + i] = page[at + i] != 0;
                }
                from.taken(at + some);
            }
            from.cost(handle, Decoder.costOfArray(length));
            return array;
        }
    }
}
