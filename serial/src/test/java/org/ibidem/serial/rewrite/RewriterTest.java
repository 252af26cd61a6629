package org.ibidem.serial.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ObjectStreamClass;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.ibidem.Seeded;
import org.ibidem.Vectors;
import org.ibidem.serial.Tiers;
import org.ibidem.serial.codec.Codecs;
import org.ibidem.serial.graph.Alike;
import org.ibidem.serial.graph.PlainTypes;
import org.ibidem.serial.graph.RandomClasses;
import org.ibidem.serial.graph.RandomGraphs;
import org.ibidem.serial.graph.Samples;
import org.ibidem.serial.graph.Trip;
import org.ibidem.serial.rewrite.Verdict.Kind;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/// Classes with code added to them, beside the same without.
class RewriterTest {
    private static final int TIMES = Boolean.getBoolean("ibidem.full") ? 3000 : 20;

    @TempDir Path folder;

    private Map<String, Verdict> verdicts(Map<String, byte[]> files) throws Exception {
        return Rewriting.rewrite(files, folder).stream()
                .collect(Collectors.toMap(Verdict::name, verdict -> verdict));
    }

    private Class<?> rewrittenSamples() throws Exception {
        var files = Rewriting.graphs();
        Rewriting.rewrite(files, folder);
        var classes = RandomClasses.load(Rewriting.fetch(files, folder));
        Tiers.hurry(classes);
        return classes.stream()
                .filter(type -> type.getName().equals(Samples.class.getName()))
                .findFirst()
                .orElseThrow();
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> all(Class<?> samples) throws Exception {
        return (Map<String, Object>) samples.getMethod("all").invoke(null);
    }

    @TestFactory
    Stream<DynamicTest> rewritten_classes_keep_the_contract() throws Exception {
        var samples = rewrittenSamples();
        return all(samples).entrySet().stream()
                .map(sample ->
                        DynamicTest.dynamicTest(
                                sample.getKey(),
                                () -> Trip.compare(sample.getValue(), samples.getClassLoader())));
    }

    @Test
    void their_bytes_are_those_of_the_code_made_at_run_time() throws Exception {
        var here = Samples.all();
        here.remove("proxy"); // its class is numbered
        here.remove("time"); // that of the making
        var there = all(rewrittenSamples());
        here.forEach((name, graph) ->
                assertThat(Trip.outcome(() -> Trip.bytes(there.get(name))))
                        .as(name)
                        .satisfies(bytes -> same(bytes, graph)));
    }

    private static void same(Object bytes, Object graph) {
        var expected = Trip.outcome(() -> Trip.bytes(graph));
        if (expected instanceof byte[]) {
            assertThat(bytes).isEqualTo(expected);
        } else {
            assertThat(bytes).hasSameClassAs(expected);
        }
    }

    @Test
    void a_machine_of_either_order_is_understood() throws Exception {
        var samples = rewrittenSamples();
        var vectors = Vectors.read("graphs");
        for (var name : List.of("fields", "fields.named")) {
            var expected = all(samples).get(name);
            assertThat(Codecs.STANDARD.known(expected.getClass()).readsAnyOrder()).isTrue();
            for (var bytes : List.of(vectors.get(name), vectors.get("big." + name))) {
                var unsaid = bytes.clone();
                unsaid[0] = (byte) (unsaid[0] & ~2); // the bit that says that nothing is named
                for (var each : List.of(bytes, unsaid)) {
                    var policy = Trip.POLICY.loader(samples.getClassLoader());
                    var got = Tiers.graph(Codecs.STANDARD, each, policy);
                    assertThat(Alike.difference(expected, got))
                            .as("%s, first byte %x", name, each[0])
                            .isNull();
                }
            }
        }
    }

    @Test
    @Tag("slow")
    void random_classes_write_the_same_bytes_and_read_them() {
        Seeded.times(
                TIMES,
                random -> {
                    var files = RandomClasses.files(random, false);
                    var verdicts = verdicts(files);
                    var plain = RandomClasses.load(files);
                    var rewritten = RandomClasses.load(Rewriting.fetch(files, folder));
                    assertUsed(rewritten, verdicts);
                    long seed = random.nextLong();
                    var one = RandomGraphs.of(new java.util.SplittableRandom(seed), plain);
                    var other = RandomGraphs.of(new java.util.SplittableRandom(seed), rewritten);
                    assertThat(Trip.bytes(other)).isEqualTo(Trip.bytes(one));
                    Trip.compareLoosely(other, rewritten.getFirst().getClassLoader());
                });
    }

    @Test
    @Tag("slow")
    void classes_that_have_changed_are_read_as_by_the_jdk_wherever_they_are_rewritten() {
        Seeded.times(
                TIMES,
                random -> {
                    boolean hooked = random.nextBoolean();
                    var versions = RandomClasses.changing(random, hooked);
                    int where = random.nextInt(1, 4);
                    var before = rewrittenIf((where & 1) != 0, versions.before(), "before");
                    var after = rewrittenIf((where & 2) != 0, versions.after(), "after");
                    var here = RandomClasses.load(before);
                    var there = RandomClasses.load(after);
                    Tiers.hurry(here);
                    Tiers.hurry(there);
                    var graph = RandomGraphs.of(random, here);
                    var loader = there.getFirst().getClassLoader();
                    if (hooked) {
                        Trip.compareHooks(graph, loader);
                    } else {
                        Trip.compareLoosely(graph, loader);
                    }
                });
    }

    private Map<String, byte[]> rewrittenIf(boolean yes, Map<String, byte[]> files, String name)
            throws Exception {
        var root = folder.resolve(name);
        if (yes) {
            Rewriting.rewrite(files, root);
        }
        return yes ? Rewriting.fetch(files, root) : files;
    }

    private static void assertUsed(List<Class<?>> classes, Map<String, Verdict> verdicts) {
        for (var type : classes) {
            var kind = verdicts.get(type.getName()).kind();
            assertThat(Codecs.STANDARD.known(type).readsAnyOrder())
                    .as(type + " " + verdicts.get(type.getName()))
                    .isEqualTo(kind == Kind.REWRITTEN);
        }
    }

    @Test
    void the_version_of_a_class_stays() throws Exception {
        var files = Rewriting.graphs();
        var verdicts = verdicts(files);
        for (var type : RandomClasses.load(Rewriting.fetch(files, folder))) {
            var verdict = verdicts.get(type.getName());
            if (verdict != null && verdict.kind() == Kind.REWRITTEN) {
                var before = ObjectStreamClass.lookup(Class.forName(type.getName()));
                assertThat(ObjectStreamClass.lookup(type).getSerialVersionUID())
                        .as(type.getName())
                        .isEqualTo(before.getSerialVersionUID());
            }
        }
    }

    @Test
    void no_class_is_initialized() throws Exception {
        System.clearProperty(PlainTypes.Loud.PROPERTY);
        var verdicts = verdicts(Rewriting.graphs());
        var name = PlainTypes.Louder.class.getName();
        assertThat(verdicts.get(name).kind()).isEqualTo(Kind.REWRITTEN);
        assertThat(System.getProperty(PlainTypes.Loud.PROPERTY)).isNull();
    }

    @Test
    void a_list_by_an_inherited_field_is_rewritten() throws Exception {
        var name = PlainTypes.InheritedChain.class.getName();
        assertThat(verdicts(Rewriting.graphs()).get(name).kind()).isEqualTo(Kind.REWRITTEN);
    }

    @Tag("slow")
    @Test
    void rewriting_again_changes_nothing() throws Exception {
        var files = Rewriting.graphs();
        var first = verdicts(files);
        var once = Rewriting.fetch(files, folder);
        var second = verdicts(once);
        assertThat(Rewriting.fetch(files, folder)).usingRecursiveComparison().isEqualTo(once);
        first.forEach((name, verdict) ->
                assertThat(second.get(name).kind())
                        .as(name)
                        .isEqualTo(verdict.kind() == Kind.LEFT ? Kind.LEFT : Kind.AS_BEFORE));
    }

    @Test
    void all_classes_in_a_jar_that_fit_are_rewritten() throws Exception {
        var files = Rewriting.graphs();
        var jar = folder.resolve("graphs.jar");
        try (var out =
                new java.util.jar.JarOutputStream(java.nio.file.Files.newOutputStream(jar))) {
            for (var file : files.entrySet()) {
                out.putNextEntry(
                        new java.util.zip.ZipEntry(file.getKey().replace('.', '/') + ".class"));
                out.write(file.getValue());
            }
        }
        var verdicts = new Rewriter(List.of()).rewrite(List.of(jar));
        var alone = verdicts(files);
        assertThat(verdicts).containsExactlyInAnyOrderElementsOf(alone.values());
        var expected = Rewriting.fetch(files, folder);
        try (var in = new java.util.jar.JarFile(jar.toFile())) {
            for (var name : files.keySet()) {
                var entry = in.getJarEntry(name.replace('.', '/') + ".class");
                assertThat(in.getInputStream(entry).readAllBytes()).isEqualTo(expected.get(name));
            }
        }
    }

    @Test
    void what_cannot_be_rewritten_is_left_and_says_why() throws Exception {
        var files = Rewriting.graphs();
        var verdicts = verdicts(files);
        assertThat(why(verdicts, "PlainTypes$Color")).contains("an enum");
        assertThat(why(verdicts, "PlainTypes$Point3")).contains("a record");
        assertThat(why(verdicts, "HookTypes$Custom")).contains("a writeObject of its own");
        assertThat(why(verdicts, "HookTypes$Ext")).contains("Externalizable");
        assertThat(why(verdicts, "HookTypes$PersistentSubset")).contains("serialPersistentFields");
        assertThat(why(verdicts, "PlainTypes$MyList")).contains("java.util.ArrayList");
        assertThat(why(verdicts, "PlainTypes$OfNoSuchConstructor"))
                .contains("NoSuchConstructor", "no constructor without arguments");
        var left = Rewriting.fetch(files, folder);
        verdicts.values().stream()
                .filter(verdict -> verdict.kind() == Kind.LEFT)
                .forEach(verdict ->
                        assertThat(left.get(verdict.name())).isEqualTo(files.get(verdict.name())));
    }

    private static String why(Map<String, Verdict> verdicts, String name) {
        return verdicts.get("org.ibidem.serial.graph." + name).why();
    }

    @Test
    void code_that_does_not_fit_the_superclass_any_more_is_not_used() throws Exception {
        var files = Rewriting.graphs();
        verdicts(files);
        var mixed = Rewriting.fetch(files, folder);
        var parent = "org.ibidem.serial.graph.PlainTypes$Parent";
        var child = "org.ibidem.serial.graph.PlainTypes$Child";
        mixed.put(parent, files.get(parent));
        for (var type : RandomClasses.load(mixed)) {
            if (type.getName().equals(child)) {
                assertThat(Codecs.STANDARD.known(type).readsAnyOrder()).isFalse();
            }
        }
    }
}
