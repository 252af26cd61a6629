package org.ibidem.serial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.Serializable;
import java.io.StreamCorruptedException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.ibidem.Seeded;
import org.ibidem.serial.graph.RandomClasses;
import org.ibidem.serial.graph.RandomGraphs;
import org.ibidem.serial.graph.Samples;
import org.ibidem.serial.graph.Trip;
import org.ibidem.serial.wire.Limits;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Whatever bytes come, this process goes on: few bytes cannot cost much, and nothing that was not
/// allowed is even loaded.
@Timeout(60)
class SafetyTest {
    private static final ObjectPolicy USUAL = ObjectPolicy.NOTHING_BUT_VALUES;
    private static final int NESTED = 40;

    private static void refused(Object graph, ObjectPolicy policy, String why) throws IOException {
        var bytes = Trip.bytes(graph);
        for (var codecs : Tiers.all()) {
            assertThatThrownBy(() -> Tiers.graph(codecs, bytes, policy))
                    .isInstanceOf(InvalidClassException.class)
                    .hasMessageContaining(why);
        }
    }

    /// Each level holds the next one twice: 2^40 steps to hash the first.
    private static Set<Object> bomb(Supplier<Set<Object>> maker) {
        var root = maker.get();
        var one = root;
        var two = maker.get();
        for (int i = 0; i < NESTED; i++) {
            var first = maker.get();
            var second = maker.get();
            first.add("different");
            one.add(first);
            one.add(second);
            two.add(first);
            two.add(second);
            one = first;
            two = second;
        }
        return root;
    }

    /// As sets of lists would be, without the time it takes to hash them here.
    private static Object nested(int levels, boolean maps) {
        Object inside = new ArrayList<>(List.of("x"));
        for (int i = 0; i < levels; i++) {
            inside =
                    maps && i % 2 == 0
                            ? new LinkedHashMap<>(Map.of("a", inside, "b", inside))
                            : new ArrayList<>(Arrays.asList(inside, inside));
        }
        return inside;
    }

    /// A map with one key that costs much to hash. Its hash is not asked for while it is made.
    private static Map<Object, Object> keyed(Object key) {
        var map = new HashMap<Object, Object>();
        var late = new ArrayList<Object>();
        map.put(late, "value");
        late.add(key);
        return map;
    }

    @Tag("slow")
    @Test
    void nested_hash_containers_do_not_keep_a_reader_busy() throws IOException {
        refused(bomb(HashSet::new), USUAL, "steps of hashing");
        refused(keyed(nested(NESTED, false)), USUAL, "steps of hashing");
        refused(keyed(nested(NESTED, true)), USUAL, "steps of hashing");
        refused(new Object[] {keyed(nested(NESTED, true))}, USUAL, "steps of hashing");
        var concurrent = new ConcurrentHashMap<Object, Object>();
        var late = new ArrayList<Object>();
        concurrent.put(late, 1);
        late.add(nested(NESTED, false));
        refused(concurrent, USUAL, "steps of hashing");
    }

    record Pair(Object one, Object other) implements Serializable {}

    @SuppressWarnings("serial") // it holds anything
    static final class Hashed implements Serializable {
        private static final long serialVersionUID = 1L;
        Object one;
        Object other;

        @Override
        public int hashCode() {
            return 31 * one.hashCode() + other.hashCode();
        }

        @Override
        public boolean equals(Object o) {
            return o instanceof Hashed h && h.one.equals(one) && h.other.equals(other);
        }
    }

    @Test
    void nested_records_and_objects_as_keys_do_not_either() throws IOException {
        var policy = USUAL.allow("org.ibidem.serial.**");
        Object records = "end";
        var hashed = new Hashed();
        hashed.one = "end";
        hashed.other = "end";
        for (int i = 0; i < NESTED; i++) {
            records = new Pair(records, records);
            var next = new Hashed();
            next.one = hashed;
            next.other = hashed;
            hashed = next;
        }
        refused(keyed(records), policy, "steps of hashing");
        refused(keyed(hashed), policy, "steps of hashing");
    }

    private static ObjectPolicy limited(
            long depth, long references, long array, long memory, long bytes) {
        return USUAL.limits(new Limits(depth, references, array, memory, bytes, 1_000_000));
    }

    @Test
    void every_limit_is_checked_before_memory_is_taken() throws IOException {
        long many = 1L << 40;
        refused(nestedLists(20), limited(10, many, many, many, many), "nest more than 10 deep");
        refused(nestedLists(3000), limited(2998, many, many, many, many), "nest more than");
        refused(new Object[50], limited(many, 40, many, many, many), "more than 40 references");
        refused(new int[1001], limited(many, many, 1000, many, many), "an array of 1001");
        refused(new long[1001], limited(many, many, many, 8000, many), "more than 8000 bytes");
        refused(new HashSet<>(list(2000)), limited(many, many, many, 9000, many), "9000 bytes");
        refused(list(20_000), limited(many, many, many, many, 10_000), "more than 10000 bytes");
        refused("x".repeat(20_000), limited(many, many, many, 10_000, many), "10000 bytes");
    }

    @SuppressWarnings({"serial", "UnusedVariable"}) // it holds anything; only its depth matters
    private static final class Nest implements Serializable {
        private static final long serialVersionUID = 1L;
        Object inner;
        Object other;
    }

    @Test
    void references_are_counted_below_the_stack_too() throws IOException {
        Nest nest = null;
        for (int i = 0; i < 2000; i++) {
            var outer = new Nest();
            outer.inner = nest;
            nest = outer;
        }
        long many = 1L << 40;
        var policy = limited(many, 3000, many, many, many).allow(Nest.class);
        refused(nest, policy, "more than 3000 references");
    }

    private static List<Object> list(int size) {
        var list = new ArrayList<Object>();
        for (int i = 0; i < size; i++) {
            list.add("element " + i);
        }
        return list;
    }

    private static Object nestedLists(int depth) {
        Object inner = "end";
        for (int i = 1; i < depth; i++) {
            inner = new ArrayList<>(Arrays.asList(inner));
        }
        return inner;
    }

    /// Five bytes that announce two billion elements.
    @Test
    void what_is_announced_and_does_not_come_costs_nothing() throws IOException {
        for (var graph :
                List.<Object>of(new byte[300], new long[300], list(300), "x".repeat(300))) {
            var bytes = Trip.bytes(graph);
            for (int at = 0; at + 4 < 12; at++) {
                var changed = bytes.clone();
                changed[at + 1] = (byte) 0xF0;
                changed[at + 2] = (byte) 0xFF;
                changed[at + 3] = (byte) 0xFF;
                changed[at + 4] = 0x03;
                try {
                    Trip.graph(changed, USUAL.limits(Limits.DEFAULT));
                } catch (IOException | ClassNotFoundException _) {
                    // no OutOfMemoryError
                }
            }
        }
    }

    @Test
    void a_class_is_not_even_looked_for_before_its_name_was_allowed() throws Exception {
        var bytes = Trip.bytes(new Pair(new Hashed[0], Samples.class));
        var asked = new ArrayList<String>();
        var loader =
                new ClassLoader(SafetyTest.class.getClassLoader()) {
                    @Override
                    public Class<?> loadClass(String name) throws ClassNotFoundException {
                        asked.add(name);
                        return super.loadClass(name);
                    }
                };
        var none = USUAL.loader(loader);
        assertThatThrownBy(() -> Trip.graph(bytes, none))
                .isInstanceOf(InvalidClassException.class)
                .hasMessageContaining("SafetyTest$Pair; not allowed here");
        assertThat(asked).isEmpty();
        assertThatThrownBy(() -> Trip.graph(bytes, none.allow(Pair.class)))
                .hasMessageContaining("SafetyTest$Hashed; not allowed here");
        assertThat(asked).containsOnly(Pair.class.getName());
        assertThatThrownBy(() -> Trip.graph(bytes, none.allow(Pair.class).allow(Hashed.class)))
                .hasMessageContaining("Samples; not allowed here");
        assertThat(asked).doesNotContain(Samples.class.getName());
    }

    static boolean initialized;

    static final class Touchy implements Serializable {
        private static final long serialVersionUID = 1L;

        static {
            initialized = true;
        }
    }

    /// Only its name travels, and naming a class does not initialize it.
    @Test
    void a_class_that_is_only_named_is_not_initialized() throws Exception {
        var bytes = Trip.bytes(Touchy[].class);
        assertThat(Trip.graph(bytes, USUAL.allow("org.ibidem.serial.**")))
                .isEqualTo(Touchy[].class);
        assertThat(initialized).isFalse();
    }

    interface Named {
        String name();
    }

    interface Job extends Supplier<String>, Serializable {}

    record Handler(String name) implements InvocationHandler, Serializable {
        @Override
        public Object invoke(Object proxy, java.lang.reflect.Method method, Object[] arguments) {
            return name;
        }
    }

    @Test
    void proxies_are_let_in_only_by_name() throws Exception {
        var proxy =
                Proxy.newProxyInstance(
                        SafetyTest.class.getClassLoader(),
                        new Class<?>[] {Named.class},
                        new Handler("n"));
        var mine = USUAL.allow("org.ibidem.serial.**");
        refused(proxy, mine, "Proxy");
        refused(proxy, USUAL.allow("java.lang.reflect.Proxy").allow(Handler.class), "Named");
        refused(proxy, USUAL.allow("java.lang.reflect.Proxy").allow(Named.class), "Handler");
        var got = (Named) Trip.graph(Trip.bytes(proxy), mine.allow("java.lang.reflect.Proxy"));
        assertThat(got.name()).isEqualTo("n");
    }

    @Test
    void lambdas_are_let_in_only_by_name_and_with_the_class_that_captured_them() throws Exception {
        var captured = "captured";
        Job job = () -> captured + "!";
        var mine = USUAL.allow("org.ibidem.serial.**");
        refused(job, mine, "SerializedLambda");
        refused(job, USUAL.allow("java.lang.invoke.SerializedLambda"), "SafetyTest");
        var got =
                (Job) Trip.graph(Trip.bytes(job), mine.allow("java.lang.invoke.SerializedLambda"));
        assertThat(got.get()).isEqualTo("captured!");
    }

    /// What starts published chains of gadgets, and what they end with.
    @Test
    void classes_known_from_attacks_are_not_let_in() throws Exception {
        refused(java.net.URI.create("http://localhost/").toURL(), USUAL, "java.net.URL");
        refused(new TreeMap<>(Map.of("x", new java.io.File("x"))), USUAL, "java.io.File");
        for (var name :
                List.of(
                        "java.net.URL",
                        "java.beans.beancontext.BeanContextSupport",
                        "java.lang.invoke.SerializedLambda",
                        "java.lang.reflect.Proxy",
                        "java.rmi.server.UnicastRemoteObject",
                        "java.rmi.server.RemoteObjectInvocationHandler",
                        "java.security.SignedObject",
                        "java.util.ServiceLoader",
                        "javax.management.BadAttributeValueExpException",
                        "javax.swing.event.EventListenerList",
                        "javax.swing.UIDefaults",
                        "javax.script.ScriptEngineManager",
                        "sun.reflect.annotation.AnnotationInvocationHandler",
                        "com.sun.rowset.JdbcRowSetImpl",
                        "com.sun.org.apache.xalan.internal.xsltc.trax.TemplatesImpl",
                        "sun.rmi.server.UnicastRef",
                        "java.util.logging.FileHandler")) {
            assertThat(USUAL.allows(name)).as(name).isFalse();
        }
    }

    @Test
    @Tag("slow")
    void truncated_bytes_give_an_exception_that_names_the_place() throws Exception {
        for (var sample : Samples.all().entrySet()) {
            var whole = Trip.outcome(() -> Trip.bytes(sample.getValue()));
            if (whole instanceof byte[] bytes) {
                int step = Math.max(1, bytes.length / 50);
                for (int length = 0; length < bytes.length; length += step) {
                    var part = Arrays.copyOf(bytes, length);
                    for (var codecs : Tiers.all()) {
                        var got = Trip.outcome(() -> Tiers.graph(codecs, part, Trip.POLICY));
                        assertThat(got).as(sample.getKey()).isInstanceOf(Exception.class);
                        assertThat(places((Exception) got))
                                .as(sample.getKey())
                                .contains("at byte ");
                    }
                }
            }
        }
    }

    private static String places(Exception e) {
        return e.getMessage() + Arrays.toString(e.getSuppressed());
    }

    private interface Damage {
        byte[] done(byte[] bytes, RandomGenerator random);
    }

    private static void damage(Damage damage) {
        Seeded.times(
                Boolean.getBoolean("ibidem.full") ? 5000 : 60,
                random -> {
                    var classes = RandomClasses.some(random, false);
                    var bytes = Trip.bytes(RandomGraphs.of(random, classes));
                    for (int i = 0; i < 20; i++) {
                        namesPlaces(damage.done(bytes, random), classes);
                    }
                });
    }

    private static byte[] changed(byte[] bytes, RandomGenerator random) {
        var changed = bytes.clone();
        for (int j = random.nextInt(1, 4); j > 0; j--) {
            changed[random.nextInt(changed.length)] = (byte) random.nextInt();
        }
        return changed;
    }

    @Test
    @Tag("slow")
    void bytes_that_were_changed_do_no_harm() {
        damage(SafetyTest::changed);
    }

    /// Reads it by all codecs: what they throw says where.
    private static void namesPlaces(byte[] bytes, List<Class<?>> classes) {
        var policy = Trip.POLICY.loader(classes.getFirst().getClassLoader());
        for (var codecs : Tiers.all()) {
            var got = Trip.outcome(() -> Tiers.graph(codecs, bytes, policy));
            if (got instanceof Error error) {
                throw error;
            }
            if (got instanceof RuntimeException e) {
                throw new AssertionError("not as bytes are refused that are no graph", e);
            }
            if (got instanceof Exception e && !places(e).contains("at byte ")) {
                throw new AssertionError("it does not say where", e);
            }
        }
    }

    /// Compiled code throws exceptions that were made before, to which nothing can be added.
    @Test
    @Tag("slow")
    void what_is_thrown_again_and_again_says_where() throws Exception {
        // a sorted map of "k" and 1, which nobody can compare
        var bytes = HexFormat.of().parseHex("12270200816b00140100000000");
        for (int i = 0; i < 60_000; i++) {
            var got = Trip.outcome(() -> Trip.graph(bytes, USUAL));
            assertThat((Throwable) got)
                    .as("time %s", i)
                    .isInstanceOf(StreamCorruptedException.class)
                    .hasMessageContaining("at byte ")
                    .hasCauseInstanceOf(ClassCastException.class);
        }
    }

    /// Two pieces of a graph, of any length, in each other's place.
    private static byte[] exchanged(byte[] bytes, RandomGenerator random) {
        var cuts = random.ints(4, 1, bytes.length + 1).sorted().toArray();
        var all = new ByteArrayOutputStream();
        for (int piece : new int[] {2, 1, 0}) {
            all.write(bytes, cuts[piece], cuts[piece + 1] - cuts[piece]);
        }
        var changed = bytes.clone();
        System.arraycopy(all.toByteArray(), 0, changed, cuts[0], all.size());
        return changed;
    }

    @Test
    @Tag("slow")
    void pieces_in_another_order_do_no_harm() {
        damage(SafetyTest::exchanged);
    }

    @Test
    void a_reader_stops_after_a_graph_that_it_could_not_read() throws Exception {
        try (var in = ObjectReader.from(new ByteArrayInputStream(new byte[] {0x10, 99}), USUAL)) {
            assertThatThrownBy(in::read).isInstanceOf(IOException.class);
            assertThatThrownBy(in::read).hasMessageContaining("an earlier graph");
        }
    }
}
