package org.ibidem.codecs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.ibidem.codec.Codec;
import org.ibidem.codec.Codecs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What zstd makes of blocks, and of what are none.
@Timeout(60)
class ZstdTest {
    private static final int BLOCK = 128 << 10;
    private static final int GUARD = 64;

    private final Codec zstd = new Zstd();

    private static byte[] text(int bytes) {
        var random = new Random(bytes);
        var words = new StringBuilder();
        while (words.length() < bytes) {
            words.append("public static final int WORD_").append(random.nextInt(100)).append("; ");
        }
        return words.substring(0, bytes).getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] noise(int bytes) {
        var noise = new byte[bytes];
        new Random(bytes).nextBytes(noise);
        return noise;
    }

    private static ByteBuffer direct(byte[] bytes) {
        return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    }

    /// In the middle of buffers, as blocks are.
    private byte[] encoded(int level, byte[] bytes, int room) {
        var from = ByteBuffer.allocateDirect(7 + bytes.length + 7).position(7).put(bytes).flip();
        var to = ByteBuffer.allocateDirect(5 + room).position(5);
        try (var encoder = zstd.encoder(level)) {
            assertThat(encoder.encode(from.position(7), to)).isTrue();
            assertThat(from.hasRemaining()).isFalse();
            var made = new byte[to.flip().position(5).remaining()];
            to.get(made);
            return made;
        }
    }

    private byte[] encoded(byte[] bytes) {
        return encoded(1, bytes, BLOCK);
    }

    /// Into a part of a buffer; nothing beside it may be touched.
    private byte[] decoded(byte[] made, int size) throws IOException {
        var to = ByteBuffer.allocateDirect(GUARD + size + GUARD);
        var from = direct(made);
        try (var decoder = zstd.decoder()) {
            decoder.decode(from, to.slice(GUARD, size));
        } finally {
            for (int i = 0; i < GUARD; i++) {
                assertThat(to.get(i) | to.get(GUARD + size + i)).isZero();
            }
        }
        assertThat(from.hasRemaining()).isFalse();
        var grown = new byte[size];
        to.get(GUARD, grown);
        return grown;
    }

    @Test
    void it_is_found_beside_deflate() {
        assertThat(Codecs.found()).hasToString("deflate, zstd");
        assertThat(Codecs.found().get(3))
                .hasValueSatisfying(it -> assertThat(it.objection()).isNull());
    }

    @ParameterizedTest
    @ValueSource(ints = {-50, -7, -1, 1, 2, 3, 4, 5, 6, 7, 8, 9})
    void what_any_level_makes_smaller_grows_to_what_it_was(int level) throws IOException {
        for (int size : new int[] {512, 70_001, BLOCK}) {
            var made = encoded(level, text(size), size);
            assertThat(made).hasSizeLessThan(size);
            assertThat(decoded(made, size)).isEqualTo(text(size));
        }
        var zeros = encoded(level, new byte[BLOCK], BLOCK);
        assertThat(zeros).hasSizeLessThan(BLOCK / 100);
        assertThat(decoded(zeros, BLOCK)).isEqualTo(new byte[BLOCK]);
    }

    @Test
    void one_encoder_and_one_decoder_make_one_block_after_the_other() throws IOException {
        var to = ByteBuffer.allocateDirect(BLOCK);
        var back = ByteBuffer.allocateDirect(BLOCK);
        try (var encoder = zstd.encoder(3);
                var decoder = zstd.decoder()) {
            for (int size : new int[] {1, 100_000, 512, BLOCK}) {
                assertThat(encoder.encode(direct(text(size)), to.clear())).isTrue();
                assertThat(encoder.encode(direct(noise(BLOCK)), ByteBuffer.allocateDirect(BLOCK)))
                        .isFalse();
                decoder.decode(to.flip(), back.clear().limit(size));
                assertThat(back.flip()).isEqualTo(ByteBuffer.wrap(text(size)));
            }
        }
    }

    @Test
    void what_does_not_become_smaller_is_said_not_to_fit() {
        try (var encoder = zstd.encoder(1)) {
            assertThat(encoder.encode(direct(noise(BLOCK)), ByteBuffer.allocateDirect(BLOCK - 1)))
                    .isFalse();
        }
    }

    @Test
    void there_are_levels_and_no_others() {
        for (int level : new int[] {0, 10, -51, 22}) {
            assertThatThrownBy(() -> zstd.encoder(level))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(
                            "zstd has the levels 1 to 9, and -1 to -50 for more speed, not "
                                    + level);
        }
        zstd.levels().forEach(level -> zstd.encoder(level.number()).close());
    }

    private void refused(byte[] block, int size) {
        assertThatThrownBy(() -> decoded(block, size))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("a block of zstd ");
    }

    @Test
    void a_block_of_another_length_than_it_says_is_refused() {
        var made = encoded(text(5_000));
        refused(made, 4_999);
        refused(made, 5_001);
        refused(Arrays.copyOf(made, made.length - 1), 5_000);
        refused(Arrays.copyOf(made, made.length + 1), 5_000);
        refused(new byte[0], 1);
    }

    /// Descriptor, window of 2 GB and more, size of the content, blocks; all of it without memory.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "c0ff ffffffffffffff7f 0b0000", // says 2^63 bytes
                "a0 ffffffff 0b0000", // one segment of 4 GB
                "00ff 0b0000", // the largest window that can be written
                "00a8 020010 61 020010 61 030010 61", // runs of 128 KiB, one behind the other
            })
    void a_block_that_says_it_grows_to_gigabytes_is_refused(String frame) {
        var block = HexFormat.of().parseHex(frame.replace(" ", ""));
        refused(block, 1_000);
        refused(block, BLOCK);
    }

    /// Those of older versions, and what stands for nothing: known by their magic numbers.
    @ParameterizedTest
    @ValueSource(strings = {"27b52ffd", "26b52ffd", "25b52ffd", "24b52ffd", "502a4d18", "28b52ffd"})
    void frames_with_a_magic_number_are_none(String magic) {
        refused(HexFormat.of().parseHex(magic + "0000000000000000"), 1);
        var made = encoded(text(100));
        var behind = Arrays.copyOf(made, made.length + 12);
        System.arraycopy(HexFormat.of().parseHex(magic), 0, behind, made.length, 4);
        refused(behind, 100);
    }

    /// Other bytes may come out: there is no sum in a block. Never more than there is room for.
    @Test
    void whatever_is_altered_does_no_harm() {
        var made = encoded(text(3_000));
        var random = new Random(1);
        int refused = 0;
        for (int round = 0; round < 3_000; round++) {
            var block = made.clone();
            for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
                block[random.nextInt(block.length)] ^= (byte) (1 << random.nextInt(8));
            }
            try {
                assertThat(decoded(block, 3_000)).hasSize(3_000);
            } catch (IOException _) {
                refused++;
            }
        }
        assertThat(refused).isGreaterThan(500);
    }

    @Test
    void its_block_is_that_of_the_page() throws IOException {
        var vectors = Path.of("..", "fixtures", "src", "main", "resources", "wire", "filters.txt");
        var line =
                Files.readAllLines(vectors).stream()
                        .filter(each -> each.startsWith("compress.zstd = "))
                        .findFirst()
                        .orElseThrow();
        var block = HexFormat.of().parseHex(line.split(" = ", 2)[1].replace(" ", ""));
        assertThat(block[3]).as("the codec").isEqualTo((byte) zstd.number());
        assertThat(decoded(Arrays.copyOfRange(block, 8, block.length), 72))
                .asString(StandardCharsets.US_ASCII)
                .isEqualTo("abc".repeat(24));
    }
}
