package org.ibidem.serial;

import java.io.IOException;
import java.io.InputStream;
import java.io.InvalidClassException;
import java.io.InvalidObjectException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.OutputStream;
import org.ibidem.serial.wire.Sink;
import org.ibidem.serial.wire.Source;
import org.jspecify.annotations.Nullable;

/// The serializer `jdk`: the Java Object Serialization Stream Protocol, behind an allow-list. Each
/// graph is a stream of its own.
public final class JdkSerializer implements Serializer {
    /// Found by its `provides` line.
    public JdkSerializer() {}

    @Override
    public String name() {
        return "jdk";
    }

    @Override
    public ObjectOut out(Sink sink) {
        return new Out(sink);
    }

    @Override
    public ObjectIn in(Source source, ObjectPolicy policy) {
        return new In(source, policy);
    }

    private record Out(Sink sink) implements ObjectOut {
        @Override
        public void write(@Nullable Object graph) throws IOException {
            var pieces = new Pieces.Writing(sink);
            var stream = new ObjectOutputStream(pieces);
            stream.writeObject(graph);
            stream.flush();
            pieces.end();
        }

        @Override
        public void reset() {
            // nothing is kept between graphs
        }

        @Override
        public void endMessage() {
            // nothing is kept between graphs
        }

        @Override
        public void introduce() {
            // every graph says all
        }
    }

    private record In(Source source, ObjectPolicy policy) implements ObjectIn {
        @Override
        public @Nullable Object read() throws IOException, ClassNotFoundException {
            var pieces = new Pieces.Reading(source);
            try {
                return JdkSerializer.read(pieces, policy);
            } finally {
                pieces.skipRest();
            }
        }

        @Override
        public void endMessage() {
            // nothing is kept between graphs
        }

        @Override
        public void describe(byte[] description) {
            throw new IllegalStateException("no class is described apart");
        }
    }

    /// Reads one stream.
    static @Nullable Object read(InputStream from, ObjectPolicy policy)
            throws IOException, ClassNotFoundException {
        try {
            return new Filtered(from, policy).readObject();
        } catch (InternalError e) {
            // the JDK's own collections throw it at bytes that no collection can have written
            throw (InvalidObjectException)
                    new InvalidObjectException("impossible object: " + e).initCause(e);
        } catch (StackOverflowError e) {
            throw (InvalidObjectException)
                    new InvalidObjectException("objects nest too deep").initCause(e);
        }
    }

    private static final class Filtered extends ObjectInputStream {
        private final ObjectPolicy policy;

        Filtered(InputStream from, ObjectPolicy policy) throws IOException {
            super(from);
            this.policy = policy;
            var before = getObjectInputFilter();
            var mine = policy.filter();
            setObjectInputFilter(before == null ? mine : ObjectInputFilter.merge(before, mine));
        }

        /// The filter is asked only after a class was loaded, so names are judged here first.
        @Override
        protected Class<?> resolveClass(ObjectStreamClass described)
                throws IOException, ClassNotFoundException {
            var name = described.getName();
            var element = name.replaceFirst("^\\[+L?", "").replaceFirst(";$", "");
            boolean primitiveArray = name.startsWith("[") && element.length() == 1;
            if (!primitiveArray && !policy.allows(element)) {
                throw new InvalidClassException(
                        element,
                        "not allowed here; add it to the receive port's ObjectPolicy if it is wanted");
            }
            try {
                return Class.forName(name, false, policy.loader());
            } catch (ClassNotFoundException e) {
                return super.resolveClass(described);
            }
        }

        @Override
        protected Class<?> resolveProxyClass(String[] interfaces) throws IOException {
            throw new InvalidClassException(
                    "a dynamic proxy of "
                            + String.join(", ", interfaces)
                            + ": proxies are not let in");
        }
    }
}
