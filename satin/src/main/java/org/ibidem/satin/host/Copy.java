package org.ibidem.satin.host;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/// Copies of objects in a program that runs by itself: by the JDK, which is there.
public final class Copy {
    private Copy() {}

    /// A copy of an object and of all it refers to.
    ///
    /// @throws IllegalArgumentException when something in it cannot be copied
    public static Serializable of(Serializable object) {
        try {
            var bytes = new ByteArrayOutputStream();
            try (var out = new ObjectOutputStream(bytes)) {
                out.writeObject(object);
            }
            try (var in =
                    new Reader(
                            new ByteArrayInputStream(bytes.toByteArray()),
                            object.getClass().getClassLoader())) {
                return (Serializable) in.readObject();
            }
        } catch (IOException | ClassNotFoundException e) {
            throw new IllegalArgumentException("cannot copy " + object.getClass() + ": " + e, e);
        }
    }

    /// Finds classes where that of the object is from.
    private static final class Reader extends ObjectInputStream {
        private final @Nullable ClassLoader loader;

        Reader(InputStream in, @Nullable ClassLoader loader) throws IOException {
            super(in);
            this.loader = loader;
        }

        @Override
        protected Class<?> resolveClass(ObjectStreamClass type)
                throws IOException, ClassNotFoundException {
            try {
                return Class.forName(type.getName(), false, loader);
            } catch (ClassNotFoundException _) {
                return super.resolveClass(type); // of a primitive type
            }
        }
    }
}
