package org.ibidem.serial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.NotSerializableException;
import java.io.ObjectStreamException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.ibidem.serial.codec.Codecs;
import org.ibidem.serial.generate.FirstCodec;
import org.ibidem.serial.graph.Trip;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// A class is served field by field first, and by code made for it when enough objects have come.
class TiersTest {
    private static final int FEW = 10;

    record Step(int number, String name) implements Serializable {}

    private static final class Walk implements Serializable {
        private static final long serialVersionUID = 1L;

        final ArrayList<Step> steps = new ArrayList<>();
        long length;
    }

    /// With the ending of codecs it is the name of a class of ours.
    private static final class Plain implements Serializable {
        private static final long serialVersionUID = 2L;
        int number = 1;
    }

    /// Another one.
    record First(int number) implements Serializable {}

    private static Walk walk(int steps) {
        var walk = new Walk();
        walk.length = steps;
        for (int i = 0; i < steps; i++) {
            walk.steps.add(new Step(i, "step " + i));
        }
        return walk;
    }

    @Test
    void code_is_made_when_enough_objects_have_come() throws Exception {
        var codecs = new Codecs(false, FEW);
        Tiers.bytes(codecs, walk(FEW - 1));
        assertThat(codecs.of(Step.class)).isInstanceOf(FirstCodec.class);
        Tiers.bytes(codecs, walk(1));
        var made = codecs.of(Step.class);
        assertThat(made).isNotInstanceOf(FirstCodec.class);
        assertThat(codecs.known(Step.class)).isSameAs(made);
        assertThat(codecs.of(Walk.class)).isInstanceOf(FirstCodec.class);
    }

    private static final class Link implements Serializable {
        private static final long serialVersionUID = 1L;

        @Nullable Link next;

        static Link chain(int length) {
            var first = new Link();
            for (int i = 1; i < length; i++) {
                var one = new Link();
                one.next = first;
                first = one;
            }
            return first;
        }

        int length() {
            int length = 0;
            for (Link one = this; one != null; one = one.next) {
                length++;
            }
            return length;
        }
    }

    /// Making it takes much of a thread's stack.
    @Test
    void code_is_made_near_the_root_of_a_graph_only() throws Exception {
        var codecs = new Codecs(false, 50);
        Tiers.bytes(codecs, Link.chain(60));
        assertThat(codecs.of(Link.class)).isInstanceOf(FirstCodec.class);
        var bytes = Tiers.bytes(codecs, Link.chain(2));
        assertThat(codecs.of(Link.class)).isNotInstanceOf(FirstCodec.class);
        assertThat(bytes).isEqualTo(Tiers.bytes(Tiers.LAST, Link.chain(2)));
        assertThat(Trip.through(Link.chain(300)).length()).isEqualTo(300);
    }

    @Test
    void a_class_may_be_called_as_one_of_ours() throws Exception {
        var plain = new Plain();
        plain.number = 2;
        assertThat(Trip.through(plain).number).isEqualTo(2);
        assertThat(Trip.through(new First(3))).isEqualTo(new First(3));
    }

    @Test
    void code_is_made_at_once_for_those_that_generated_code_calls() throws Exception {
        var codecs = new Codecs(false, FEW);
        assertThat(codecs.of(Step.class)).isInstanceOf(FirstCodec.class);
        assertThat(codecs.known(Step.class)).isNotInstanceOf(FirstCodec.class);
        assertThat(codecs.of(Step.class)).isSameAs(codecs.known(Step.class));
    }

    @Test
    void connections_that_know_the_class_go_on_with_it() throws Exception {
        var expected = written(Tiers.LAST);
        var codecs = new Codecs(false, FEW);
        assertThat(written(codecs)).isEqualTo(expected);
        var in = new ByteArrayInputStream(expected);
        var other = new Codecs(false, FEW);
        try (var reader = new ObjectReader(other, new FromStream(in), Trip.POLICY, in::close)) {
            for (int i = 0; i < FEW; i++) {
                var walk = (Walk) reader.read();
                assertThat(walk.length).isEqualTo(i);
                assertThat(walk.steps).isEqualTo(walk(i).steps);
            }
        }
        assertThat(other.of(Step.class)).isNotInstanceOf(FirstCodec.class);
    }

    private static class Origin {
        final long number;
        transient int left = 4;

        Origin(long number) {
            this.number = number;
        }
    }

    private static final class Branch extends Origin {
        final String name;
        final Twig twig;
        Branch self;

        Branch(String name) {
            super(8);
            this.name = name;
            this.twig = new Twig(name.length(), new Origin(9));
            this.self = this;
        }
    }

    private record Twig(int length, Origin origin) {}

    @Test
    void what_is_not_serializable_travels_extended_by_every_codec() throws Exception {
        var graph = new Object[] {new Branch("name"), new Twig(1, new Origin(2)), walk(3)};
        var all =
                List.of(
                        new Codecs(true, 0),
                        new Codecs(true, Integer.MAX_VALUE),
                        new Codecs(true, 2),
                        Codecs.EXTENDED);
        var bytes = Tiers.bytes(all.getFirst(), graph);
        for (var codecs : all) {
            assertThat(Tiers.bytes(codecs, graph)).isEqualTo(bytes);
            var got = (Object[]) Tiers.graph(codecs, bytes, Trip.POLICY);
            var branch = (Branch) got[0];
            assertThat(branch.self).isSameAs(branch);
            assertThat(branch.name).isEqualTo("name");
            assertThat(branch.number).isEqualTo(8);
            assertThat(branch.left).isZero();
            assertThat(branch.twig.origin.number).isEqualTo(9);
            assertThat(((Twig) got[1]).origin.number).isEqualTo(2);
            assertThat(((Walk) got[2]).steps).isEqualTo(walk(3).steps);
        }
    }

    @Test
    void what_is_not_serializable_goes_neither_out_nor_in_where_it_is_not_extended()
            throws Exception {
        for (var graph : List.of(new Branch("name"), new Twig(1, new Origin(2)))) {
            var bytes = Tiers.bytes(Codecs.EXTENDED, graph);
            for (var codecs : Tiers.all()) {
                assertThatThrownBy(() -> Tiers.bytes(codecs, graph))
                        .isInstanceOf(NotSerializableException.class)
                        .hasMessage(graph.getClass().getName());
                assertThatThrownBy(() -> Tiers.graph(codecs, bytes, Trip.POLICY))
                        .isInstanceOf(ObjectStreamException.class)
                        .hasMessageContaining(graph.getClass().getName());
            }
        }
    }

    /// Several messages of one connection.
    private static byte[] written(Codecs codecs) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var out = new ObjectWriter(codecs, new ToStream(bytes), bytes::close)) {
            for (int i = 0; i < FEW; i++) {
                out.write(walk(i));
            }
        }
        return bytes.toByteArray();
    }
}
