package org.ibidem.serial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InvalidObjectException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.ibidem.serial.graph.HookTypes;
import org.ibidem.serial.graph.PlainTypes;
import org.ibidem.serial.graph.Trip;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Graphs deeper than any stack.
@Timeout(60)
class DeepTest {
    private static final int MANY = 1_000_000;
    private static final int SOME = 100_000;

    @SuppressWarnings("serial") // it holds lists
    static final class Link implements Serializable {
        private static final long serialVersionUID = 1L;
        int value;
        Link next;

        Link(int value) {
            this.value = value;
        }
    }

    @SuppressWarnings("serial") // it holds anything
    static class Chain implements Serializable {
        private static final long serialVersionUID = 1L;
        Object before;
        Chain inner;
        Object other;
        String name = "chain";
    }

    @Tag("slow")
    @Test
    void a_list_of_a_million_nodes_takes_no_stack() throws Exception {
        var first = new Link(0);
        var last = first;
        for (int i = 1; i < MANY; i++) {
            last.next = new Link(i);
            last = last.next;
        }
        last.next = first;
        var got = Trip.through(first);
        var at = got;
        for (int i = 0; i < MANY; i++) {
            assertThat(at.value).isEqualTo(i);
            at = at.next;
        }
        assertThat(at).isSameAs(got);
    }

    @Test
    @Tag("slow")
    void nor_do_objects_that_nest_through_any_field() throws Exception {
        var top = new Chain();
        var at = top;
        for (int i = 1; i < SOME; i++) {
            var next = new Chain();
            switch (i % 3) {
                case 0 -> at.inner = next;
                case 1 -> at.other = new Object[] {i, next};
                default -> at.before = List.of(new ArrayList<>(List.of(next)));
            }
            next.name = "chain " + i;
            at = next;
        }
        at.other = top;
        var got = Trip.through(top);
        var there = got;
        for (int i = 1; i < SOME; i++) {
            there =
                    switch (i % 3) {
                        case 0 -> there.inner;
                        case 1 -> (Chain) ((Object[]) there.other)[1];
                        default ->
                                (Chain) ((List<?>) ((List<?>) there.before).getFirst()).getFirst();
                    };
            assertThat(there.name).isEqualTo("chain " + i);
        }
        assertThat(there.other).isSameAs(got);
    }

    @Test
    void nor_do_collections_in_collections() throws Exception {
        Object inner = "end";
        for (int i = 0; i < SOME; i++) {
            inner =
                    i % 2 == 0
                            ? new ArrayList<>(List.of(inner))
                            : new HashMap<>(Map.of("k", inner));
        }
        var got = Trip.through(inner);
        for (int i = SOME - 1; i >= 0; i--) {
            got = i % 2 == 0 ? ((List<?>) got).getFirst() : ((Map<?, ?>) got).get("k");
        }
        assertThat(got).isEqualTo("end");
    }

    @Test
    void a_left_tree_is_as_good_as_a_right_one() throws Exception {
        var top = new PlainTypes.Node();
        PlainTypes.connect(top, SOME);
        assertThat(PlainTypes.depth(Trip.through(top))).isEqualTo(SOME);
    }

    @Test
    void where_the_stack_is_needed_its_end_is_told_before_it_comes() throws Exception {
        Object custom = "end";
        for (int i = 0; i < SOME; i++) {
            custom = new HookTypes.Nested(custom);
        }
        var deep = custom;
        assertThatThrownBy(() -> Trip.bytes(deep))
                .isInstanceOf(InvalidObjectException.class)
                .hasMessageContaining("nest");
    }
}
