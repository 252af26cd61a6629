package org.ibidem.mpj.device.circuit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.ibidem.mpj.ErrorClass;
import org.ibidem.mpj.Fault;
import org.jspecify.annotations.Nullable;

/// Operations that a peer speaks of by a number. A number is used again, but not soon.
///
/// @param <T> operations
final class Requests<T extends Operation> {
    private static final int SLOT_BITS = 24;
    private static final int SLOTS = 1 << SLOT_BITS;
    private static final int FEW = 16;

    private final int most;
    private final String what;
    private final List<@Nullable T> slots = new ArrayList<>();

    /// By slot: the number of what is there, or was there last.
    private int[] numbers = new int[FEW];

    private int[] free = new int[FEW];
    private int frees;

    /// @param most that there are at a time, up to 2^24
    /// @param what they are, for people
    Requests(int most, String what) {
        if (most < 1 || most > SLOTS) {
            throw new IllegalArgumentException(most + " requests; there are 1 to " + SLOTS);
        }
        this.most = most;
        this.what = what;
    }

    /// How many there are.
    int size() {
        return slots.size() - frees;
    }

    /// Refuses more than there may be.
    ///
    /// @param others that will be added without being asked for here
    void requireRoom(int others) {
        if (size() + others >= most) {
            throw new Fault(
                    ErrorClass.OTHER,
                    "there are "
                            + most
                            + " "
                            + what
                            + " already, which is the most: wait for some of them first");
        }
    }

    int add(T operation) {
        if (frees > 0) {
            int slot = free[--frees];
            slots.set(slot, operation);
            numbers[slot] = numbers[slot] + SLOTS & Integer.MAX_VALUE;
            return numbers[slot];
        }
        requireRoom(0);
        int slot = slots.size();
        slots.add(operation);
        if (slot == numbers.length) {
            numbers = Arrays.copyOf(numbers, 2 * slot);
        }
        numbers[slot] = slot;
        return slot;
    }

    @Nullable T get(int number) {
        int slot = number & SLOTS - 1;
        return slot < slots.size() && numbers[slot] == number ? slots.get(slot) : null;
    }

    void remove(int number) {
        int slot = number & SLOTS - 1;
        slots.set(slot, null);
        if (frees == free.length) {
            free = Arrays.copyOf(free, 2 * frees);
        }
        free[frees++] = slot;
    }

    Stream<T> all() {
        return slots.stream().filter(Objects::nonNull).map(Objects::requireNonNull);
    }
}
