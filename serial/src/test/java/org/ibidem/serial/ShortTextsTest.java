package org.ibidem.serial;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.ibidem.serial.graph.Trip;
import org.junit.jupiter.api.Test;

/// Short strings, of which the reader knows those it read last.
class ShortTextsTest {
    private static final char[] LETTERS = {0, 1, 'a', 'b', 0x80, 0xFF};
    private static final int LONGEST = 10;
    private static final int MANY = 20_000;

    /// Few letters and lengths around the bound, so many are equal and many differ by their length
    /// or their last letter alone.
    private static List<String> texts(Random random) {
        var texts = new ArrayList<String>();
        for (int i = 0; i < MANY; i++) {
            var text = new StringBuilder();
            for (int left = random.nextInt(LONGEST); left > 0; left--) {
                text.append(LETTERS[random.nextInt(LETTERS.length)]);
            }
            texts.add(text.toString());
        }
        return texts;
    }

    private static Object read(byte[] bytes, int most) throws Exception {
        var pieces =
                new ByteArrayInputStream(bytes) {
                    @Override
                    public int read(byte[] into, int offset, int count) {
                        return super.read(into, offset, Math.min(count, most));
                    }
                };
        return read(pieces);
    }

    private static Object read(InputStream from) throws Exception {
        try (var in = ObjectReader.from(from, Trip.POLICY)) {
            return in.read();
        }
    }

    private static byte[] bytes(Object graph) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var out = ObjectWriter.to(bytes)) {
            out.write(graph);
        }
        return bytes.toByteArray();
    }

    @Test
    void all_arrive_as_they_were_whatever_pieces_they_come_in() throws Exception {
        long seed = new Random().nextLong();
        var texts = texts(new Random(seed));
        var bytes = bytes(texts);
        for (int most : new int[] {1, 100, 1 << 20}) {
            assertThat(read(bytes, most))
                    .as("seed " + seed + ", pieces of " + most)
                    .isEqualTo(texts);
        }
    }

    @Test
    void maps_of_them_arrive_as_they_were() throws Exception {
        long seed = new Random().nextLong();
        var texts = texts(new Random(seed));
        for (var map : List.<Map<String, Object>>of(new HashMap<>(), new TreeMap<>())) {
            for (int i = 0; i + 1 < MANY; i += 2) {
                // now and then a key whose value is no string, and one that is long
                map.put(texts.get(i), i % 50 == 0 ? Integer.valueOf(i) : texts.get(i + 1));
                map.put("a longer key, number " + i % 100, texts.get(i + 1).repeat(20));
            }
            assertThat(Trip.through(map)).as("seed " + seed).isEqualTo(map);
        }
    }

    private record Named(String name) implements java.io.Serializable {}

    /// The reader may have given up looking for some hundred strings, because of what it read
    /// before.
    @Test
    void equal_ones_are_one_object_once_the_reader_knows_them() throws Exception {
        var graph = new ArrayList<Object>();
        for (int i = 0; i < MANY; i++) {
            graph.add(copy());
        }
        graph.add(new Named(copy()));
        graph.add(new HashMap<>(Map.of(copy(), 1)));
        var there = Trip.through(graph);
        var known = there.get(MANY - 1);
        assertThat(known).isEqualTo(copy());
        // at the very end of a page it does not look
        var different = Collections.newSetFromMap(new IdentityHashMap<Object, Boolean>());
        different.addAll(there);
        assertThat(different.size()).isLessThan(MANY / 10);
        assertThat(((Named) there.get(MANY)).name()).isSameAs(known);
        assertThat(((Map<?, ?>) there.get(MANY + 1)).keySet().iterator().next()).isSameAs(known);
    }

    private static String copy() {
        return String.valueOf(new char[] {'c', 'o', 'l', 'o', 'u', 'r'});
    }
}
