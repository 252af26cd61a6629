package org.ibidem.serial;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InvalidClassException;
import java.io.InvalidObjectException;
import java.io.ObjectStreamClass;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import javax.tools.ToolProvider;
import org.ibidem.serial.graph.RandomClasses;
import org.ibidem.serial.graph.Trip;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A class that is another one at the receiver: what the JDK reads is read, and what it refuses is
/// refused with its words.
@Tag("slow")
class EvolutionTest {
    private static final String IMPORTS = "package generated; import java.io.*; ";

    @TempDir Path folder;

    private int versions;

    /// Compiles classes of a package, and loads them apart from all others of these names.
    private List<Class<?>> classes(String source) throws IOException {
        var out = Files.createDirectories(folder.resolve("version" + versions++));
        var file = Files.writeString(out.resolve("All.java"), IMPORTS + source);
        int status =
                ToolProvider.getSystemJavaCompiler()
                        .run(null, null, null, "-Xlint:none", "-d", out.toString(), file + "");
        assertThat(status).isZero();
        var files = new LinkedHashMap<String, byte[]>();
        try (var all = Files.list(out.resolve("generated"))) {
            for (var each : all.sorted().toList()) {
                var name = each.getFileName().toString().replace(".class", "");
                files.put("generated." + name, Files.readAllBytes(each));
            }
        }
        return RandomClasses.load(files);
    }

    private static Class<?> find(List<Class<?>> classes, String name) {
        return classes.stream()
                .filter(type -> type.getSimpleName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /// What the sender has: `graph` is an expression.
    private Object graph(String source, String graph) throws Exception {
        var maker = " public class All { public static Object graph() { return " + graph + "; } }";
        var all = find(classes(source + maker), "All");
        return all.getMethod("graph").invoke(null);
    }

    /// Compares what arrives with what arrives by the JDK, and gives that.
    private static Object arrives(Object graph, List<Class<?>> there) {
        var loader = there.getFirst().getClassLoader();
        Trip.compare(graph, loader);
        return Trip.outcome(() -> Trip.throughJdk(graph, loader));
    }

    private Object arrives(String before, String graph, String after) throws Exception {
        return arrives(graph(before, graph), classes(after));
    }

    private void arrivesAs(String text, String before, String graph, String after)
            throws Exception {
        assertThat(String.valueOf(arrives(before, graph, after))).isEqualTo(text);
    }

    private void refused(String message, String before, String graph, String after)
            throws Exception {
        assertThat(arrives(before, graph, after))
                .isInstanceOf(InvalidClassException.class)
                .extracting(Object::toString)
                .asString()
                .contains(message);
    }

    private static String plain(int version) {
        return "class P implements Serializable { static final long serialVersionUID = "
                + version
                + "L; int n = 3; String s = \"s\"; public String toString() { return n + s; } } ";
    }

    private static String words(long there, long here) {
        return "local class incompatible: stream classdesc serialVersionUID = "
                + there
                + ", local class serialVersionUID = "
                + here;
    }

    @Test
    void another_version_is_refused_as_by_the_jdk() throws Exception {
        arrivesAs("3s", plain(1), "new P()", plain(1));
        refused("generated.P; " + words(1, 2), plain(1), "new P()", plain(2));
        refused(words(1, 2), plain(1), "new Object[] {1, new P()}", plain(2));
        refused(words(1, 2), plain(1), "P.class", plain(2));
        var child = "class C extends P { static final long serialVersionUID = 5L; int m; }";
        refused("generated.P; " + words(1, 2), plain(1) + child, "new C()", plain(2) + child);
        var custom =
                "class P implements Serializable { static final long serialVersionUID = %dL;"
                        + " private void writeObject(ObjectOutputStream out) throws IOException"
                        + " { out.defaultWriteObject(); out.writeInt(4); } }";
        refused(words(1, 2), custom.formatted(1), "new P()", custom.formatted(2));
        refused(words(1, 2), custom.formatted(1), "new P()", plain(2));
        var external =
                "class P implements Externalizable { static final long serialVersionUID = %dL;"
                        + " public P() {} public void writeExternal(ObjectOutput out) {}"
                        + " public void readExternal(ObjectInput in) {} }";
        refused(words(1, 2), external.formatted(1), "new P()", external.formatted(2));
    }

    @Test
    void records_enums_and_arrays_have_no_version_to_differ_in() throws Exception {
        var record =
                "record R(int n, String s) implements Serializable"
                        + " { static final long serialVersionUID = %dL; }";
        arrivesAs("R[n=1, s=x]", record.formatted(1), "new R(1, \"x\")", record.formatted(2));
        arrives(record.formatted(1), "R.class", record.formatted(2));
        var constants = "enum E { ONE, TWO; static final long serialVersionUID = %dL; }";
        arrivesAs("TWO", constants.formatted(1), "E.TWO", constants.formatted(2));
        var array = (Object[]) arrives(plain(1), "new P[] {null}", plain(2));
        assertThat(array).containsExactly((Object) null);
    }

    /// What is computed depends on the methods, too.
    @Test
    void a_version_that_is_not_declared_is_computed() throws Exception {
        var bare = "class P implements Serializable { int n = 4; %s }";
        var graph = graph(bare.formatted(""), "new P()");
        long computed = ObjectStreamClass.lookup(graph.getClass()).getSerialVersionUID();
        assertThat(arrives(graph, classes(bare.formatted("")))).isNotInstanceOf(Exception.class);
        var said =
                "static final long serialVersionUID = "
                        + computed
                        + "L; String more; public String toString() { return n + more; }";
        assertThat(arrives(graph, classes(bare.formatted(said)))).hasToString("4null");
        var other = classes(bare.formatted("void method() {}"));
        long otherComputed = ObjectStreamClass.lookup(find(other, "P")).getSerialVersionUID();
        assertThat((Exception) arrives(graph, other))
                .isInstanceOf(InvalidClassException.class)
                .hasMessageContaining(words(computed, otherComputed));
        refused(words(1, computed), plain(1), "new P()", bare.formatted(""));
    }

    private static String base(String noData) {
        return "class Base implements Serializable { static final long serialVersionUID = 1L;"
                + " int base = 1; transient int late;"
                + " private void readObjectNoData() throws ObjectStreamException { "
                + noData
                + " } } ";
    }

    private static String child(String parent, String more) {
        return "class P "
                + parent
                + " implements Serializable { static final long serialVersionUID = 1L;"
                + " int mine = 3; P next; "
                + more
                + " } ";
    }

    private static final String SAYS =
            "public String toString() { return mine + \" \" + base + \" \" + late; } ";

    @Test
    void read_object_no_data_is_called_where_nothing_came_for_a_superclass() throws Exception {
        var custom =
                "private void writeObject(ObjectOutputStream out) throws IOException"
                        + " { out.defaultWriteObject(); out.writeInt(4); } ";
        for (var own : List.of("", custom)) {
            var after = base("base = 7; late = 8;") + child("extends Base", own + SAYS);
            arrivesAs("3 7 8", child("", own), "new P()", after);
            var middle =
                    "class Top implements Serializable { static final long serialVersionUID = 1L;"
                            + " int top = 5; } ";
            arrivesAs(
                    "3 7 8",
                    middle + child("extends Top", own),
                    "new P()",
                    middle + after.replace("class Base", "class Base extends Top"));
            // a superclass that was there, and was not serializable
            arrivesAs(
                    "3 7 8",
                    "class Base { int base = 9; } " + child("extends Base", own),
                    "new P()",
                    after);
        }
    }

    @Test
    void what_read_object_no_data_throws_arrives() throws Exception {
        var after =
                base("throw new InvalidObjectException(\"no data\");")
                        + child("extends Base", SAYS);
        assertThat(arrives(child("", ""), "new P()", after))
                .isInstanceOf(InvalidObjectException.class);
        // nothing is missing: it is not called
        arrivesAs("3 1 0", after, "new P()", after);
    }

    @Test
    void constants_are_found_by_name_and_those_that_are_not_here_refused() throws Exception {
        var before = "enum E { ONE, TWO, THREE } ";
        var after = "enum E { ZERO, TWO, ONE } ";
        arrivesAs("ONE", before, "E.ONE", after);
        arrivesAs("TWO", before, "E.TWO", after);
        assertThat(arrives(before, "E.THREE", after))
                .isInstanceOf(InvalidObjectException.class)
                .extracting(Object::toString)
                .asString()
                .contains("enum constant THREE does not exist in class");
        arrives(before, "new java.util.ArrayList<>(java.util.List.of(E.ONE, E.THREE))", after);
        arrives(before, "new java.util.EnumMap<>(java.util.Map.of(E.ONE, 1))", after);
        arrives(before, "java.util.EnumSet.of(E.ONE, E.TWO)", after);
    }

    @Test
    void serializable_and_externalizable_do_not_fit_each_other() throws Exception {
        var external =
                "class P implements Externalizable { static final long serialVersionUID = 1L;"
                        + " public P() {} public void writeExternal(ObjectOutput out) {}"
                        + " public void readExternal(ObjectInput in) {} }";
        refused("incompatible with Externalizable", plain(1), "new P()", external);
        refused("incompatible with Externalizable", external, "new P()", plain(1));
    }

    @Test
    void what_is_no_such_class_any_more_is_refused() throws Exception {
        refused("class invalid for deserialization", plain(1), "new P()", "class P {}");
        refused("cannot bind enum", "enum P { ONE }", "P.ONE", plain(1));
        refused("cannot bind non-enum", plain(1), "new P()", "enum P { ONE }");
    }

    @Test
    void a_field_that_is_no_longer_here_can_be_asked_for_by_name() throws Exception {
        var asks =
                "class P implements Serializable { static final long serialVersionUID = 1L;"
                        + " transient String read;"
                        + " private void readObject(ObjectInputStream in)"
                        + " throws IOException, ClassNotFoundException { var f = in.readFields();"
                        + " read = f.get(\"n\", 0) + (String) f.get(\"s\", null)"
                        + " + f.defaulted(\"n\"); try { f.get(\"n\", 0L); }"
                        + " catch (IllegalArgumentException e) { read += \" no long\"; } }"
                        + " public String toString() { return read; } }";
        arrivesAs("3sfalse no long", plain(1), "new P()", asks);
        var writes = " private void writeObject(ObjectOutputStream out) throws IOException";
        var custom = plain(1).replace("int n", writes + " { out.defaultWriteObject(); } int n");
        arrivesAs("3sfalse no long", custom, "new P()", asks);
    }

    @Test
    void a_record_of_values_is_resolved_where_its_class_does_that_now() throws Exception {
        var record = "record R(int n, String s) implements Serializable { %s } ";
        var resolves = record.formatted("Object readResolve() { return n + s; }");
        arrivesAs("1x", record.formatted(""), "new R(1, \"x\")", resolves);
        var holds = "record H(Object held) implements Serializable {} ";
        arrivesAs(
                "H[held=1x]",
                record.formatted("") + holds,
                "new H(new R(1, \"x\"))",
                resolves + holds);
    }

    @Test
    void what_is_read_as_unshared_cannot_be_named_inside_itself() throws Exception {
        var reads =
                "class P implements Serializable { static final long serialVersionUID = 1L;"
                        + " Object[] inside = new Object[1]; { inside[0] = inside; }"
                        + " private void writeObject(ObjectOutputStream out) throws IOException"
                        + " { out.writeObject(inside); } private void readObject("
                        + "ObjectInputStream in) throws IOException, ClassNotFoundException"
                        + " { inside = (Object[]) in.%s(); }"
                        + " public String toString() { return \"\" + (inside[0] == inside); } }";
        var shared = reads.formatted("readObject");
        arrivesAs("true", shared, "new P()", shared);
        assertThat(arrives(shared, "new P()", reads.formatted("readUnshared")))
                .isInstanceOf(InvalidObjectException.class)
                .extracting(Object::toString)
                .asString()
                .contains("cannot read back reference to unshared object");
    }

    /// As with the JDK, but for the order in which fields are read: those of a class's own type
    /// come last.
    @Test
    void what_is_part_of_itself_is_there_as_before_it_was_resolved() throws Exception {
        var resolved =
                "class P implements Serializable { Object[] inside = {this};"
                        + " Object readResolve() { return null; } }"
                        + " class Other implements Serializable { Object b; }"
                        + " class L implements Serializable { %s a = null; Object b;"
                        + " public String toString() { return"
                        + " ((Object[]) b)[0] == null ? \"after\" : \"before\"; }"
                        + " static L of(P p) { L l = new L(); l.a = new %s(); l.a.b = p;"
                        + " l.b = p.inside; return l; } } ";
        var other = resolved.formatted("Other", "Other");
        arrivesAs("before", other, "L.of(new P())", other);
        var own = resolved.formatted("L", "L");
        var graph = graph(own, "L.of(new P())");
        var there = classes(own).getFirst().getClassLoader();
        assertThat(Trip.throughJdk(graph, there)).hasToString("before");
        var policy = Trip.POLICY.loader(there);
        assertThat(Trip.graph(Trip.bytes(graph), policy)).hasToString("after");
    }
}
