package org.ibidem.serial;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputFilter.FilterInfo;
import java.io.ObjectInputFilter.Status;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.BinaryOperator;
import java.util.stream.Stream;
import org.ibidem.serial.graph.Trip;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The filters of the JVM (JEP 290) and its filter factory (JEP 415): set once in the life of a
/// process, so each is tried in one of its own.
@Tag("slow")
class JdkFilterTest {
    private static String output(List<String> options, String... arguments)
            throws IOException, InterruptedException {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var line = new ArrayList<>(List.of(java, "-XX:TieredStopAtLevel=1", "-cp", path()));
        line.addAll(options);
        line.add(Main.class.getName());
        line.addAll(List.of(arguments));
        var process = new ProcessBuilder(line).redirectErrorStream(true).start();
        try (var out = process.getInputStream()) {
            var text = new String(out.readAllBytes(), StandardCharsets.UTF_8);
            process.waitFor();
            return text;
        }
    }

    /// Where classes of tests and of the module lie.
    private static String path() {
        var places =
                Stream.of(Main.class, ObjectReader.class, org.assertj.core.api.Assertions.class)
                        .map(type -> type.getProtectionDomain().getCodeSource().getLocation())
                        .map(place -> Path.of(place.getPath()).toString());
        var modules = System.getProperty("jdk.module.path", "");
        return Stream.concat(
                        places,
                        Stream.of(modules, System.getProperty("java.class.path"))
                                .filter(text -> !text.isEmpty()))
                .reduce((one, other) -> one + File.pathSeparator + other)
                .orElseThrow();
    }

    @Test
    void the_filter_of_the_process_is_asked_too() throws Exception {
        assertThat(output(List.of("-Djdk.serialFilter=!java.util.LinkedList"), "list"))
                .contains("filter status: REJECTED");
        assertThat(output(List.of("-Djdk.serialFilter=maxarray=5"), "array"))
                .contains("filter status: REJECTED");
        assertThat(output(List.of("-Djdk.serialFilter=maxdepth=3"), "deep"))
                .contains("filter status: REJECTED");
        assertThat(output(List.of("-Djdk.serialFilter=maxrefs=20"), "refs"))
                .contains("filter status: REJECTED");
        assertThat(output(List.of("-Djdk.serialFilter=maxbytes=500"), "refs"))
                .contains("filter status: REJECTED");
        assertThat(output(List.of("-Djdk.serialFilter=java.util.*"), "list")).contains("read [x]");
    }

    @Test
    void the_filter_factory_gets_ours_and_what_it_makes_is_asked() throws Exception {
        var factory = "-Djdk.serialFilterFactory=" + Factory.class.getName();
        var text = output(List.of(factory), "list");
        assertThat(text).contains("class java.util.LinkedList, -1 elements, depth 1,");
        assertThat(text).contains("filter status: REJECTED");
        assertThat(output(List.of(factory), "array")).contains("class [I, 10 elements, depth 1,");
        assertThat(output(List.of(factory), "deep"))
                .contains("class [Ljava.lang.Object;, 1 elements, depth 5,");
    }

    /// Says in the process that reads it when it is initialized.
    static final class Loud implements Serializable {
        private static final long serialVersionUID = 1L;

        static {
            System.out.println("initialized");
        }
    }

    enum LoudConstant {
        ONE;

        static {
            System.out.println("initialized");
        }
    }

    @Test
    void a_class_that_the_filter_refuses_is_not_initialized() throws Exception {
        for (var graph : List.of(new Loud(), LoudConstant.ONE, new Loud[] {new Loud()})) {
            var bytes = HexFormat.of().formatHex(Trip.bytes(graph));
            var name = graph.getClass().getName().replaceAll("^\\[L|;$", "");
            for (int refused = 0; refused < 3; refused++) {
                var text =
                        refused == 0
                                ? output(List.of("-Djdk.serialFilter=!" + name), "hex", bytes, name)
                                : output(List.of(), "hex", bytes, refused == 1 ? "" : name);
                assertThat(text)
                        .contains(List.of("REJECTED", "not allowed here", "read ").get(refused));
                assertThat(text.contains("initialized")).as(text).isEqualTo(refused == 2);
            }
        }
    }

    /// The superclass of a class that is let in.
    static class LoudParent implements Serializable {
        private static final long serialVersionUID = 1L;

        static {
            System.out.println("initialized");
        }
    }

    static final class Child extends LoudParent {
        private static final long serialVersionUID = 1L;
    }

    @Test
    void a_superclass_that_is_refused_is_not_initialized() throws Exception {
        var bytes = HexFormat.of().formatHex(Trip.bytes(new Child()));
        var child = Child.class.getName();
        var both = child + "," + LoudParent.class.getName();
        var filter = List.of("-Djdk.serialFilter=!" + LoudParent.class.getName());
        assertThat(output(filter, "hex", bytes, both))
                .contains("REJECTED")
                .doesNotContain("initialized");
        assertThat(output(List.of(), "hex", bytes, child))
                .contains("LoudParent; not allowed here, as a superclass of " + child)
                .doesNotContain("initialized");
        assertThat(output(List.of(), "hex", bytes, both)).contains("read ", "initialized");
    }

    @Test
    void the_filter_is_asked_for_the_classes_for_which_the_jdk_asks() throws Exception {
        var graph = new Object[] {new Child(), 7, TimeUnit.DAYS, new LinkedHashMap<>()};
        var own = Child.class.getName() + "," + LoudParent.class.getName();
        var factory = List.of("-Djdk.serialFilterFactory=" + Factory.class.getName());
        var ours = output(factory, "hex", HexFormat.of().formatHex(Trip.bytes(graph)), own);
        var written = new ByteArrayOutputStream();
        try (var out = new ObjectOutputStream(written)) {
            out.writeObject(graph);
        }
        var bytes = HexFormat.of().formatHex(written.toByteArray());
        var jdk = output(factory, "jdk", bytes, own);
        assertThat(classesAsked(jdk)).contains("class java.lang.Number", "class java.lang.Enum");
        assertThat(classesAsked(ours)).isEqualTo(classesAsked(jdk));
    }

    private static Set<String> classesAsked(String text) {
        assertThat(text).contains("read ");
        var asked = new TreeSet<String>();
        for (var line : text.split("\n", -1)) {
            int end = line.indexOf(", -1 elements");
            if (line.startsWith("class ") && end > 0) {
                asked.add(line.substring(0, end));
            }
        }
        return asked;
    }

    /// Says what it is asked, and refuses linked lists.
    public static final class Factory implements BinaryOperator<ObjectInputFilter> {
        @Override
        public ObjectInputFilter apply(ObjectInputFilter before, ObjectInputFilter next) {
            return next == null ? null : info -> judge(info, next);
        }

        private static Status judge(FilterInfo info, ObjectInputFilter ours) {
            System.out.println(
                    info.serialClass()
                            + ", "
                            + info.arrayLength()
                            + " elements, depth "
                            + info.depth()
                            + ", "
                            + info.references()
                            + " references, "
                            + info.streamBytes()
                            + " bytes");
            return info.serialClass() == java.util.LinkedList.class
                    ? Status.REJECTED
                    : ours.checkInput(info);
        }
    }

    /// The process.
    @SuppressWarnings("JdkObsolete") // a class that is let in
    public static final class Main {
        /// Writes and reads something.
        public static void main(String[] args) throws Exception {
            switch (args[0]) {
                case "hex" -> read(HexFormat.of().parseHex(args[1]), allowing(args[2]));
                case "jdk" -> readByJdk(HexFormat.of().parseHex(args[1]), allowing(args[2]));
                default -> read(Trip.bytes(graph(args[0])), ObjectPolicy.NOTHING_BUT_VALUES);
            }
        }

        private static ObjectPolicy allowing(String names) {
            var policy = ObjectPolicy.NOTHING_BUT_VALUES;
            for (var name : names.split(",", -1)) {
                policy = name.isEmpty() ? policy : policy.allow(name);
            }
            return policy;
        }

        private static void readByJdk(byte[] bytes, ObjectPolicy policy) throws Exception {
            try (var in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
                in.setObjectInputFilter(policy.filter());
                System.out.println("read " + in.readObject());
            }
        }

        private static void read(byte[] bytes, ObjectPolicy policy) throws ClassNotFoundException {
            try {
                var read = Trip.graph(bytes, policy);
                System.out.println("read " + (read instanceof int[] a ? Arrays.toString(a) : read));
            } catch (IOException e) {
                System.out.println(e);
            }
        }

        private static Object graph(String name) {
            Object deep = "end";
            for (int i = 0; i < 5; i++) {
                deep = new ArrayList<>(List.of(deep));
            }
            var many = new ArrayList<Object>();
            for (int i = 0; i < 100; i++) {
                many.add(new long[] {i});
            }
            return switch (name) {
                case "list" -> new java.util.LinkedList<>(List.of("x"));
                case "array" -> new int[10];
                case "deep" -> deep;
                default -> many;
            };
        }
    }
}
