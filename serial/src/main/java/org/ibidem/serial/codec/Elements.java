package org.ibidem.serial.codec;

import java.util.Iterator;
import org.ibidem.serial.wire.Walk;
import org.jspecify.annotations.Nullable;

/// The elements of a collection, as references of it.
record Elements(Iterator<? extends @Nullable Object> left) implements Walk {
    @Override
    public boolean more() {
        return left.hasNext();
    }

    @Override
    public @Nullable Object next() {
        return left.next();
    }
}
