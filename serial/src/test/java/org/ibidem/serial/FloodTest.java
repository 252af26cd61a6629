package org.ibidem.serial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InvalidClassException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.ibidem.serial.graph.Trip;
import org.ibidem.serial.model.Reflection;
import org.ibidem.serial.wire.Limits;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Keys of one hash in every table that is let in: those that are compared with each other are
/// charged, all others cost what they do in a table of other keys.
@SuppressWarnings({
    "JdkObsolete",
    "unchecked"
}) // classes that are let in; elements are of any class
class FloodTest {
    private static final int KEYS = 2000;
    private static final int HASH = 42;

    private static final ObjectPolicy POLICY =
            ObjectPolicy.NOTHING_BUT_VALUES
                    .allow("org.ibidem.serial.**")
                    .limits(new Limits(1000, 1_000_000, 1_000_000, 1 << 26, 1 << 26, 300_000));

    /// "Aa" and "BB" have one hash, and so has each sequence of them.
    private static String text(int i) {
        var text = new StringBuilder();
        for (int bit = 0; bit < 11; bit++) {
            text.append((i >> bit & 1) == 0 ? "Aa" : "BB");
        }
        return text.toString();
    }

    private static Long number(int i, int hash) {
        return (long) i << Integer.SIZE | ((i ^ hash) & 0xFFFF_FFFFL);
    }

    /// Comparable, but not of itself.
    private static LocalDateTime time(int i) {
        var date = LocalDate.ofEpochDay(i / 10_000);
        long high = i % 10_000;
        long low = (date.hashCode() ^ HASH ^ (int) high) & 0xFFFF_FFFFL;
        return LocalDateTime.of(date, LocalTime.ofNanoOfDay(high << Integer.SIZE | low));
    }

    private static Object mixed(int i) {
        return i % 2 == 0 ? text(i) : number(i, text(0).hashCode());
    }

    private static List<Object> keys(IntFunction<Object> each) {
        return IntStream.range(0, KEYS).mapToObj(each).toList();
    }

    private static <M extends Map<Object, Object>> M filled(M map, List<Object> keys) {
        keys.forEach(key -> map.put(key, 1));
        return map;
    }

    @SuppressWarnings("serial")
    static final class OwnMap extends HashMap<Object, Object> {}

    @SuppressWarnings("serial")
    static final class OwnSet extends HashSet<Object> {}

    @SuppressWarnings("serial")
    static final class OwnConcurrentMap extends ConcurrentHashMap<Object, Object> {}

    /// Whose tables have trees.
    private static final Map<String, Function<List<Object>, Object>> TREES =
            Map.of(
                    "HashMap", keys -> filled(new HashMap<>(), keys),
                    "LinkedHashMap", keys -> filled(new LinkedHashMap<>(), keys),
                    "ConcurrentHashMap", keys -> filled(new ConcurrentHashMap<>(), keys),
                    "HashSet", HashSet::new,
                    "LinkedHashSet", LinkedHashSet::new,
                    "a map's subclass", keys -> filled(new OwnMap(), keys),
                    "a concurrent map's", keys -> filled(new OwnConcurrentMap(), keys),
                    "a set's subclass", FloodTest::own,
                    "newSetFromMap", FloodTest::fromMap);

    private static Object own(List<Object> keys) {
        var set = new OwnSet();
        set.addAll(keys);
        return set;
    }

    private static Object fromMap(List<Object> keys) {
        var set = Collections.newSetFromMap(new HashMap<Object, Boolean>());
        set.addAll(keys);
        return set;
    }

    /// Whose tables have none.
    private static final Map<String, Function<List<Object>, Object>> CHAINS =
            Map.of(
                    "Hashtable", keys -> filled(new Hashtable<>(), keys),
                    "Set.of", keys -> Set.of(keys.toArray()),
                    "Map.of", FloodTest::mapOf,
                    "what Set.of writes in its place", keys -> proxy(Set.of(keys.toArray())),
                    "what Map.of writes in its place", keys -> proxy(mapOf(keys)));

    private static Object mapOf(List<Object> keys) {
        return Map.ofEntries(
                keys.stream().map(key -> Map.entry(key, 1)).toArray(Map.Entry<?, ?>[]::new));
    }

    private static Object proxy(Object immutable) {
        try {
            return Reflection.Own.REPLACE.in(immutable.getClass()).invoke(immutable);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    private static void passes(String name, Object graph) throws Exception {
        var bytes = Trip.bytes(graph);
        for (var codecs : Tiers.all()) {
            assertThat(Tiers.graph(codecs, bytes, POLICY)).as(name).isNotNull();
        }
    }

    private static void refused(String name, Object graph) throws Exception {
        var bytes = Trip.bytes(graph);
        for (var codecs : Tiers.all()) {
            assertThatThrownBy(() -> Tiers.graph(codecs, bytes, POLICY))
                    .as(name)
                    .isInstanceOf(InvalidClassException.class)
                    .hasMessageContaining("steps of hashing");
        }
    }

    @Test
    @Tag("slow")
    void keys_of_one_hash_that_no_tree_orders_are_charged() throws Exception {
        for (var make : TREES.entrySet()) {
            refused(make.getKey(), make.getValue().apply(keys(FloodTest::time)));
            refused(make.getKey(), make.getValue().apply(keys(i -> List.of(text(i)))));
            refused(make.getKey(), make.getValue().apply(keys(FloodTest::mixed)));
        }
    }

    @Test
    void those_of_a_class_that_orders_itself_are_not() throws Exception {
        for (var make : TREES.entrySet()) {
            passes(make.getKey(), make.getValue().apply(keys(FloodTest::text)));
            passes(make.getKey(), make.getValue().apply(keys(i -> number(i, HASH))));
        }
    }

    @Test
    @Tag("slow")
    void keys_of_one_place_are_charged_where_tables_have_no_trees() throws Exception {
        for (var make : CHAINS.entrySet()) {
            refused(make.getKey(), make.getValue().apply(keys(FloodTest::text)));
            refused(make.getKey(), make.getValue().apply(keys(FloodTest::time)));
            refused(make.getKey(), make.getValue().apply(keys(i -> number(i, HASH))));
        }
        refused("Set.of", Set.of(keys(i -> i * 2 * KEYS).toArray()));
    }

    @Test
    @Tag("slow")
    void keys_of_many_hashes_cost_little_in_each() throws Exception {
        var random = new java.util.Random(1);
        var numbers = random.ints().distinct().limit(KEYS).boxed().toArray();
        for (var make :
                Stream.concat(TREES.entrySet().stream(), CHAINS.entrySet().stream()).toList()) {
            passes(make.getKey(), make.getValue().apply(Arrays.asList(numbers)));
            passes(make.getKey(), make.getValue().apply(keys(i -> "text " + i)));
            passes(make.getKey(), make.getValue().apply(keys(i -> List.of("text " + i))));
            passes(make.getKey(), make.getValue().apply(keys(i -> i % 2 == 0 ? i : "text " + i)));
        }
    }

    @Test
    void hashes_that_are_not_asked_for_cost_nothing() throws Exception {
        passes("TreeMap", filled(new TreeMap<>(), keys(FloodTest::time)));
        passes("IdentityHashMap", filled(new IdentityHashMap<>(), keys(FloodTest::text)));
    }

    /// Sets that are compared with each other look up all of their elements.
    @Test
    void a_table_inside_a_key_is_charged_each_time_it_is_compared() throws Exception {
        var sets = new HashSet<Object>();
        for (int i = 0; i < 20; i++) {
            var set = new LinkedHashSet<Object>();
            for (int j = 0; j < 40; j++) {
                set.add(time(i * 40 + j)); // 42 times an even number: all of one hash
            }
            sets.add(set);
        }
        refused("sets in a set", sets);
    }

    /// Few long strings, compared where they differ at last.
    @Test
    void long_strings_are_charged_by_their_length() throws Exception {
        var keys = new ArrayList<Object>();
        for (int i = 0; i < 60; i++) {
            keys.add("x".repeat(10_000) + text(i));
        }
        refused("Set.of", Set.of(keys.toArray()));
        passes("HashSet", new HashSet<>(keys));
    }
}
