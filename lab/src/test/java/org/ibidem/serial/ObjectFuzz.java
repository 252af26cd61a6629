package org.ibidem.serial;

import java.io.ByteArrayInputStream;
import java.io.IOException;

/// Whatever comes where an object should be: an object of an allowed class, or an exception that
/// `ObjectCoder` takes for a refusal; no other class, no error of the machine, no memory but what
/// is bounded.
public final class ObjectFuzz {
    private static final JdkSerializer SERIALIZER = new JdkSerializer();

    private ObjectFuzz() {}

    /// Called by the fuzzer.
    public static void fuzzerTestOneInput(byte[] input) {
        try {
            var policy = ObjectPolicy.NOTHING_BUT_VALUES;
            var graph =
                    SERIALIZER.in(new FromStream(new ByteArrayInputStream(input)), policy).read();
            if (graph != null && !allowed(graph.getClass(), policy)) {
                throw new AssertionError("let in a " + graph.getClass());
            }
        } catch (IOException | ClassNotFoundException | RuntimeException _) {
            // as it must be
        }
    }

    private static boolean allowed(Class<?> type, ObjectPolicy policy) {
        var element = type;
        while (element.isArray()) {
            element = element.getComponentType();
        }
        return element.isPrimitive()
                || element == Class.class
                || policy.allows(element.getName())
                || element.getName().equals("java.io.ObjectStreamClass")
                || element.getName().startsWith("java.util.ImmutableCollections$");
    }
}
