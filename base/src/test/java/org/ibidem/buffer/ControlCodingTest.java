package org.ibidem.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class ControlCodingTest {
    private static byte[] hex(String text) {
        return HexFormat.of().parseHex(text.replace(" ", ""));
    }

    @Test
    void every_kind_of_field_has_its_little_endian_bytes() {
        var out =
                new ControlWriter(100)
                        .u8(0xfe)
                        .u16(0xfedc)
                        .i32(-2)
                        .i64(0x0102030405060708L)
                        .bytes(new byte[] {1, 2}, 2)
                        .text("é", 2)
                        .count(3, 3)
                        .raw(new byte[] {9});
        assertThat(out.toBytes())
                .isEqualTo(hex("fe dcfe feffffff 0807060504030201 0200 0102 0200 c3a9 0300 09"));
        var in = new ControlReader(out.toBytes());
        assertThat(in.u8("a")).isEqualTo(0xfe);
        assertThat(in.u16("b")).isEqualTo(0xfedc);
        assertThat(in.i32("c")).isEqualTo(-2);
        assertThat(in.i64("d")).isEqualTo(0x0102030405060708L);
        assertThat(in.bytes("e", 2)).containsExactly(1, 2);
        assertThat(in.text("f", 2)).isEqualTo("é");
        assertThat(in.count("g", 3)).isEqualTo(3);
        assertThat(in.raw("h", 1)).containsExactly(9);
        in.end();
    }

    @Test
    void a_length_over_its_bound_is_refused_with_its_position() {
        var in = new ControlReader(hex("00 2c01 00"));
        in.u8("kind");
        assertThatThrownBy(() -> in.text("pool", 64))
                .isInstanceOf(Malformed.class)
                .hasMessage("at byte 1 (pool): length 300, but at most 64 is allowed");
    }

    @Test
    void a_message_that_ends_early_is_refused_before_anything_is_allocated() {
        assertThatThrownBy(() -> new ControlReader(hex("ffff 00")).bytes("key", 65535))
                .hasMessage("at byte 2 (key): needs 65535 bytes, but the message ends after 1");
        assertThatThrownBy(() -> new ControlReader(hex("01 02 03")).i32("rank"))
                .hasMessage("at byte 0 (rank): needs 4 bytes, but the message ends after 3");
    }

    @Test
    void bytes_that_are_not_utf8_are_refused() {
        assertThatThrownBy(() -> new ControlReader(hex("0200 c328")).text("name", 8))
                .hasMessage("at byte 0 (name): these 2 bytes are not UTF-8");
    }

    @Test
    void bytes_after_the_end_are_refused() {
        assertThatThrownBy(() -> new ControlReader(hex("0102")).end())
                .hasMessage("at byte 0 (end): 2 bytes too many");
    }

    @Test
    void a_count_over_its_bound_is_refused() {
        assertThatThrownBy(() -> new ControlReader(hex("ffff")).count("members", 100))
                .hasMessage("at byte 0 (members): count 65535, but at most 100 is allowed");
    }

    @Test
    void a_writer_refuses_what_no_reader_would_take() {
        assertThatThrownBy(() -> new ControlWriter(10).text("abc", 2))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new ControlWriter(10).u8(256)).hasMessageContaining("0 to 255");
        assertThatThrownBy(() -> new ControlWriter(10).u16(-1)).hasMessageContaining("0 to 65535");
        assertThatThrownBy(() -> new ControlWriter(3).i32(1))
                .hasMessageContaining("at most 3 bytes");
        assertThatThrownBy(() -> new ControlWriter(10).text("\ud800", 8))
                .hasMessageContaining("surrogate");
    }

    @Test
    void a_writer_grows_up_to_its_bound() {
        var out = new ControlWriter(100_000);
        for (int i = 0; i < 25_000; i++) {
            out.i32(i);
        }
        assertThat(out.size()).isEqualTo(100_000);
        var in = new ControlReader(out.toBytes());
        for (int i = 0; i < 25_000; i++) {
            assertThat(in.i32("number")).isEqualTo(i);
        }
        assertThatThrownBy(() -> out.u8(0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_reason_is_cut_between_characters() {
        assertThat(ControlWriter.shortened("abc", 3)).isEqualTo("abc");
        assertThat(ControlWriter.shortened("abc", 2)).isEqualTo("ab");
        assertThat(ControlWriter.shortened("aé€😀", 10)).isEqualTo("aé€😀");
        assertThat(ControlWriter.shortened("aé€😀", 9)).isEqualTo("aé€");
        assertThat(ControlWriter.shortened("aé€😀", 5)).isEqualTo("aé");
        assertThat(ControlWriter.shortened("é", 1)).isEmpty();
        var emoji = "😀".repeat(1000);
        new ControlWriter(100).text(ControlWriter.shortened(emoji, 99), 99);
    }
}
