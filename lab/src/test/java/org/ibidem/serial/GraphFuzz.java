package org.ibidem.serial;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.ibidem.serial.wire.Limits;
import org.jspecify.annotations.Nullable;

/// Whatever comes where a graph of the generated serializer should be: an object, or an exception
/// that [ObjectReader#read] says it throws, soon, and no memory but what is bounded. Several graphs
/// follow each other, as in a message. The classes below are among what is allowed; seeds that
/// describe them lie among the inputs that are kept.
public final class GraphFuzz {
    private static final int GRAPHS = 4;
    private static final ObjectPolicy POLICY =
            ObjectPolicy.NOTHING_BUT_VALUES
                    .allow("org.ibidem.serial.GraphFuzz$Item")
                    .allow("org.ibidem.serial.GraphFuzz$Part")
                    .allow("org.ibidem.serial.GraphFuzz$Own")
                    .limits(new Limits(100_000, 100_000, 1_000_000, 64 << 20, 1 << 20, 1_000_000));

    private GraphFuzz() {}

    /// A plain class.
    @SuppressWarnings({"serial", "unused"}) // its fields are there to be serialized
    static final class Item implements Serializable {
        private static final long serialVersionUID = 1L;
        int number = 1;
        long time = 2;
        boolean done = true;
        @Nullable String name = "item";
        @Nullable Object other;
        @Nullable Item next;
        final double last = 3;
    }

    /// A record.
    @SuppressWarnings("serial") // it holds anything
    record Part(int one, @Nullable Object other) implements Serializable {}

    /// A class with methods of its own.
    @SuppressWarnings("UnusedMethod") // serialization calls them
    static final class Own implements Serializable {
        private static final long serialVersionUID = 1L;
        int kept = 5;

        private void writeObject(ObjectOutputStream out) throws IOException {
            out.defaultWriteObject();
            out.writeInt(7);
            out.writeUTF("text");
            out.writeObject(List.of("inside"));
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            var fields = in.readFields();
            kept = fields.get("kept", 1) + in.readInt() + in.readUTF().length();
            in.readObject();
        }

        private Object readResolve() {
            return this;
        }
    }

    /// Called by the fuzzer.
    public static void fuzzerTestOneInput(byte[] input) {
        try (var reader = ObjectReader.from(new ByteArrayInputStream(input), POLICY)) {
            for (int i = 0; i < GRAPHS; i++) {
                reader.read();
            }
        } catch (IOException | ClassNotFoundException _) {
            // as it must be
        }
    }

    /// The seeds, by name.
    static Map<String, Object> seeds() {
        var item = new Item();
        item.next = new Item();
        item.other = item;
        var map = new HashMap<Object, Object>(Map.of("k", item));
        map.put(new Part(1, List.of(2)), new Own());
        var seeds = new HashMap<String, Object>();
        seeds.put("seed-item", item);
        seeds.put("seed-parts", new Object[] {new Part(1, item), new Part(2, map)});
        seeds.put("seed-own", new ArrayList<>(List.of(new Own(), map)));
        return seeds;
    }
}
