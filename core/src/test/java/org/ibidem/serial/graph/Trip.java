package org.ibidem.serial.graph;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import org.ibidem.serial.ObjectPolicy;
import org.ibidem.serial.ObjectReader;
import org.ibidem.serial.ObjectWriter;

/// There and back: by ours, and by the JDK's stream.
public final class Trip {
    /// Lets all classes of the tests in.
    public static final ObjectPolicy POLICY =
            ObjectPolicy.NOTHING_BUT_VALUES
                    .allow("org.ibidem.**")
                    .allow("java.**")
                    .allow("sun.**")
                    .allow("generated.**");

    private Trip() {}

    /// The bytes of one graph.
    public static byte[] bytes(Object graph) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var out = ObjectWriter.to(bytes)) {
            out.write(graph);
        }
        return bytes.toByteArray();
    }

    /// The graph of bytes.
    public static Object graph(byte[] bytes, ObjectPolicy policy)
            throws IOException, ClassNotFoundException {
        try (var in = ObjectReader.from(new ByteArrayInputStream(bytes), policy)) {
            return in.read();
        }
    }

    /// What arrives of a graph.
    @SuppressWarnings("unchecked")
    public static <T> T through(T graph) throws IOException, ClassNotFoundException {
        return (T) graph(bytes(graph), POLICY);
    }

    /// What arrives of it with the JDK.
    public static Object throughJdk(Object graph) throws IOException, ClassNotFoundException {
        var bytes = new ByteArrayOutputStream();
        try (var out = new ObjectOutputStream(bytes)) {
            out.writeObject(graph);
        }
        try (var in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            return in.readObject();
        }
    }
}
