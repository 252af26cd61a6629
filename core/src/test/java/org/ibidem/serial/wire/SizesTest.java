package org.ibidem.serial.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.io.StreamCorruptedException;
import java.io.UTFDataFormatException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Pipe;
import org.ibidem.serial.ObjectPolicy;
import org.ibidem.serial.ObjectReader;
import org.ibidem.serial.ObjectWriter;
import org.ibidem.serial.graph.Trip;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Lengths near the largest that an array has.
class SizesTest {
    private static final int LATIN = 7;
    private static final int WIDE = 9;
    private static final int SET = 46;
    private static final int MAP = 47;
    private static final int GIGA = 1 << 30;
    private static final long HEAP = 7L << 30;
    private static final long MANY = 1L << 40;

    private static final ObjectPolicy ENDLESS =
            ObjectPolicy.NOTHING_BUT_VALUES.limits(new Limits(MANY, MANY, MANY, MANY, MANY, MANY));

    @Test
    void a_length_is_doubled_up_to_what_is_needed() {
        assertThat(Growth.doubled(64, 1000)).isEqualTo(128);
        assertThat(Growth.doubled(64, 100)).isEqualTo(100);
        assertThat(Growth.doubled(GIGA - 9, Growth.LONGEST)).isEqualTo(2 * (GIGA - 9));
        assertThat(Growth.doubled(GIGA, GIGA + 1)).isEqualTo(GIGA + 1);
        assertThat(Growth.doubled(GIGA, Growth.LONGEST)).isEqualTo(Growth.LONGEST);
        assertThat(Growth.doubled(Growth.LONGEST, Growth.LONGEST)).isEqualTo(Growth.LONGEST);
    }

    private static byte[] announced(int... bytes) {
        var all = ByteBuffer.allocate(bytes.length + Integer.BYTES).order(ByteOrder.BIG_ENDIAN);
        for (int each : bytes) {
            all.put((byte) each);
        }
        return all.putInt(Integer.MAX_VALUE - 1).array();
    }

    @Test
    void what_no_jvm_holds_is_refused_before_memory_is_taken_for_it() {
        for (int tag : new int[] {LATIN, WIDE}) {
            assertThatThrownBy(() -> Trip.graph(announced(0x11, tag), ENDLESS))
                    .isInstanceOf(StreamCorruptedException.class)
                    .hasMessageContaining("characters, which no JVM holds");
        }
        for (int tag : new int[] {SET, MAP}) {
            assertThatThrownBy(() -> Trip.graph(announced(0x11, tag, 255), ENDLESS))
                    .isInstanceOf(StreamCorruptedException.class)
                    .hasMessageContaining("a table for");
        }
    }

    private static final class Writer implements Serializable {
        private static final long serialVersionUID = 1L;

        private void writeObject(ObjectOutputStream out) throws IOException {
            out.writeUTF("x".repeat(70_000));
        }
    }

    @Test
    void a_text_that_is_too_long_for_writeUTF_is_refused_as_by_the_jdk() {
        assertThatThrownBy(() -> Trip.bytes(new Writer()))
                .isInstanceOf(UTFDataFormatException.class)
                .hasMessageContaining("more than 65535 bytes");
    }

    @Tag("full")
    @Test
    void a_string_of_more_than_a_billion_characters_arrives() throws Exception {
        assumeTrue(
                Runtime.getRuntime().maxMemory() > HEAP,
                "a heap of 7 GiB (-Xmx7g), for strings of more than a billion characters");
        int length = GIGA + 1;
        var pipe = Pipe.open();
        var writer =
                Thread.ofVirtual()
                        .start(() -> {
                            try (var out = ObjectWriter.to(pipe.sink())) {
                                out.write("x".repeat(length));
                            } catch (IOException e) {
                                throw new AssertionError(e);
                            }
                        });
        try (var in = ObjectReader.from(pipe.source(), ENDLESS)) {
            var text = (String) in.read();
            assertThat(text.length()).isEqualTo(length);
            assertThat(text.charAt(length - 1)).isEqualTo('x');
        }
        writer.join();
    }
}
