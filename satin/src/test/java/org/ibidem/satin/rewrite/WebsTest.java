package org.ibidem.satin.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.IncrementInstruction;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// Which assignments are of one variable, in methods of the JDK: those that one use finds, and
/// those that share one with them, put together here until no two sets share any.
class WebsTest {
    private static final int CLASSES = 30;
    private static final int LONGEST = 300;

    private static List<Set<Integer>> webs(Listing listing, Definitions definitions) {
        var webs = new ArrayList<Set<Integer>>();
        for (int place = 0; place < listing.size(); place++) {
            var one = new TreeSet<Integer>();
            switch (listing.at(place)) {
                case LoadInstruction load ->
                        found(definitions, place, load.slot(), load.typeKind(), one);
                case IncrementInstruction add -> {
                    found(definitions, place, add.slot(), TypeKind.INT, one);
                    one.add(place);
                }
                case StoreInstruction _ -> one.add(place);
                default -> {}
            }
            if (!one.isEmpty()) {
                var together = webs.stream().filter(each -> shares(each, one)).toList();
                webs.removeAll(together);
                together.forEach(one::addAll);
                webs.add(one);
            }
        }
        return webs;
    }

    private static boolean shares(Set<Integer> one, Set<Integer> other) {
        return one.stream().anyMatch(other::contains);
    }

    private static void found(
            Definitions definitions, int place, int first, TypeKind kind, Set<Integer> all) {
        for (int slot = first; slot < first + kind.slotSize(); slot++) {
            all.addAll(definitions.at(place, slot));
        }
    }

    /// Whether a place assigns or uses a variable of other webs than this one.
    private static boolean isOfOthers(
            Listing listing, Definitions definitions, int place, Set<Integer> web) {
        return switch (listing.at(place)) {
            case StoreInstruction _, IncrementInstruction _ -> !web.contains(place);
            case LoadInstruction load ->
                    definitions.at(place, load.slot()).stream().noneMatch(web::contains);
            default -> false;
        };
    }

    @Test
    void are_assignments_that_share_a_use() throws IOException {
        int several = 0;
        for (var code : JdkMethods.of("java/util", CLASSES)) {
            var listing = new Listing(code);
            if (listing.size() >= LONGEST) {
                continue;
            }
            var definitions = new Definitions(listing, List.of(0), _ -> true);
            var places = new BitSet();
            places.set(0, listing.size());
            var found = new Webs(listing, definitions, places);
            for (var web : webs(listing, definitions)) {
                several += web.size() > 1 ? 1 : 0;
                int name = found.of(web.iterator().next());
                for (int place = Definitions.EARLIER; place < listing.size(); place++) {
                    assertThat(found.of(place) == name)
                            .as("%d of %s in %s", place, web, code.parent())
                            .isEqualTo(web.contains(place));
                }
                assertThat(found.found() == name).isEqualTo(web.contains(Definitions.EARLIER));
                var others = new BitSet();
                for (int place = 0; place < listing.size(); place++) {
                    others.set(place, isOfOthers(listing, definitions, place, web));
                }
                assertThat(found.without(Set.of(name))).isEqualTo(others);
            }
        }
        assertThat(several).isGreaterThan(50);
    }
}
