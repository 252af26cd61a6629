package org.ibidem.serial.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.util.function.BiFunction;
import org.ibidem.serial.ObjectPolicy;
import org.ibidem.serial.ObjectReader;
import org.ibidem.serial.Tiers;
import org.ibidem.serial.codec.Codecs;

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

    /// The bytes of one graph, which are the same whoever writes them.
    public static byte[] bytes(Object graph) throws IOException {
        var bytes = Tiers.bytes(Tiers.LAST, graph);
        for (var codecs : Tiers.all()) {
            assertThat(Tiers.bytes(codecs, graph)).isEqualTo(bytes);
        }
        return bytes;
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

    /// What arrives of it with the JDK, in a process with these classes.
    public static Object throughJdk(Object graph, ClassLoader there)
            throws IOException, ClassNotFoundException {
        var bytes = new ByteArrayOutputStream();
        try (var out = new ObjectOutputStream(bytes)) {
            out.writeObject(graph);
        }
        try (var in = new From(bytes.toByteArray(), there)) {
            return in.readObject();
        }
    }

    private static final class From extends ObjectInputStream {
        private final ClassLoader there;

        From(byte[] bytes, ClassLoader there) throws IOException {
            super(new ByteArrayInputStream(bytes));
            this.there = there;
        }

        @Override
        protected Class<?> resolveClass(ObjectStreamClass described)
                throws IOException, ClassNotFoundException {
            try {
                return Class.forName(described.getName(), false, there);
            } catch (ClassNotFoundException _) {
                return super.resolveClass(described);
            }
        }
    }

    /// Something that may fail.
    public interface Trial {
        /// Gives a result, or throws.
        Object run() throws Throwable;
    }

    /// The result of a trial, or what it threw.
    public static Object outcome(Trial trial) {
        try {
            return trial.run();
        } catch (Throwable e) {
            return e;
        }
    }

    /// Checks that a graph arrives as it does with the JDK, or fails with the same words.
    public static void compare(Object graph, ClassLoader there) {
        for (var codecs : Tiers.all()) {
            var theirs = outcome(() -> throughJdk(graph, there));
            var ours = through(codecs, graph, there);
            if (theirs instanceof Throwable problem && problem.getMessage() != null) {
                assertThat(ours).isInstanceOf(problem.getClass());
                assertThat(((Throwable) ours).getMessage()).contains(problem.getMessage());
            }
            compare(theirs, ours, Alike::difference);
        }
    }

    private static Object through(Codecs codecs, Object graph, ClassLoader there) {
        return outcome(() -> Tiers.graph(codecs, Tiers.bytes(codecs, graph), POLICY.loader(there)));
    }

    /// As [#compare(Object, ClassLoader)], in whatever words; and where several things are wrong,
    /// in whatever order they are met.
    public static void compareLoosely(Object graph, ClassLoader there) {
        for (var codecs : Tiers.all()) {
            var theirs = outcome(() -> throughJdk(graph, there));
            var ours = through(codecs, graph, there);
            if (!isInvalid(theirs) || !isInvalid(ours)) {
                compare(theirs, ours, Alike::differenceBesideRecords);
            }
        }
    }

    /// Whether it has failed since something does not fit its place.
    private static boolean isInvalid(Object outcome) {
        return outcome instanceof InvalidClassException
                || outcome instanceof InvalidObjectException
                || outcome instanceof ClassCastException
                || outcome instanceof ArrayStoreException;
    }

    private static void compare(
            Object theirs, Object ours, BiFunction<Object, Object, String> difference) {
        if (theirs instanceof Throwable problem) {
            assertThat(ours).isInstanceOf(problem.getClass());
        } else if (ours instanceof Throwable problem) {
            throw new AssertionError("failed here, not with the JDK", problem);
        } else {
            assertThat(difference.apply(theirs, ours)).isNull();
        }
    }
}
