package org.ibidem.serial;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import org.ibidem.serial.codec.Codecs;

/// How far codecs have come: all graphs of the tests are written and read by each.
public final class Tiers {
    /// Field by field, as a process begins.
    public static final Codecs FIRST = new Codecs(false, Integer.MAX_VALUE);

    /// By code made for each class.
    public static final Codecs LAST = new Codecs(false, 0);

    private static final int SOON = 3;

    private Tiers() {}

    /// All of them: also those of every port, and one that changes in the middle of a graph.
    public static List<Codecs> all() {
        return List.of(LAST, FIRST, Codecs.STANDARD, new Codecs(false, SOON));
    }

    /// Has every port use the last codecs of these classes: for a rewritten one, the code in it.
    public static void hurry(List<Class<?>> classes) {
        classes.forEach(Codecs.STANDARD::known);
    }

    /// The bytes of one graph.
    public static byte[] bytes(Codecs codecs, Object graph) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var out = new ObjectWriter(codecs, new ToStream(bytes), bytes::close)) {
            out.write(graph);
        }
        return bytes.toByteArray();
    }

    /// The graph of bytes.
    public static Object graph(Codecs codecs, byte[] bytes, ObjectPolicy policy)
            throws IOException, ClassNotFoundException {
        var in = new ByteArrayInputStream(bytes);
        try (var reader = new ObjectReader(codecs, new FromStream(in), policy, in::close)) {
            return reader.read();
        }
    }
}
