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
import org.jspecify.annotations.Nullable;

/// The serializer `jdk`: the Java Object Serialization Stream Protocol, behind an allow-list.
public final class JdkSerializer implements Serializer {
    /// Found by its `provides` line.
    public JdkSerializer() {}

    @Override
    public String name() {
        return "jdk";
    }

    @Override
    public Writer writer(OutputStream to) {
        return new Stream(to);
    }

    @Override
    public Reader reader(InputStream from, ObjectPolicy policy) {
        return new Graphs(from, policy);
    }

    /// Made with the first graph: the stream begins with a header.
    private static final class Stream implements Writer {
        private final OutputStream to;
        private @Nullable ObjectOutputStream stream;

        Stream(OutputStream to) {
            this.to = to;
        }

        @Override
        public void write(@Nullable Object graph) throws IOException {
            if (stream == null) {
                stream = new ObjectOutputStream(to);
            }
            stream.writeObject(graph);
            stream.flush();
        }

        @Override
        public void reset() throws IOException {
            if (stream != null) {
                stream.reset();
            }
        }
    }

    private static final class Graphs implements Reader {
        private final InputStream from;
        private final ObjectPolicy policy;
        private @Nullable ObjectInputStream stream;

        Graphs(InputStream from, ObjectPolicy policy) {
            this.from = from;
            this.policy = policy;
        }

        @Override
        public @Nullable Object read() throws IOException, ClassNotFoundException {
            try {
                if (stream == null) {
                    stream = new Filtered(from, policy);
                }
                return stream.readObject();
            } catch (InternalError e) {
                // the JDK's own collections throw it at bytes that no collection can have written
                throw (InvalidObjectException)
                        new InvalidObjectException("impossible object: " + e).initCause(e);
            }
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
