package org.ibidem.serial.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.OptionalDataException;
import java.io.StreamCorruptedException;
import java.util.function.BiFunction;
import org.ibidem.serial.ObjectPolicy;
import org.ibidem.serial.ObjectReader;
import org.ibidem.serial.Tiers;
import org.ibidem.serial.codec.Codecs;
import org.ibidem.serial.wire.Limits;

/// There and back: by ours, and by the JDK's stream.
public final class Trip {
    /// Lets all classes of the tests in.
    public static final ObjectPolicy POLICY =
            ObjectPolicy.NOTHING_BUT_VALUES
                    .allow("org.ibidem.**")
                    .allow("java.**")
                    .allow("sun.**")
                    .allow("generated.**");

    /// Objects that read others themselves are charged for what those may hash, level by level.
    private static final ObjectPolicy UNCHARGED = POLICY.limits(unlimited(Limits.DEFAULT));

    private Trip() {}

    private static Limits unlimited(Limits usual) {
        return new Limits(
                usual.depth(),
                usual.references(),
                usual.array(),
                usual.memory(),
                usual.bytes(),
                Long.MAX_VALUE);
    }

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
        RandomHooks.begin();
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
            var ours = through(codecs, graph, POLICY.loader(there));
            if (theirs instanceof Throwable problem && problem.getMessage() != null) {
                assertThat(ours).isInstanceOf(Throwable.class);
                assertThat(((Throwable) ours).getMessage()).contains(problem.getMessage());
            }
            compare(theirs, ours, Alike::difference);
        }
    }

    private static Object through(Codecs codecs, Object graph, ObjectPolicy policy) {
        return outcome(() -> Tiers.graph(codecs, Tiers.bytes(codecs, graph), policy));
    }

    /// As [#compare(Object, ClassLoader)], in whatever words; and where several things are wrong,
    /// in whatever order they are met.
    public static void compareLoosely(Object graph, ClassLoader there) {
        for (var codecs : Tiers.all()) {
            var theirs = outcome(() -> throughJdk(graph, there));
            var ours = through(codecs, graph, POLICY.loader(there));
            if (!isInvalid(theirs) || !isInvalid(ours)) {
                compare(theirs, ours, Alike::differenceBesideRecords);
            }
        }
    }

    /// As [#compareLoosely], for classes with methods of their own, which may read too much. An
    /// error of theirs the JDK covers by another one where bytes are left ("unread block data"),
    /// and where they call each other without end the stack overflows.
    public static void compareHooks(Object graph, ClassLoader there) {
        boolean resolving = RandomClasses.resolvesRecords(there);
        for (var codecs : Tiers.all()) {
            var theirs = outcome(() -> throughJdk(graph, there));
            var ours = through(codecs, graph, UNCHARGED.loader(there));
            boolean covered =
                    theirs instanceof StackOverflowError || theirs instanceof IllegalStateException;
            if (!(covered || isInvalid(theirs) || hasReadTooMuch(theirs))
                    || !(isInvalid(ours) || hasReadTooMuch(ours))) {
                compare(
                        theirs,
                        ours,
                        (one, other) -> Alike.differenceBesideResolved(one, other, resolving));
            }
        }
    }

    private static boolean hasReadTooMuch(Object outcome) {
        return outcome instanceof OptionalDataException || outcome instanceof EOFException;
    }

    /// Whether it has failed since something does not fit its place.
    private static boolean isInvalid(Object outcome) {
        return outcome instanceof InvalidClassException
                || outcome instanceof InvalidObjectException
                || outcome instanceof ClassCastException
                || outcome instanceof ArrayStoreException
                || outcome instanceof StreamCorruptedException;
    }

    private static void compare(
            Object theirs, Object ours, BiFunction<Object, Object, String> difference) {
        if (theirs instanceof RuntimeException problem
                && ours instanceof StreamCorruptedException) {
            assertThat((Throwable) ours).hasCauseInstanceOf(problem.getClass());
        } else if (theirs instanceof Throwable problem) {
            assertThat(ours).isInstanceOf(problem.getClass());
        } else if (ours instanceof Throwable problem) {
            throw new AssertionError("failed here, not with the JDK", problem);
        } else {
            assertThat(difference.apply(theirs, ours)).isNull();
        }
    }
}
