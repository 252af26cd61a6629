package org.ibidem.serial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.InvalidObjectException;
import java.io.Serializable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.ibidem.Logged;
import org.ibidem.serial.graph.Trip;
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
        var wrong =
                List.of("", " ", "java.io*", "java.*.File", "***", "*.File", ".*", "$*", "a..*");
        for (var pattern : wrong) {
            assertThatThrownBy(() -> ObjectPolicy.NOTHING_BUT_VALUES.allow(pattern))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("not '" + pattern + "'");
        }
    }

    sealed interface Shape extends Serializable permits Round, Box {}

    record Round(int radius) implements Shape {}

    abstract static sealed class Box implements Shape permits Cube, Other {
        private static final long serialVersionUID = 1L;
    }

    static final class Cube extends Box {
        private static final long serialVersionUID = 1L;
    }

    static non-sealed class Other extends Box {
        private static final long serialVersionUID = 1L;
    }

    static final class Unknown extends Other {
        private static final long serialVersionUID = 1L;
    }

    @Test
    void a_sealed_type_is_allowed_with_what_it_permits() throws Exception {
        var none = ObjectPolicy.NOTHING_BUT_VALUES;
        var policy = none.allowSealed(Shape.class);
        for (var shape : List.of(new Round(1), new Cube(), new Other())) {
            assertThat(through(policy, shape)).hasSameClassAs(shape);
            refused(none, shape);
        }
        refused(policy, new Unknown());
        refused(policy, new File("x"));
        assertThatThrownBy(() -> none.allowSealed(Other.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Other is not sealed");
    }

    @Test
    void superclasses_have_to_be_allowed_too() throws Exception {
        var none = ObjectPolicy.NOTHING_BUT_VALUES;
        var policy = none.allow(Unknown.class.getName());
        for (var above : List.of(Other.class, Box.class)) {
            refused(policy, new Unknown());
            refused(policy, Unknown.class);
            policy = policy.allow(above.getName());
        }
        assertThat(through(policy, new Unknown())).isInstanceOf(Unknown.class);
        assertThat(through(none.allow(Unknown.class), new Unknown())).isInstanceOf(Unknown.class);
    }

    @Test
    void classes_in_a_class_are_allowed_without_it() throws Exception {
        var policy = ObjectPolicy.NOTHING_BUT_VALUES.allow(getClass().getName() + "$*");
        assertThat(through(policy, new Cube())).isInstanceOf(Cube.class);
        assertThat(policy.allows(getClass().getName())).isFalse();
        assertThat(policy.allows(getClass().getName() + "s$Cube")).isFalse();
        refused(policy, new File("x"));
    }

    @Test
    void classes_in_no_package_are_allowed_by_a_star() {
        var policy = ObjectPolicy.NOTHING_BUT_VALUES.allow("*");
        assertThat(policy.allows("Main")).isTrue();
        assertThat(policy.allows("Main$Task")).isTrue();
        assertThat(policy.allows("com.example.Main")).isFalse();
    }

    @Test
    void everything_is_allowed_only_loudly_and_within_the_bounds() throws Exception {
        var none = ObjectPolicy.NOTHING_BUT_VALUES;
        assertThatThrownBy(() -> none.allow("**"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("unsafelyAllowEverything()");
        try (var logged = new Logged(ObjectPolicy.class)) {
            var policy = none.unsafelyAllowEverything();
            assertThat(through(policy, new Unknown())).isInstanceOf(Unknown.class);
            assertThat(through(policy, new File("x"))).isEqualTo(new File("x"));
            refused(limited(5, 10, 899, MANY).unsafelyAllowEverything(), new long[900]);
            assertThat(logged.lines()).hasSizeLessThan(2);
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

    @SuppressWarnings({"serial", "UnusedVariable"}) // it holds anything; only its depth matters
    private static final class Node implements Serializable {
        private static final long serialVersionUID = 1L;
        Object next;
    }

    private static Object nested(int depth) {
        Object inner = "end";
        for (int i = 0; i < depth; i++) {
            var outer = new Node();
            outer.next = inner;
            inner = outer;
        }
        return inner;
    }

    /// With a stack of this size.
    private static Object with(int stack, Trip.Trial trial) throws InterruptedException {
        var outcome = new AtomicReference<Object>();
        var thread = new Thread(null, () -> outcome.set(Trip.outcome(trial)), "small stack", stack);
        thread.start();
        thread.join();
        return outcome.get();
    }

    @Test
    void nothing_but_the_limits_and_the_stack_say_how_deep_objects_nest() throws Exception {
        var nested = nested(3000);
        var policy = ObjectPolicy.NOTHING_BUT_VALUES.allow(Node.class);
        assertThat(with(32 << 20, () -> through(policy, nested))).isInstanceOf(Node.class);
        var bounded = policy.limits(new Limits(2000, MANY, MANY, MANY, MANY, MANY));
        assertThat(with(32 << 20, () -> through(bounded, nested)))
                .isInstanceOf(InvalidClassException.class);
    }

    @Test
    void what_is_too_deep_for_the_stack_says_so() throws Exception {
        Exception cause = null;
        for (int i = 0; i < 5000; i++) {
            cause = new IllegalStateException("again", cause);
        }
        var last = cause;
        assertThat(with(1 << 20, () -> through(ObjectPolicy.NOTHING_BUT_VALUES, last)))
                .isInstanceOf(InvalidObjectException.class)
                .asString()
                .contains("nest");
    }

    /// The JDK's stream takes a little less than 4 KiB of the stack for each.
    @Test
    void four_hundred_exceptions_that_cause_each_other_pass() throws Exception {
        Exception cause = null;
        for (int i = 0; i < 400; i++) {
            cause = new IllegalStateException("number " + i, cause);
        }
        var last = cause;
        var policy = ObjectPolicy.NOTHING_BUT_VALUES.allow("java.lang.*");
        var got = with(1600 << 10, () -> through(policy, last));
        for (int i = 399; i >= 0; i--) {
            assertThat(got).isInstanceOf(IllegalStateException.class).hasToString("" + cause);
            got = ((Exception) got).getCause();
            cause = (Exception) cause.getCause();
        }
    }
}
