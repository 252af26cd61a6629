package org.ibidem.satin.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.CodeModel;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.IncrementInstruction;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Which variables are live where, in methods of the JDK: those of which a use can be found before
/// an assignment by going on from there, one variable and place at a time.
@Tag("slow")
class LivenessTest {
    private static final int CLASSES = 12;
    private static final int LONGEST = 200;
    private static final int SLOTS = 6;

    private static boolean covers(int first, TypeKind kind, int slot) {
        return first <= slot && slot < first + kind.slotSize();
    }

    private static boolean uses(Listing listing, int place, int slot) {
        return switch (listing.at(place)) {
            case LoadInstruction load -> covers(load.slot(), load.typeKind(), slot);
            case IncrementInstruction add -> add.slot() == slot;
            default -> false;
        };
    }

    private static boolean assigns(Listing listing, int place, int slot) {
        return listing.at(place) instanceof StoreInstruction store
                && covers(store.slot(), store.typeKind(), slot);
    }

    private static boolean isLive(Listing listing, BitSet places, int at, int slot) {
        var seen = new BitSet();
        var open = new ArrayDeque<>(List.of(at));
        while (!open.isEmpty()) {
            int place = open.remove();
            if (!places.get(place) || seen.get(place)) {
                continue;
            }
            seen.set(place);
            if (uses(listing, place, slot)) {
                return true;
            }
            if (!assigns(listing, place, slot)) {
                open.addAll(listing.followers(place));
            }
        }
        return false;
    }

    private static void compare(Listing listing, Liveness liveness, BitSet places) {
        for (int place = 0; place < listing.size(); place++) {
            var expected = new BitSet();
            for (int slot = 0; slot < SLOTS; slot++) {
                expected.set(slot, isLive(listing, places, place, slot));
            }
            var found = (BitSet) liveness.at(place).clone();
            found.clear(SLOTS, Integer.MAX_VALUE);
            assertThat(found).as("at %d", place).isEqualTo(expected);
        }
    }

    private static List<CodeModel> some(String folder) {
        try {
            return JdkMethods.of(folder, CLASSES);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Listing> methods() {
        return Stream.of("java/util", "java/math") // with loops in loops
                .flatMap(folder -> some(folder).stream())
                .filter(code -> code.elementList().size() < LONGEST)
                .map(Listing::new)
                .toList();
    }

    @Test
    void are_those_with_a_use_ahead_and_no_assignment_before_it() {
        for (var listing : methods()) {
            var all = new BitSet();
            all.set(0, listing.size());
            compare(listing, Liveness.of(listing), all);
        }
    }

    @Test
    void nothing_is_used_outside_of_a_part() {
        for (var listing : methods()) {
            var part = new BitSet();
            part.set(listing.size() / 4, 3 * listing.size() / 4);
            compare(listing, new Liveness(listing, part), part);
        }
    }
}
