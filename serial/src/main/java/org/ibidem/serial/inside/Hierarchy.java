package org.ibidem.serial.inside;

import java.util.ArrayList;
import java.util.List;
import org.ibidem.serial.generate.Leaf;
import org.ibidem.serial.generate.Spot;
import org.ibidem.serial.model.Layout;
import org.ibidem.serial.model.Slot;
import org.jspecify.annotations.Nullable;

/// A class with its serializable superclasses, from the top down: what code inside it relies on.
public final class Hierarchy {
    /// Changes with what is added to classes.
    private static final String FORM = "1";

    final List<LevelFields> tiers;
    final Layout<Slot> layout;

    /// Whether hashing its objects asks those inside.
    final boolean hashes;

    /// A hierarchy.
    public Hierarchy(List<LevelFields> tiers) {
        this.tiers = List.copyOf(tiers);
        var slots = new ArrayList<Slot>();
        for (var tier : this.tiers) {
            slots.addAll(tier.slots());
        }
        this.layout = Layout.of(slots);
        this.hashes = Leaf.hashes(tiers.getLast().type(), slots);
    }

    /// How many fields travel.
    public int size() {
        return layout.primitives().size() + layout.references().size();
    }

    LevelFields own() {
        return tiers.getLast();
    }

    Class<?> type() {
        return own().type();
    }

    /// The superclasses that take part.
    List<LevelFields> above() {
        return tiers.subList(0, tiers.size() - 1);
    }

    /// The last reference, if objects of the class itself may follow it in a loop. Not a final one:
    /// only a constructor sets those; and not a superclass's, whose constructor reads it.
    @Nullable Slot tail() {
        if (hashes || own().references().isEmpty()) {
            return null;
        }
        var last = own().references().getLast();
        var field = last.field();
        boolean fits =
                last.type() == type()
                        && field != null
                        && (field.getModifiers() & java.lang.reflect.Modifier.FINAL) == 0;
        return fits ? last : null;
    }

    /// Where in the block the primitives of a size begin.
    int group(int size) {
        int before = 0;
        for (var slot : layout.primitives()) {
            before += slot.size() > size ? slot.size() : 0;
        }
        return before;
    }

    int count(int size) {
        return (int) layout.primitives().stream().filter(slot -> slot.size() == size).count();
    }

    /// Where the own primitives lie, counted from the begin of the block.
    List<Spot> spots(int base) {
        var spots = new ArrayList<Spot>();
        for (int size = Long.BYTES; size > 0; size >>= 1) {
            int first = group(size) + above(size) * size;
            for (var spot : Spot.row(own().primitives(size), base)) {
                spots.add(new Spot(spot.slot(), base, first + spot.offset()));
            }
        }
        return spots;
    }

    /// As [#spots(int)], where each size is counted from its own group.
    ///
    /// @param base local variable with the begin of those of 8 bytes; behind it are the others
    List<Spot> spotsByGroup(int base) {
        var spots = new ArrayList<Spot>();
        int local = base;
        for (int size = Long.BYTES; size > 0; size >>= 1) {
            int first = above(size) * size;
            for (var spot : Spot.row(own().primitives(size), local)) {
                spots.add(new Spot(spot.slot(), local, first + spot.offset()));
            }
            local++;
        }
        return spots;
    }

    /// How many primitives of a size the superclasses have.
    private int above(int size) {
        return above().stream().mapToInt(tier -> tier.primitives(size).size()).sum();
    }

    /// What the code relies on, in words: it is written into the class, and compared with what the
    /// class is when it is loaded.
    String text() {
        return FORM + (hashes ? "h " : "- ") + fields();
    }

    /// Whether this text says the same of the fields.
    boolean hasFieldsOf(String text) {
        return text.startsWith(FORM)
                && text.length() > FORM.length() + 2
                && text.substring(FORM.length() + 2).equals(fields());
    }

    private String fields() {
        var text = new StringBuilder();
        for (var tier : tiers) {
            text.append(text.isEmpty() ? "" : "; ").append(tier.type().getName());
            var before = ": ";
            for (var slot : tier.slots()) {
                text.append(before).append(slot.type().getName()).append(' ').append(slot.name());
                before = ", ";
            }
            if (tier.slots().isEmpty()) {
                text.append(before);
            }
        }
        return text.toString();
    }
}
