package org.ibidem.mpj.device.circuit;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Operations that a peer speaks of by a number. A number is used again, but not soon.
///
/// @param <T> operations
final class Requests<T extends Operation> {
    private static final int SLOT_BITS = 20;
    private static final int MOST = 1 << SLOT_BITS;

    private final List<@Nullable T> slots = new ArrayList<>();
    private final List<Integer> numbers = new ArrayList<>();
    private final List<Integer> free = new ArrayList<>();

    int add(T operation) {
        int slot;
        if (free.isEmpty()) {
            slot = slots.size();
            if (slot == MOST) {
                throw new IllegalStateException("more than " + MOST + " large messages at once");
            }
            slots.add(operation);
            numbers.add(slot);
        } else {
            slot = free.removeLast();
            slots.set(slot, operation);
            numbers.set(slot, numbers.get(slot) + MOST & Integer.MAX_VALUE);
        }
        return numbers.get(slot);
    }

    @Nullable T get(int number) {
        int slot = number & MOST - 1;
        return slot < slots.size() && numbers.get(slot) == number ? slots.get(slot) : null;
    }

    void remove(int number) {
        int slot = number & MOST - 1;
        slots.set(slot, null);
        free.add(slot);
    }

    Stream<T> all() {
        return slots.stream().filter(Objects::nonNull).map(Objects::requireNonNull);
    }
}
