package org.ibidem.serial;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import org.ibidem.serial.codec.Codecs;
import org.ibidem.serial.generate.FirstCodec;
import org.ibidem.serial.graph.Trip;
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
