package org.ibidem.serial.generate;

import java.lang.classfile.CodeBuilder;
import java.util.ArrayList;
import java.util.List;
import org.ibidem.serial.model.Slot;

/// Where in the page a primitive field lies.
///
/// @param slot the field
/// @param base local variable with the place that is counted from
/// @param offset from there
public record Spot(Slot slot, int base, int offset) {
    /// Fields one behind the other.
    public static List<Spot> row(List<Slot> slots, int base) {
        var row = new ArrayList<Spot>();
        int offset = 0;
        for (var slot : slots) {
            row.add(new Spot(slot, base, offset));
            offset += slot.size();
        }
        return row;
    }

    /// Pushes the place.
    void push(CodeBuilder code) {
        code.iload(base);
        if (offset > 0) {
            code.loadConstant(offset).iadd();
        }
    }

    /// Whether this one, at `i` of a list, and the next can move as one number of 8 bytes.
    boolean pairs(List<Spot> spots, int i) {
        if (slot.size() != Integer.BYTES || i + 1 == spots.size()) {
            return false;
        }
        var next = spots.get(i + 1);
        return next.slot.size() == Integer.BYTES
                && next.base == base
                && next.offset == offset + Integer.BYTES;
    }
}
