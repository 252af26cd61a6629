package org.ibidem.serial.inside;

import java.util.List;
import org.ibidem.serial.model.Slot;

/// One class of a hierarchy, and the fields of it that travel.
///
/// @param type the class
/// @param slots in the order in which they are described
public record LevelFields(Class<?> type, List<Slot> slots) {
    List<Slot> primitives(int size) {
        return slots.stream().filter(slot -> slot.size() == size).toList();
    }

    List<Slot> references() {
        return primitives(0);
    }

    boolean hasPrimitives() {
        return slots.size() > references().size();
    }
}
