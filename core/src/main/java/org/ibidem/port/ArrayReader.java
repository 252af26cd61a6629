package org.ibidem.port;

import java.lang.foreign.ValueLayout;
import java.lang.reflect.Array;
import org.ibidem.buffer.Run;

/// Reads an array that was written as such where an object is asked for. Memory is taken as its
/// elements arrive, not as its length says.
final class ArrayReader {
    private static final int FIRST = 64 << 10;
    private static final int LONGEST = Integer.MAX_VALUE - 8;

    private ArrayReader() {}

    static Object read(ReadMessage message, int kind) {
        long length = message.array(kind);
        if (length > LONGEST) {
            throw new ReadMismatch(
                    "an array of " + length + " elements is too large to be read as an object");
        }
        int all = (int) length;
        var array = Array.newInstance(type(kind), Math.min(all, FIRST));
        for (int done = 0; done < all; ) {
            int room = Array.getLength(array);
            if (done == room) {
                room = (int) Math.min(all, 2L * done);
                var larger = Array.newInstance(type(kind), room);
                System.arraycopy(array, 0, larger, 0, done);
                array = larger;
            }
            fill(message, kind, array, done, room - done);
            done = room;
        }
        return array;
    }

    private static void fill(ReadMessage message, int kind, Object array, int offset, int count) {
        if (array instanceof boolean[] booleans) {
            message.readArray(booleans, offset, count);
        } else {
            message.elements(array, offset, count, kind & ~Run.ARRAY);
        }
    }

    private static Class<?> type(int kind) {
        return kind == (Run.ARRAY | Run.BOOLEAN) ? boolean.class : layout(kind).carrier();
    }

    private static ValueLayout layout(int kind) {
        return switch (kind & ~Run.ARRAY) {
            case Run.BYTE -> Layouts.BYTE;
            case Run.CHAR -> Layouts.CHAR;
            case Run.SHORT -> Layouts.SHORT;
            case Run.INT -> Layouts.INT;
            case Run.FLOAT -> Layouts.FLOAT;
            case Run.LONG -> Layouts.LONG;
            case Run.DOUBLE -> Layouts.DOUBLE;
            default -> throw new IllegalArgumentException("no array of kind " + kind);
        };
    }
}
