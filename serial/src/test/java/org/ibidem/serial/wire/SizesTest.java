package org.ibidem.serial.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.OperatingSystemMXBean;
import java.io.File;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.io.StreamCorruptedException;
import java.io.UTFDataFormatException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Pipe;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
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
    private static final long MACHINE = 12L << 30;
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

    /// In a process of its own, with a heap that it needs and others do not.
    @Tag("full")
    @Test
    void a_string_of_more_than_a_billion_characters_arrives() throws Exception {
        var machine = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        assumeTrue(machine.getTotalMemorySize() > MACHINE, "a machine with 12 GiB of memory");
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var path =
                System.getProperty("java.class.path")
                        + File.pathSeparator
                        + System.getProperty("jdk.module.path", "");
        var process =
                new ProcessBuilder(java, "-Xmx7g", "-cp", path, Billion.class.getName())
                        .redirectErrorStream(true)
                        .start();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
    }

    /// Sends that string through a pipe.
    static final class Billion {
        private Billion() {}

        public static void main(String[] args) throws Exception {
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
                if (text.length() != length || text.charAt(length - 1) != 'x') {
                    throw new AssertionError("it has " + text.length() + " characters");
                }
            }
            writer.join();
        }
    }
}
