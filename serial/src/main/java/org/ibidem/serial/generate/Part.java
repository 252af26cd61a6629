package org.ibidem.serial.generate;

import java.util.ArrayList;
import java.util.List;
import org.ibidem.serial.model.Layout;
import org.ibidem.serial.model.Slot;

/// As many fields as one generated method treats: what is longer is compiled late or never.
///
/// @param primitives one block
/// @param references after it
record Part(List<Slot> primitives, List<Slot> references) {
    private static final int MOST_FIELDS = 40;

    /// The parts of a class, in the order of the stream; a class that is not large is one.
    static List<Part> of(Layout<Slot> layout) {
        if (layout.primitives().size() + layout.references().size() <= MOST_FIELDS) {
            return List.of(new Part(layout.primitives(), layout.references()));
        }
        var parts = new ArrayList<Part>();
        for (var some : split(layout.primitives())) {
            parts.add(new Part(some, List.of()));
        }
        for (var some : split(layout.references())) {
            parts.add(new Part(List.of(), some));
        }
        return parts;
    }

    private static List<List<Slot>> split(List<Slot> slots) {
        var pieces = new ArrayList<List<Slot>>();
        for (int from = 0; from < slots.size(); from += MOST_FIELDS) {
            pieces.add(slots.subList(from, Math.min(slots.size(), from + MOST_FIELDS)));
        }
        return pieces;
    }
}
