package org.ibidem.lab.bench.serial;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import org.jspecify.annotations.Nullable;

/// The JDK's streams, a new one for each graph.
final class JdkCoder implements Coder {
    private byte[] last = {};

    @Override
    public int write(Object graph) throws IOException {
        var bytes = new ByteArrayOutputStream(1 << 16);
        try (var out = new ObjectOutputStream(bytes)) {
            out.writeObject(graph);
        }
        last = bytes.toByteArray();
        return last.length;
    }

    @Override
    @SuppressWarnings("BanSerializableRead") // what this process has written
    public @Nullable Object read() throws IOException, ClassNotFoundException {
        return new ObjectInputStream(new ByteArrayInputStream(last)).readObject();
    }
}
