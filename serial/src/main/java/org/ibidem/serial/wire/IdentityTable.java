package org.ibidem.serial.wire;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The objects of one message and their handles, by identity: open addressing, no allocation until
/// it grows.
///
/// The objects lie densely in the order of their handles, and the places of the table hold handles.
/// So little memory is touched, and the references a garbage collector has to hear of are stored
/// side by side.
///
/// Objects are found by identity hash. Strings are found by their content hash, which most carry
/// already while a fresh identity hash costs more than sending the string; so many equal strings
/// could crowd one place. After [#CROWD] steps a string is sought by identity hash instead. A crowd
/// never shrinks between two resets, so a search takes the same way as the insertion did.
@SuppressWarnings("ReferenceEquality") // that is what it is for
final class IdentityTable {
    private static final int FIRST = 64;

    /// Objects at most: twice as many places are as many as there can be.
    private static final int MOST = 1 << 29;

    private static final int CROWD = 16;
    private static final int SPREAD = 0x9E3779B9;
    private static final int HIGH = 16;

    /// Tables this much larger than what the last message needed are given up.
    private static final int WASTE = 16;

    /// One more than a handle, or 0; at most half of them are taken.
    private int[] places = new int[FIRST];

    /// By handle; null for what is never looked for. Half as long as `places`.
    private @Nullable Object[] objects = new @Nullable Object[FIRST >> 1];

    private int next;

    /// The handle of an object seen before, or -1: then it has got the next one.
    int put(Object object) {
        var all = places;
        int mask = all.length - 1;
        int i = System.identityHashCode(object) & mask;
        for (int place = all[i]; place != 0; place = all[i]) {
            if (objects[place - 1] == object) {
                return place - 1;
            }
            i = (i + 1) & mask;
        }
        return insert(i, object);
    }

    /// As [#put] for strings.
    int putText(String text) {
        var all = places;
        int i = spread(text.hashCode()) & (all.length - 1);
        int place = all[i];
        if (place == 0) {
            return insert(i, text);
        }
        return objects[place - 1] == text ? place - 1 : putFurther(text, i);
    }

    private int putFurther(String text, int first) {
        var all = places;
        int mask = all.length - 1;
        int i = first;
        for (int steps = 1; steps < CROWD; steps++) {
            i = (i + 1) & mask;
            int place = all[i];
            if (place == 0) {
                return insert(i, text);
            }
            if (objects[place - 1] == text) {
                return place - 1;
            }
        }
        return put(text);
    }

    /// The handle of an object seen before, or -1.
    int find(Object object) {
        int mask = places.length - 1;
        int i = System.identityHashCode(object) & mask;
        for (int place = places[i]; place != 0; place = places[i]) {
            if (objects[place - 1] == object) {
                return place - 1;
            }
            i = (i + 1) & mask;
        }
        return -1;
    }

    /// Gives a handle to something that is never looked for.
    void skip() {
        if (next == objects.length) {
            grow();
        }
        objects[next++] = null;
    }

    private static int spread(int hash) {
        int product = hash * SPREAD;
        return product ^ (product >>> HIGH);
    }

    private int insert(int i, Object object) {
        int handle = next;
        var all = objects;
        if (handle == all.length) {
            grow();
            return object instanceof String text ? putText(text) : put(object);
        }
        all[handle] = object;
        places[i] = handle + 1;
        next = handle + 1;
        return -1;
    }

    private void grow() {
        var old = objects;
        int count = next;
        if (count == MOST) {
            throw new IllegalStateException(
                    "more than "
                            + MOST
                            + " objects in one message; finish it, or reset in between");
        }
        allocate(places.length << 1);
        // In the same order, so strings take the same ways as if they came now.
        for (next = 0; next < count; ) {
            var object = old[next];
            if (object == null) {
                next++;
            } else if (object instanceof String text) {
                putText(text);
            } else {
                put(object);
            }
        }
    }

    private void allocate(int size) {
        places = new int[size];
        objects = new @Nullable Object[size >> 1];
    }

    /// Forgets all objects; a table much larger than they needed becomes smaller.
    void reset() {
        int size = places.length;
        if (size > FIRST && size / WASTE > next) {
            allocate(size >> 2);
        } else if (next > 0) {
            Arrays.fill(places, 0);
            Arrays.fill(objects, 0, next, null);
        }
        next = 0;
    }
}
