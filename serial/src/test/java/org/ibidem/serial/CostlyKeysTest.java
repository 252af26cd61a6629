package org.ibidem.serial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InvalidClassException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.ibidem.serial.codec.Codecs;
import org.ibidem.serial.graph.CostlyKeys;
import org.ibidem.serial.wire.Limits;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// One key in many tables, by its handle: a few bytes for each, and each hashes it, or compares it
/// with another. It goes through all classes that every policy lets in, in all kinds of tables.
class CostlyKeysTest {
    private static final int STEPS = 20_000;
    private static final int MANY = 150;
    private static final int FEW = 2;

    private static final ObjectPolicy POLICY =
            ObjectPolicy.NOTHING_BUT_VALUES
                    .allow("org.ibidem.serial.graph.**")
                    .limits(new Limits(1000, 1_000_000, 1_000_000, 1 << 26, 1 << 26, STEPS));

    private static Object through(Object graph) throws IOException, ClassNotFoundException {
        return Tiers.graph(Codecs.STANDARD, Tiers.bytes(Codecs.STANDARD, graph), POLICY);
    }

    private static void refused(String what, Object graph) {
        assertThatThrownBy(() -> through(graph))
                .as(what)
                .isInstanceOf(InvalidClassException.class)
                .hasMessageContaining("steps of hashing");
    }

    private static List<Object> many(int times, Function<Integer, Object> table) {
        return new ArrayList<>(IntStream.range(0, times).boxed().map(table).toList());
    }

    @Test
    @Tag("slow")
    void each_costly_class_is_charged_in_each_table_that_hashes() throws Exception {
        for (var key : CostlyKeys.HASHED.entrySet()) {
            for (var table : CostlyKeys.HASHING.entrySet()) {
                var what = key.getKey() + " in " + table.getKey();
                var one = key.getValue().apply(1);
                refused(what, many(MANY, _ -> table.getValue().apply(one)));
                var few = many(FEW, _ -> table.getValue().apply(one));
                assertThat((List<?>) through(few)).as(what).hasSize(FEW);
            }
        }
    }

    @Test
    void each_costly_class_is_charged_in_each_table_that_compares() throws Exception {
        for (var key : CostlyKeys.COMPARED.entrySet()) {
            for (var table : CostlyKeys.COMPARING.entrySet()) {
                var what = key.getKey() + " in " + table.getKey();
                var two = List.of(key.getValue().apply(1), key.getValue().apply(2));
                refused(what, many(MANY, _ -> table.getValue().apply(two)));
                assertThat(through(many(FEW, _ -> table.getValue().apply(two)))).isNotNull();
            }
        }
    }

    @Test
    void keys_of_one_hash_are_charged_where_trees_order_them() throws Exception {
        for (var key : CostlyKeys.SAME_HASH.entrySet()) {
            for (var table : CostlyKeys.HASHING_ALL.entrySet()) {
                var what = key.getKey() + " in " + table.getKey();
                var two = List.of(key.getValue().apply(1), key.getValue().apply(2));
                assertThat(two.getFirst().hashCode()).isEqualTo(two.getLast().hashCode());
                refused(what, many(MANY, _ -> table.getValue().apply(two)));
                assertThat(through(many(FEW, _ -> table.getValue().apply(two)))).isNotNull();
            }
        }
    }

    @Test
    void each_reviewed_class_is_costly_here_or_is_small() {
        var costly =
                Stream.of(CostlyKeys.HASHED, CostlyKeys.COMPARED)
                        .flatMap(keys -> keys.values().stream())
                        .map(key -> key.apply(1).getClass().getName());
        var known = Stream.concat(costly, CostlyKeys.SMALL.stream());
        assertThat(known.toList()).containsAll(Reviewed.all());
    }

    @Test
    void strings_that_have_just_come_cost_nothing_in_any_table() throws Exception {
        var texts = IntStream.range(0, 2000).mapToObj(i -> "x".repeat(2000) + i).toList();
        var map = new HashMap<String, Integer>();
        texts.forEach(text -> map.put(text, 1));
        for (var table :
                List.of(
                        map,
                        new HashSet<>(texts),
                        new TreeSet<>(texts),
                        new TreeMap<>(map),
                        new ConcurrentSkipListMap<>(map))) {
            assertThat(through(table)).isEqualTo(table);
        }
        assertThat(through(new PriorityQueue<>(texts))).isInstanceOf(PriorityQueue.class);
    }

    @Test
    void comparators_around_each_other_are_charged() throws Exception {
        var first = CostlyKeys.reversed(Comparator.<Integer>naturalOrder(), 900);
        var few = CostlyKeys.reversed(Comparator.<Integer>naturalOrder(), 2);
        var numbers = IntStream.range(0, 100).boxed().toList();
        for (var table : CostlyKeys.COMPARED_BY.entrySet()) {
            refused(table.getKey(), table.getValue().apply(first, numbers));
            assertThat(through(table.getValue().apply(few, numbers))).isNotNull();
        }
    }

    @Test
    void decimals_of_several_scales_cost_more_than_they_are_long() throws Exception {
        var long1 = CostlyKeys.decimal(1, 0);
        var long2 = CostlyKeys.decimal(2, 0);
        assertThat(through(many(10, _ -> new TreeSet<>(List.of(long1, long2))))).isNotNull();
        var scaled = CostlyKeys.decimal(2, 1);
        refused("two scales", many(10, _ -> new TreeSet<>(List.of(long1, scaled))));
    }

    @Test
    void sets_that_compare_all_with_all_are_charged() throws Exception {
        var numbers = IntStream.range(0, 2000).boxed().toList();
        refused("its elements", new CopyOnWriteArraySet<>(numbers));
        assertThat(through(new CopyOnWriteArraySet<>(numbers.subList(0, 100)))).isNotNull();
    }

    @Test
    void one_element_many_times_is_charged_as_often() {
        var copies = Collections.nCopies(2 * STEPS, 1);
        refused("copies", new ArrayList<>(List.of(new HashSet<>(List.of(copies)))));
    }

    /// Hashing it would take 2^64 steps, and more cannot be counted.
    @Test
    void costs_beyond_all_numbers_are_refused_at_any_time() {
        Object inside = new ArrayList<>(List.of(1));
        for (int i = 0; i < 80; i++) {
            inside = new ArrayList<>(Arrays.asList(inside, inside));
        }
        var late = new ArrayList<Object>();
        var graph = new ArrayList<Object>();
        graph.add(new HashSet<>(Set.of(1)));
        graph.add(new LinkedHashSet<>(List.of(late)));
        late.add(inside);
        refused("2^80 steps", graph);
    }

    /// Its hash is asked for when half of it has come; what it is in may be known by then.
    @Test
    void collections_that_are_still_being_read_are_charged() throws Exception {
        for (var growing : CostlyKeys.GROWING.entrySet()) {
            for (var around : CostlyKeys.AROUND.entrySet()) {
                var what = growing.getKey() + " in " + around.getKey();
                refused(what, growing.getValue().apply(MANY, around.getValue()));
                assertThat(through(growing.getValue().apply(FEW, around.getValue()))).isNotNull();
            }
        }
    }

    @Test
    void collections_that_their_elements_name_cost_nothing_unhashed() throws Exception {
        var all = new ArrayList<Object>();
        for (int i = 0; i < STEPS; i++) {
            all.add(new HashMap<>(Map.of("all", all)));
        }
        assertThat((List<?>) through(all)).hasSize(STEPS);
    }

    @Test
    void keys_that_are_identities_cost_nothing_whatever_is_in_them() throws Exception {
        var array = new Integer[STEPS];
        Arrays.fill(array, 1);
        var map = new HashMap<Object, Object>(Map.of(array, 1, new int[STEPS], 2));
        assertThat((Map<?, ?>) through(map)).hasSize(2);
    }
}
