package org.ibidem.serial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.InvalidClassException;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.io.StreamCorruptedException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.ibidem.serial.graph.Trip;
import org.junit.jupiter.api.Test;

/// Which exceptions [ObjectReader#read] throws.
class GarbageTest {
    private static final ObjectPolicy POLICY =
            ObjectPolicy.NOTHING_BUT_VALUES.allow(GarbageTest.class.getName() + "$*");

    private static void refused(byte[] bytes, Class<? extends RuntimeException> cause) {
        for (var codecs : Tiers.all()) {
            assertThatThrownBy(() -> Tiers.graph(codecs, bytes, POLICY))
                    .isInstanceOf(StreamCorruptedException.class)
                    .hasMessageMatching("(?s)at byte [0-9]+ of the message's objects: .+")
                    .hasCauseInstanceOf(cause);
        }
    }

    private static byte[] hex(String bytes) {
        return HexFormat.of().parseHex(bytes);
    }

    /// A sorted map of "k" and 1, which nobody can compare.
    @Test
    void keys_that_cannot_be_compared_are_refused_with_their_byte() {
        refused(hex("12270200816b00140100000000"), ClassCastException.class);
    }

    @Test
    void a_null_key_of_a_sorted_map_is_refused_with_its_byte() {
        refused(hex("1227020000000000"), NullPointerException.class);
    }

    /// A class whose field has another type at the writer's.
    @SuppressWarnings({"serial", "UnusedVariable"}) // it is there to be serialized
    static final class Holder implements Serializable {
        private static final long serialVersionUID = 1L;
        String text = "text";

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
        }
    }

    @Test
    void what_does_not_fit_a_field_is_refused_inside_read_object_too() throws Exception {
        var bytes = Trip.bytes(new Holder());
        int at = bytes.length - 5;
        while (bytes[at] != (byte) 0x84) { // a short text of four letters
            at--;
        }
        var changed = new byte[bytes.length];
        System.arraycopy(bytes, 0, changed, 0, at);
        var box = Trip.bytes(7); // as long as the text
        System.arraycopy(box, 1, changed, at, box.length - 1);
        System.arraycopy(bytes, at + 5, changed, at + box.length - 1, bytes.length - at - 5);
        assertThat(box).hasSize(6);
        refused(changed, ClassCastException.class);
    }

    /// Its own exception.
    static final class Own extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /// Throws where it is read.
    static final class Thrower implements Serializable {
        private static final long serialVersionUID = 1L;

        private void readObject(ObjectInputStream in) {
            throw new Own();
        }
    }

    /// Throws in the place of another object.
    static final class Resolver implements Serializable {
        private static final long serialVersionUID = 1L;

        private Object readResolve() {
            throw new Own();
        }
    }

    /// Reads another object by itself.
    static final class Outer implements Serializable {
        private static final long serialVersionUID = 1L;
        private final Serializable inner;

        Outer(Serializable inner) {
            this.inner = inner;
        }

        private void writeObject(java.io.ObjectOutputStream out) throws IOException {
            out.writeObject(inner);
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.readObject();
        }
    }

    @Test
    void what_a_method_of_the_program_throws_passes_as_in_the_jdk() throws Exception {
        for (var inner : List.of(new Thrower(), new Resolver())) {
            for (var graph : List.of(inner, new ArrayList<>(List.of(inner)), new Outer(inner))) {
                var bytes = Trip.bytes(graph);
                for (var codecs : Tiers.all()) {
                    assertThatThrownBy(() -> Tiers.graph(codecs, bytes, POLICY))
                            .isInstanceOf(Own.class);
                }
            }
        }
    }

    @Test
    void what_the_stream_throws_passes() {
        var problem = new UncheckedIOException(new IOException("the disk"));
        var stream =
                new InputStream() {
                    @Override
                    public int read() {
                        throw problem;
                    }

                    @Override
                    public int read(byte[] into, int offset, int count) {
                        throw problem;
                    }
                };
        assertThatThrownBy(() -> ObjectReader.from(stream, POLICY).read()).isSameAs(problem);
    }

    @Test
    void a_day_that_is_none_is_refused() throws Exception {
        var bytes = Trip.bytes(LocalDate.of(2024, 2, 29));
        for (int at = 2; at < bytes.length; at++) {
            var changed = bytes.clone();
            changed[at] = 99;
            var got = Trip.outcome(() -> Trip.graph(changed, POLICY));
            assertThat(got).isNotInstanceOf(RuntimeException.class);
        }
    }

    private static void invalid(String bytes, String why) {
        for (var codecs : Tiers.all()) {
            assertThatThrownBy(() -> Tiers.graph(codecs, hex(bytes), POLICY))
                    .isInstanceOfAny(InvalidObjectException.class, StreamCorruptedException.class)
                    .hasMessageMatching("(?s)at byte [0-9]+ of the message's objects: .+")
                    .hasMessageContaining(why)
                    .hasNoCause();
        }
    }

    @Test
    void an_immutable_collection_with_a_null_is_refused_with_its_byte() {
        var why = "impossible elements: null, in a collection that takes none";
        invalid("122d000100", why); // List.of
        invalid("122e0100", why); // Set.of
        invalid("122f02816100", why); // Map.of
    }

    @Test
    void an_immutable_map_of_a_key_without_a_value_is_refused() {
        invalid("122f018161", "a key without a value");
    }

    @Test
    void an_immutable_set_of_equal_elements_is_refused_with_its_byte() {
        for (var codecs : Tiers.all()) {
            assertThatThrownBy(() -> Tiers.graph(codecs, hex("122e0281618161"), POLICY))
                    .isInstanceOf(InvalidObjectException.class)
                    .hasMessageContaining("impossible elements: duplicate element: a");
        }
    }

    /// Has no hash once it was read.
    @SuppressWarnings("serial")
    static final class Hashless implements Serializable {
        private static final long serialVersionUID = 1L;
        private final transient Object part = "part";

        @Override
        public int hashCode() {
            return part.hashCode();
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Hashless;
        }
    }

    @Test
    void an_exception_of_an_elements_own_hash_code_is_the_cause() throws Exception {
        refused(Trip.bytes(Set.of(new Hashless(), 1)), NullPointerException.class);
    }

    /// Its bytes with another letter in a name.
    private static byte[] renamed(Object graph, String name, String other) throws IOException {
        var text = new String(Trip.bytes(graph), StandardCharsets.ISO_8859_1);
        assertThat(text).contains(name);
        return text.replace(name, other).getBytes(StandardCharsets.ISO_8859_1);
    }

    @Test
    void the_name_of_a_class_is_shown_without_control_characters() throws Exception {
        var bytes = renamed(new Holder(), "$Holder", "$\u001bolder");
        for (var codecs : Tiers.all()) {
            assertThatThrownBy(() -> Tiers.graph(codecs, bytes, POLICY))
                    .isInstanceOf(ClassNotFoundException.class)
                    .hasMessage(GarbageTest.class.getName() + "$\\u001bolder");
            assertThatThrownBy(() -> Tiers.graph(codecs, bytes, ObjectPolicy.NOTHING_BUT_VALUES))
                    .isInstanceOf(InvalidClassException.class)
                    .hasMessageContaining("$\\u001bolder; not allowed here");
        }
    }

    /// Has two constants.
    enum Constant {
        LEFT,
        RIGHT
    }

    @Test
    void the_name_of_a_constant_is_shown_without_control_characters() throws Exception {
        var bytes = renamed(Constant.LEFT, "LEFT", "L\u001bFT");
        for (var codecs : Tiers.all()) {
            assertThatThrownBy(() -> Tiers.graph(codecs, bytes, POLICY))
                    .isInstanceOf(InvalidObjectException.class)
                    .hasMessageContaining("enum constant L\\u001bFT does not exist");
        }
    }
}
