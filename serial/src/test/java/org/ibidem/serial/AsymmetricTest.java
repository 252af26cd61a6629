package org.ibidem.serial;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.concurrent.LinkedTransferQueue;
import org.ibidem.serial.graph.Trip;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/// `writeObject` and `readObject` that do not match: every way to write with every way to read, and
/// what the JDK makes of it.
@SuppressWarnings("serial") // fields hold anything; methods throw what their ways do
@Isolated("what the methods do is said in fields of this class")
class AsymmetricTest {
    interface Way<S> {
        void go(Part part, S stream) throws IOException, ClassNotFoundException;
    }

    private static Way<ObjectOutputStream> writing = (_, _) -> {};
    private static Way<ObjectInputStream> reading = (_, _) -> {};

    /// Says what it holds, and what its `readObject` has read.
    abstract static class Part {
        final StringJoiner read = new StringJoiner(", ", "read [", "]");

        abstract String fields();

        @Override
        public String toString() {
            return fields() + " " + read;
        }
    }

    static final class None extends Part implements Serializable {
        private static final long serialVersionUID = 1L;

        private void writeObject(ObjectOutputStream out)
                throws IOException, ClassNotFoundException {
            writing.go(this, out);
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            reading.go(this, in);
        }

        @Override
        String fields() {
            return "none";
        }
    }

    /// Its own class is the type of one: that is written last here, and second by the JDK.
    static final class References extends Part implements Serializable {
        private static final long serialVersionUID = 1L;
        Object a = "a";
        References b;
        Object c = List.of("c");

        private void writeObject(ObjectOutputStream out)
                throws IOException, ClassNotFoundException {
            writing.go(this, out);
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            reading.go(this, in);
        }

        @Override
        String fields() {
            return a + " " + b + " " + c;
        }
    }

    static final class Primitives extends Part implements Serializable {
        private static final long serialVersionUID = 1L;
        int x = 7;
        Object a = "a";

        private void writeObject(ObjectOutputStream out)
                throws IOException, ClassNotFoundException {
            writing.go(this, out);
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            reading.go(this, in);
        }

        @Override
        String fields() {
            return x + " " + a;
        }
    }

    static final class OnlyWritten extends Part implements Serializable {
        private static final long serialVersionUID = 1L;
        Object a = "a";
        Object c = 3;

        private void writeObject(ObjectOutputStream out)
                throws IOException, ClassNotFoundException {
            writing.go(this, out);
        }

        @Override
        String fields() {
            return a + " " + c;
        }
    }

    static final class OnlyRead extends Part implements Serializable {
        private static final long serialVersionUID = 1L;
        Object a = "a";
        Object c = 3;

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            reading.go(this, in);
        }

        @Override
        String fields() {
            return a + " " + c;
        }
    }

    private static final Map<String, Way<ObjectOutputStream>> WRITES = new LinkedHashMap<>();
    private static final Map<String, Way<ObjectInputStream>> READS = new LinkedHashMap<>();

    static {
        WRITES.put("nothing", (_, _) -> {});
        WRITES.put("fields", (_, out) -> out.defaultWriteObject());
        WRITES.put(
                "fields twice",
                (_, out) -> {
                    out.defaultWriteObject();
                    out.defaultWriteObject();
                });
        WRITES.put("put fields", (part, out) -> putFields(part, out));
        WRITES.put("one object", (_, out) -> out.writeObject("first"));
        WRITES.put(
                "three objects",
                (_, out) -> {
                    out.writeObject("first");
                    out.writeObject(null);
                    out.writeObject("third");
                });
        WRITES.put("a number", (_, out) -> out.writeInt(5));
        WRITES.put(
                "a number and fields",
                (_, out) -> {
                    out.writeInt(5);
                    out.defaultWriteObject();
                });
        WRITES.put(
                "two numbers, fields, a number and an object",
                (_, out) -> {
                    out.writeInt(5);
                    out.writeInt(6);
                    out.defaultWriteObject();
                    out.writeInt(7);
                    out.writeObject("last");
                });
        WRITES.put(
                "fields and an object",
                (_, out) -> {
                    out.defaultWriteObject();
                    out.writeObject("last");
                });
        WRITES.put(
                "fields and a number",
                (_, out) -> {
                    out.defaultWriteObject();
                    out.writeInt(5);
                });
        WRITES.put(
                "put fields after fields",
                (part, out) -> {
                    out.defaultWriteObject();
                    putFields(part, out);
                });

        READS.put("nothing", (_, _) -> {});
        READS.put("fields", (_, in) -> in.defaultReadObject());
        READS.put(
                "fields twice",
                (_, in) -> {
                    in.defaultReadObject();
                    in.defaultReadObject();
                });
        READS.put("get fields", (part, in) -> getFields(part, in));
        READS.put(
                "get fields twice",
                (part, in) -> {
                    getFields(part, in);
                    getFields(part, in);
                });
        READS.put("one object", (part, in) -> part.read.add("" + in.readObject()));
        READS.put(
                "three objects",
                (part, in) -> {
                    for (int i = 0; i < 3; i++) {
                        part.read.add("" + in.readObject());
                    }
                });
        READS.put("an unshared object", (part, in) -> part.read.add("" + in.readUnshared()));
        READS.put("a number", (part, in) -> part.read.add("" + in.readInt()));
        READS.put(
                "a number and fields",
                (part, in) -> {
                    part.read.add("" + in.readInt());
                    in.defaultReadObject();
                });
        READS.put(
                "one object and fields",
                (part, in) -> {
                    part.read.add("" + in.readObject());
                    in.defaultReadObject();
                });
        READS.put(
                "fields and an object",
                (part, in) -> {
                    in.defaultReadObject();
                    part.read.add("" + in.readObject());
                });
        READS.put(
                "fields and a number",
                (part, in) -> {
                    in.defaultReadObject();
                    part.read.add("" + in.readInt());
                });
        READS.put(
                "two numbers, a byte and an object",
                (part, in) -> {
                    part.read.add("" + in.readInt()).add("" + in.readInt());
                    part.read.add("" + in.read());
                    part.read.add("" + in.readObject());
                });
    }

    private static void putFields(Part part, ObjectOutputStream out) throws IOException {
        var fields = out.putFields();
        if (!(part instanceof None)) {
            fields.put("a", "put");
        }
        out.writeFields();
    }

    private static void getFields(Part part, ObjectInputStream in)
            throws IOException, ClassNotFoundException {
        var fields = in.readFields();
        if (!(part instanceof None)) {
            part.read.add("" + fields.get("a", "default"));
        }
    }

    private static References references() {
        var part = new References();
        part.b = new References();
        part.b.a = "inner";
        return part;
    }

    private static String jdk(Object graph) throws IOException, ClassNotFoundException {
        var bytes = new ByteArrayOutputStream();
        try (var out = new ObjectOutputStream(bytes)) {
            out.writeObject(graph);
        }
        try (var in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            return Arrays.toString((Object[]) in.readObject());
        }
    }

    /// Where the JDK cannot tell fields from what a method wrote, or from the next object, it fails
    /// or makes something up; here they are known, and what nobody asks for is passed over.
    private static final List<String> differences = new ArrayList<>();

    private static void compare(Object graph, boolean exact, String pair) {
        var theirs = Trip.outcome(() -> jdk(graph));
        for (var codecs : Tiers.all()) {
            var ours =
                    Trip.outcome(() ->
                            Arrays.toString(
                                    (Object[])
                                            Tiers.graph(
                                                    codecs,
                                                    Tiers.bytes(codecs, graph),
                                                    Trip.POLICY)));
            boolean whole = theirs instanceof String text && text.endsWith(", end]");
            boolean fails = exact && theirs instanceof Exception && !(ours instanceof Exception);
            if (whole ? !theirs.equals(ours) : fails) {
                differences.add(pair + ": " + theirs + " with the JDK, " + ours + " here");
            }
        }
    }

    @Test
    void every_way_to_read_gets_what_the_jdk_makes_of_every_way_to_write() {
        for (var write : WRITES.entrySet()) {
            for (var read : READS.entrySet()) {
                writing = write.getValue();
                reading = read.getValue();
                for (var part :
                        List.of(
                                new None(),
                                references(),
                                new Primitives(),
                                new OnlyWritten(),
                                new OnlyRead())) {
                    var pair =
                            part.getClass().getSimpleName()
                                    + " written by "
                                    + write.getKey()
                                    + ", read by "
                                    + read.getKey();
                    boolean exact = isExact(part, read.getKey());
                    compare(new Object[] {part, "end"}, exact, pair);
                }
            }
        }
        assertThat(differences).isEmpty();
    }

    /// Whether what fails with the JDK has to fail here.
    private static boolean isExact(Part part, String read) {
        return read.contains("fields")
                ? !(part instanceof OnlyRead)
                : !(part instanceof Primitives) && !read.equals("nothing");
    }

    @Test
    void a_queue_of_the_jdk_that_does_not_read_its_fields_arrives() throws Exception {
        var queue = new LinkedTransferQueue<>(List.of("a", "b"));
        for (var codecs : Tiers.all()) {
            var read = Tiers.graph(codecs, Tiers.bytes(codecs, queue), Trip.POLICY);
            assertThat(read).isInstanceOf(LinkedTransferQueue.class).hasToString("[a, b]");
        }
    }
}
