package org.ibidem.serial;

import java.io.IOException;
import java.io.InputStream;
import java.io.InvalidClassException;
import java.io.InvalidObjectException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import org.ibidem.buffer.Malformed;
import org.ibidem.serial.wire.Sink;
import org.ibidem.serial.wire.Source;
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
    public ObjectOut out(Sink sink) {
        return new Out(sink);
    }

    @Override
    public ObjectIn in(Source source, ObjectPolicy policy) {
        return new In(source, policy);
    }

    /// The JDK's stream calls itself for each object in another.
    private static InvalidObjectException tooDeep(StackOverflowError e) {
        var problem =
                new InvalidObjectException("objects nest too deep for this thread's stack (-Xss)");
        problem.initCause(e);
        return problem;
    }

    /// Its stream is made with the first graph of a message: it begins with a header.
    private static final class Out implements ObjectOut {
        private final Sink sink;
        private @Nullable ObjectOutputStream stream;

        /// To be said with the next graph: outside of one there is no place for it in a message.
        private boolean forget;

        Out(Sink sink) {
            this.sink = sink;
        }

        @Override
        public void write(@Nullable Object graph) throws IOException {
            boolean written = false;
            try {
                if (stream == null) {
                    stream = new ObjectOutputStream(new Streams.Out(sink));
                } else if (forget) {
                    stream.reset();
                }
                forget = false;
                stream.writeObject(graph);
                stream.flush();
                written = true;
            } catch (StackOverflowError e) {
                throw tooDeep(e);
            } finally {
                if (!written) {
                    stream = null; // nobody may refer to what it has half written
                }
            }
        }

        @Override
        public void reset() {
            forget = true;
        }

        @Override
        public void endMessage() {
            stream = null;
            forget = false;
        }

        @Override
        public void introduce() {
            // every message says all
        }
    }

    private static final class In implements ObjectIn {
        private final Source source;
        private final ObjectPolicy policy;
        private @Nullable ObjectInputStream stream;
        private boolean failed;

        In(Source source, ObjectPolicy policy) {
            this.source = source;
            this.policy = policy;
        }

        @Override
        public @Nullable Object read() throws IOException, ClassNotFoundException {
            if (failed) {
                throw new IOException(
                        "an object before it in this message could not be read, and they may share"
                                + " parts");
            }
            failed = true;
            try {
                if (stream == null) {
                    stream = new Filtered(new Streams.In(source), policy);
                }
                var graph = stream.readObject();
                failed = false;
                return graph;
            } catch (InternalError e) {
                // the JDK's own collections throw it at bytes that no collection can have written
                throw (InvalidObjectException)
                        new InvalidObjectException("impossible object: " + e).initCause(e);
            } catch (StackOverflowError e) {
                throw tooDeep(e);
            }
        }

        @Override
        public void endMessage() {
            stream = null;
            failed = false;
        }

        @Override
        public void describe(byte[] description) {
            throw new Malformed("a class was described apart, which is not done here");
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
                        element, "not allowed here; " + policy.gate().advice(element));
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
