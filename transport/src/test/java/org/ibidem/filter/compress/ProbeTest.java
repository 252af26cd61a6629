package org.ibidem.filter.compress;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.Deflater;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProbeTest {
    private final Probe probe = new Probe();

    private boolean compressible(byte[] bytes) {
        return probe.compressible(ByteBuffer.allocateDirect(bytes.length).put(bytes).flip());
    }

    @ParameterizedTest
    @ValueSource(ints = {512, 700, 4_096, 4_500, 20_000, Header.BLOCK})
    void chance_cannot_be_compressed(int size) {
        for (int seed = 0; seed < 200; seed++) {
            var bytes = new byte[size];
            new Random(seed).nextBytes(bytes);
            assertThat(compressible(bytes)).as("seed %d", seed).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {4_096, 20_000, Header.BLOCK})
    void what_a_codec_gives_cannot_be_compressed_again(int size) {
        var text = new StringBuilder();
        var random = new Random(1);
        while (text.length() < 20 * Header.BLOCK) {
            text.append(random.nextInt(1_000)).append(" things, ");
        }
        var deflater = new Deflater(6, true);
        deflater.setInput(text.toString().getBytes(StandardCharsets.US_ASCII));
        var bytes = new byte[size];
        assertThat(deflater.deflate(bytes)).isEqualTo(size);
        deflater.end();
        assertThat(compressible(bytes)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {512, 4_096, 20_000, Header.BLOCK})
    void text_and_numbers_can_be(int size) {
        var random = new Random(1);
        var text = new byte[size];
        var small = ByteBuffer.allocate(size + 8);
        var repeated = new byte[size];
        var once = new byte[64];
        random.nextBytes(once);
        for (int i = 0; i < size; i++) {
            text[i] = (byte) ('a' + random.nextInt(26));
            repeated[i] = once[i % once.length];
        }
        while (small.position() < size) {
            small.putLong(random.nextInt(1_000_000));
        }
        assertThat(compressible(text)).isTrue();
        assertThat(compressible(new byte[size])).isTrue();
        assertThat(compressible(repeated)).as("chance that comes again").isTrue();
        assertThat(compressible(Arrays.copyOf(small.array(), size))).isTrue();
    }
}
