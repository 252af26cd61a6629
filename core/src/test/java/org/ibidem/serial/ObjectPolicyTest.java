package org.ibidem.serial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InvalidClassException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.ibidem.serial.wire.Limits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.FieldSource;

@ParameterizedClass
@FieldSource("SERIALIZERS")
class ObjectPolicyTest {
    static final List<Serializer> SERIALIZERS =
            List.of(new GeneratedSerializer(), new ExtendedSerializer(), new JdkSerializer());

    private static final long MANY = 1_000_000;

    private final Serializer serializer;

    ObjectPolicyTest(Serializer serializer) {
        this.serializer = serializer;
    }

    private Object through(ObjectPolicy policy, Object graph)
            throws IOException, ClassNotFoundException {
        var bytes = new ByteArrayOutputStream();
        serializer.out(new ToStream(bytes)).write(graph);
        var in = new FromStream(new ByteArrayInputStream(bytes.toByteArray()));
        return serializer.in(in, policy).read();
    }

    private void refused(ObjectPolicy policy, Object graph) {
        assertThatThrownBy(() -> through(policy, graph)).isInstanceOf(InvalidClassException.class);
    }

    private static ObjectPolicy limited(long depth, long references, long array, long memory) {
        return ObjectPolicy.NOTHING_BUT_VALUES.limits(
                new Limits(depth, references, array, memory, MANY, MANY));
    }

    @Test
    void values_and_plain_collections_are_let_in() throws IOException, ClassNotFoundException {
        var graph =
                new ArrayList<>(
                        List.of("a", 1, 2L, 'c', Instant.EPOCH, Map.of().getClass().getName()));
        assertThat(through(ObjectPolicy.NOTHING_BUT_VALUES, graph)).isEqualTo(graph);
        var array = new int[][] {{1}, {2, 3}};
        assertThat(through(ObjectPolicy.NOTHING_BUT_VALUES, array)).isEqualTo(array);
    }

    @Test
    void what_was_not_allowed_is_named() {
        assertThatThrownBy(() -> through(ObjectPolicy.NOTHING_BUT_VALUES, new File("x")))
                .isInstanceOf(InvalidClassException.class)
                .hasMessageContaining("java.io.File; not allowed here; add it");
        refused(ObjectPolicy.NOTHING_BUT_VALUES, new File[0][]);
        refused(ObjectPolicy.NOTHING_BUT_VALUES, File.class);
    }

    @Test
    void names_packages_and_all_below_are_allowed() throws IOException, ClassNotFoundException {
        var file = new File("x");
        for (var pattern : List.of("java.io.File", "java.io.*", "java.io.**", "java.**")) {
            var policy = ObjectPolicy.NOTHING_BUT_VALUES.allow(pattern);
            assertThat(through(policy, file)).isEqualTo(file);
        }
        refused(ObjectPolicy.NOTHING_BUT_VALUES.allow("java.*"), file);
        for (var pattern : List.of("", "*", "**", "java.io*", "java.*.File")) {
            assertThatThrownBy(() -> ObjectPolicy.NOTHING_BUT_VALUES.allow(pattern))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("not '" + pattern + "'");
        }
    }

    @Test
    void every_bound_holds() throws IOException, ClassNotFoundException {
        var array = new long[900];
        assertThat(through(limited(5, 10, 900, 7200), array)).isEqualTo(array);
        refused(limited(5, 10, 899, MANY), array);
        refused(limited(5, 10, 900, 7199), array);
        var nested = new ArrayList<>(List.of(new ArrayList<>(List.of(new ArrayList<>()))));
        refused(limited(2, MANY, MANY, MANY), nested);
        refused(limited(MANY, 2, MANY, MANY), nested);
    }

    /// Arrays in arrays, each within its bound, and few bytes on the wire.
    @Test
    void arrays_are_bounded_together() throws IOException, ClassNotFoundException {
        var policy = limited(50, MANY, 900, 10_000);
        assertThat(through(policy, new Object[] {new long[900], new long[100]})).isNotNull();
        refused(policy, new Object[] {new long[900], new long[900]});
        refused(policy, new Object[] {new byte[900], new Object[900], new long[900]});
    }

    @Test
    void the_tables_of_collections_count() {
        var set = new HashSet<Integer>();
        for (int i = 0; i < 1000; i++) {
            set.add(i);
        }
        refused(limited(50, MANY, MANY, 10_000), set);
    }
}
