package org.ibidem.satin.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.classfile.CodeModel;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.IncrementInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;

/// Which assignments reach a place, in methods of the JDK: those from which there is a way to it on
/// which nothing else is assigned. Each way is walked here, one assignment at a time.
class DefinitionsTest {
    private static final int CLASSES = 25;
    private static final int LONGEST = 300;
    private static final int SLOTS = 6;

    private static boolean assigns(Listing listing, int place, int slot) {
        return switch (listing.at(place)) {
            case StoreInstruction store -> covers(store.slot(), store.typeKind(), slot);
            case IncrementInstruction add -> covers(add.slot(), TypeKind.INT, slot);
            default -> false;
        };
    }

    private static boolean covers(int first, TypeKind kind, int slot) {
        return first <= slot && slot < first + kind.slotSize();
    }

    /// The places to which control comes from these without an assignment.
    private static Set<Integer> reached(
            Listing listing, Collection<Integer> from, int slot, IntPredicate places) {
        var reached = new TreeSet<>(from);
        var open = new ArrayDeque<>(from);
        while (!open.isEmpty()) {
            int place = open.remove();
            boolean goesOn =
                    place < listing.size()
                            && places.test(place)
                            && (slot < 0 || !assigns(listing, place, slot));
            if (goesOn) {
                listing.followers(place).stream().filter(reached::add).forEach(open::add);
            }
        }
        return reached;
    }

    private static void compare(CodeModel code, List<Integer> from, IntPredicate places) {
        var listing = new Listing(code);
        var definitions = new Definitions(listing, from, places);
        var all = reached(listing, from, -1, places);
        for (int slot = 0; slot < SLOTS; slot++) {
            Map<Integer, Set<Integer>> expected = new HashMap<>();
            put(expected, reached(listing, from, slot, places), Definitions.EARLIER);
            for (int place : all) {
                if (place < listing.size() && places.test(place) && assigns(listing, place, slot)) {
                    put(expected, reached(listing, listing.followers(place), slot, places), place);
                }
            }
            for (int place : all) {
                assertThat(definitions.at(place, slot))
                        .as("slot %d at %d of %s", slot, place, code.parent())
                        .containsExactlyInAnyOrderElementsOf(expected.get(place));
                if (place < listing.size()) {
                    assertThat(definitions.behind(place, slot))
                            .containsExactlyInAnyOrderElementsOf(
                                    assigns(listing, place, slot)
                                            ? Set.of(place)
                                            : expected.get(place));
                }
            }
        }
    }

    private static void put(Map<Integer, Set<Integer>> all, Set<Integer> places, int definition) {
        places.forEach(place -> all.computeIfAbsent(place, _ -> new TreeSet<>()).add(definition));
    }

    private static List<CodeModel> methods() throws IOException {
        return JdkMethods.of("java/util", CLASSES).stream()
                .filter(code -> code.elementList().size() < LONGEST)
                .toList();
    }

    @Test
    void are_those_with_a_way_on_which_nothing_else_is_assigned() throws IOException {
        var methods = methods();
        assertThat(methods).hasSizeGreaterThan(200);
        methods.forEach(code -> compare(code, List.of(0), _ -> true));
    }

    @Test
    void a_region_begins_anew_and_is_not_left() throws IOException {
        for (var code : methods()) {
            int size = code.elementList().size();
            compare(code, List.of(size / 3, size / 2), place -> place < 2 * size / 3);
        }
    }

    @Test
    void nothing_is_known_of_where_control_never_comes() throws IOException {
        var code = methods().getFirst();
        var definitions = new Definitions(new Listing(code), List.of(0), _ -> false);
        assertThat(definitions.at(1, 0)).containsExactly(Definitions.EARLIER);
    }
}
