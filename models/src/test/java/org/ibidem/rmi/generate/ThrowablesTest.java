package org.ibidem.rmi.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.Serializable;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import javax.naming.CompositeName;
import javax.naming.NamingException;
import org.ibidem.serial.ObjectPolicy;
import org.ibidem.serial.ObjectReader;
import org.ibidem.serial.ObjectWriter;
import org.ibidem.serial.ReviewedThrowables;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Each exception and error of the JDK was looked at, and comes in or is refused for a reason.
class ThrowablesTest {
    /// Which do not come in unless a method declares them, or a program allows them.
    private static final Map<String, String> REFUSED =
            Map.of(
                    "javax.management.BadAttributeValueExpException",
                            "published chains begin with it",
                    "java.util.InvalidPropertiesFormatException", "it says that it never travels",
                    "java.security.cert.CertificateRevokedException",
                            "it parses extensions, and needs a name that is not let in");

    private static final String CAUSE =
            "it takes what was read for its cause, or checks that it is";
    private static final String FIELDS = "it reads its fields and sets some of them anew";

    /// What the `readObject` of each class that has one does; no other method is called by a
    /// reader.
    private static final Map<String, String> METHODS =
            Map.ofEntries(
                    Map.entry("java.io.UncheckedIOException", CAUSE),
                    Map.entry("java.lang.ClassNotFoundException", CAUSE),
                    Map.entry("java.lang.ExceptionInInitializerError", CAUSE),
                    Map.entry("java.lang.Throwable", FIELDS),
                    Map.entry("java.lang.reflect.UndeclaredThrowableException", CAUSE),
                    Map.entry("java.nio.file.DirectoryIteratorException", CAUSE),
                    Map.entry("java.security.PrivilegedActionException", CAUSE),
                    Map.entry("javax.xml.xpath.XPathException", CAUSE),
                    Map.entry("org.xml.sax.SAXException", CAUSE),
                    Map.entry("java.security.cert.CertPathValidatorException", FIELDS),
                    Map.entry("java.sql.BatchUpdateException", FIELDS),
                    Map.entry("javax.lang.model.type.MirroredTypeException", FIELDS),
                    Map.entry("javax.lang.model.type.MirroredTypesException", FIELDS),
                    Map.entry(
                            "javax.management.modelmbean.InvalidTargetObjectTypeException", FIELDS),
                    Map.entry("javax.management.modelmbean.XMLParseException", FIELDS));

    private static final ObjectPolicy POLICY =
            ObjectPolicy.NOTHING_BUT_VALUES.allowWhere(new Allowed());

    private static Object through(Object graph) throws IOException, ClassNotFoundException {
        var bytes = new ByteArrayOutputStream();
        try (var out = ObjectWriter.to(bytes)) {
            out.write(graph);
        }
        try (var in = ObjectReader.from(new ByteArrayInputStream(bytes.toByteArray()), POLICY)) {
            return in.read();
        }
    }

    @Test
    void each_exception_of_the_jdk_is_listed_or_refused_for_a_reason() throws Exception {
        var all = JdkThrowables.all();
        assertThat(all.keySet()).hasSizeGreaterThan(400);
        var expected = new TreeSet<>(all.keySet());
        expected.removeAll(REFUSED.keySet());
        assertThat(ReviewedThrowables.all())
                .containsAll(expected)
                .doesNotContainAnyElementsOf(REFUSED.keySet());
        assertThat(all.keySet()).containsAll(REFUSED.keySet());
    }

    @Test
    void each_method_that_a_reader_calls_was_looked_at() throws Exception {
        var found = new TreeSet<String>();
        for (var each : JdkThrowables.all().entrySet()) {
            if (!REFUSED.containsKey(each.getKey()) && !each.getValue().isEmpty()) {
                assertThat(each.getValue()).as(each.getKey()).containsExactly("readObject");
                found.add(each.getKey());
            }
        }
        assertThat(found).isEqualTo(new TreeSet<>(METHODS.keySet()));
        for (var name : ReviewedThrowables.all()) {
            for (var type = loaded(name); type != null; type = type.getSuperclass()) {
                if (!METHODS.containsKey(type.getName())) {
                    assertThat(type.getDeclaredMethods())
                            .as(name)
                            .extracting(Method::getName)
                            .doesNotContainAnyElementsOf(JdkThrowables.CALLED);
                }
            }
        }
    }

    /// Null: it is of a module that this process has not.
    private static @Nullable Class<?> loaded(String name) {
        try {
            return Class.forName(name);
        } catch (ClassNotFoundException _) {
            return null;
        }
    }

    @Test
    void each_one_arrives_with_its_text_cause_and_trace() throws Exception {
        var arrived = new HashSet<String>();
        for (var name : ReviewedThrowables.all()) {
            var thrown = made(name);
            if (thrown != null) {
                var there = (Throwable) through(thrown);
                assertThat(there).as(name).hasSameClassAs(thrown).hasToString(thrown.toString());
                assertThat(there.getStackTrace()).as(name).isEqualTo(thrown.getStackTrace());
                arrived.add(name);
            }
        }
        assertThat(arrived)
                .contains("java.sql.SQLException", "java.nio.file.NoSuchFileException")
                .contains("java.time.DateTimeException", "org.ibidem.IbidemException")
                .hasSizeGreaterThan(200);
    }

    private static @Nullable Throwable made(String name) {
        var type = loaded(name);
        if (type == null) {
            return null;
        }
        assertThat(type).isAssignableTo(Throwable.class);
        int flags = type.getModifiers();
        return Modifier.isPublic(flags) && !Modifier.isAbstract(flags) ? made(type) : null;
    }

    private static @Nullable Throwable made(Class<?> type) {
        var makers = new ArrayList<>(Arrays.asList(type.getConstructors()));
        makers.sort(Comparator.comparingInt(Constructor::getParameterCount));
        for (var maker : makers.reversed()) {
            try {
                return (Throwable)
                        maker.newInstance(
                                Arrays.stream(maker.getParameterTypes())
                                        .map(ThrowablesTest::argument)
                                        .toArray());
            } catch (ReflectiveOperationException | IllegalArgumentException _) {
                // with others, perhaps
            }
        }
        return null;
    }

    private static @Nullable Object argument(Class<?> type) {
        if (type == String.class) {
            return "text";
        }
        if (type == Class.class) {
            return Integer.class;
        }
        if (type.isAssignableFrom(IOException.class) && type != Object.class) {
            return new IOException("cause");
        }
        if (type == boolean.class) {
            return true;
        }
        if (type == short.class) {
            return (short) 1;
        }
        return type == int.class ? (Object) 1 : type == char.class ? (Object) 'c' : null;
    }

    /// Not let in.
    private static final class Strange implements Serializable {
        private static final long serialVersionUID = 1L;
    }

    @Test
    void what_is_in_their_fields_is_asked_for_as_all_else() throws Exception {
        var named = new NamingException("no such name");
        named.setRemainingName(new CompositeName("a/b"));
        named.setResolvedObj(Set.of(1));
        assertThat(through(named)).hasToString(named.toString());
        named.setResolvedObj(new Strange());
        assertThatThrownBy(() -> through(named))
                .isInstanceOf(InvalidClassException.class)
                .hasMessageContaining(Strange.class.getName());
        var caused = new IllegalStateException("by what is strange", new Own());
        assertThatThrownBy(() -> through(caused))
                .isInstanceOf(InvalidClassException.class)
                .hasMessageContaining(Own.class.getName());
    }

    private static final class Own extends Exception {
        private static final long serialVersionUID = 1L;
    }
}
