package org.ibidem.serial;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.nio.ByteOrder;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.ibidem.Vectors;
import org.ibidem.serial.graph.Alike;
import org.ibidem.serial.graph.PlainTypes.Fields;
import org.ibidem.serial.graph.Trip;
import org.junit.jupiter.api.Test;

/// The bytes of `docs/wire/objects.md`.
@SuppressWarnings("serial") // they hold what they hold
class GraphVectorsTest {
    /// In the first byte: no object is named.
    private static final int UNNAMED = 2;

    static class Base implements Serializable {
        private static final long serialVersionUID = 1L;
        int number = 7;
        String name = "right";
    }

    static final class Link extends Base {
        private static final long serialVersionUID = 2L;
        long time = -1;
        boolean done = true;
        Object other;
    }

    record Pair(int one, String other) implements Serializable {
        private static final long serialVersionUID = 3L;
    }

    enum Color {
        RED,
        GREEN
    }

    static final class Custom implements Serializable {
        private static final long serialVersionUID = 4L;
        int kept = 5;

        private void writeObject(ObjectOutputStream out) throws IOException {
            out.defaultWriteObject();
            out.writeShort(258);
            out.writeObject("inside");
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            assertThat(in.readShort()).isEqualTo((short) 258);
            assertThat(in.readObject()).isEqualTo("inside");
        }
    }

    private static Map<String, Object> graphs() {
        var graphs = new LinkedHashMap<String, Object>();
        graphs.put("null", null);
        graphs.put("text", "abc");
        graphs.put("text.wide", "\u20ac");
        graphs.put("text.long", "x".repeat(130));
        graphs.put("ints", new int[] {1, -2});
        graphs.put("list", new ArrayList<>(List.of("a", 1, 2L, true)));
        graphs.put("map", new TreeMap<>(Map.of("k", 1.5)));
        graphs.put("values", new Object[] {new UUID(1, 2), LocalDate.of(2026, 11, 21)});
        var link = new Link();
        link.other = link;
        graphs.put("object", link);
        graphs.put("record", new Pair[] {new Pair(1, "x"), null});
        graphs.put("enum", Color.GREEN);
        graphs.put("custom", new Custom());
        graphs.put("class", new Object[] {int.class, String.class});
        var named = new int[] {7};
        graphs.put("named", new ArrayList<>(List.of(named, named)));
        graphs.put("fields", Fields.leadingTo(true));
        graphs.put("fields.named", Fields.leadingTo(false));
        return graphs;
    }

    @Test
    void graphs_are_written_as_the_page_says() throws Exception {
        if (ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN) {
            var vectors = Vectors.read("graphs");
            for (var graph : graphs().entrySet()) {
                assertThat(HexFormat.of().formatHex(Trip.bytes(graph.getValue())))
                        .as(graph.getKey())
                        .isEqualTo(HexFormat.of().formatHex(vectors.get(graph.getKey())));
            }
        }
    }

    @Test
    void what_the_page_says_is_read_whatever_machine_wrote_it() throws Exception {
        var vectors = Vectors.read("graphs");
        for (var graph : graphs().entrySet()) {
            requireRead(graph.getKey(), vectors.get(graph.getKey()), graph.getValue());
        }
        for (var vector : vectors.starting("big.").entrySet()) {
            var name = vector.getKey().substring("big.".length());
            requireRead(vector.getKey(), vector.getValue(), graphs().get(name));
        }
    }

    /// By all codecs; and as if its writer had not known that nothing in it is named.
    private static void requireRead(String name, byte[] bytes, Object graph) throws Exception {
        var unsaid = bytes.clone();
        unsaid[0] = (byte) (unsaid[0] & ~UNNAMED);
        for (var codecs : Tiers.all()) {
            for (var each : List.of(bytes, unsaid)) {
                var got = Tiers.graph(codecs, each, Trip.POLICY);
                assertThat(Alike.difference(graph, got))
                        .as("%s, first byte %x", name, each[0])
                        .isNull();
            }
        }
    }

    @Test
    void bytes_that_are_wrong_are_refused() throws Exception {
        for (var vector : Vectors.read("graphs").starting("wrong.").entrySet()) {
            for (var codecs : Tiers.all()) {
                var bytes = vector.getValue();
                var got = Trip.outcome(() -> Tiers.graph(codecs, bytes, Trip.POLICY));
                assertThat(got).as(vector.getKey()).isInstanceOf(IOException.class);
                var problem = (Exception) got;
                assertThat(problem.getMessage() + Arrays.toString(problem.getSuppressed()))
                        .as(vector.getKey())
                        .containsPattern("at byte [0-9]+ of the message's objects");
            }
        }
    }

    /// Prints the vectors, for whoever changes the format.
    public static void main(String[] args) throws Exception {
        for (var graph : graphs().entrySet()) {
            System.out.println(
                    graph.getKey()
                            + " = "
                            + HexFormat.of().formatHex(Trip.bytes(graph.getValue())));
        }
    }
}
