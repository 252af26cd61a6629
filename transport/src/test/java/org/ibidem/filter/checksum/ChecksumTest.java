package org.ibidem.filter.checksum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.ibidem.Vectors;
import org.ibidem.buffer.BufferPool;
import org.ibidem.buffer.Frame;
import org.ibidem.link.FrameBox;
import org.ibidem.link.FrameLink;
import org.ibidem.link.LinkBroken;
import org.ibidem.link.NoLower;
import org.ibidem.stack.FramesOverStream;
import org.junit.jupiter.api.Test;

class ChecksumTest {
    private final FrameBox below = new FrameBox();
    private final Frame frame = new Frame();

    private FrameLink link(Checksum.Then then) {
        var lower = new NoLower(FramesOverStream.terms(new BufferPool()));
        return new ChecksumFilter().over(below, 0, new Checksum(then), lower);
    }

    private void send(FrameLink link, String text, int flags) {
        assertThat(link.sink().claim(frame, 64)).isTrue();
        for (byte b : text.getBytes(StandardCharsets.US_ASCII)) {
            frame.memory.set(ValueLayout.JAVA_BYTE, frame.position++, b);
        }
        link.sink().commit(frame, flags);
    }

    private static String text(Frame lent) {
        var text = new StringBuilder();
        for (long at = lent.position; at < lent.limit; at++) {
            text.append((char) lent.memory.get(ValueLayout.JAVA_BYTE, at));
        }
        return text.toString();
    }

    /// The check value of CRC-32C for "123456789" is e3069283; the flags byte follows here.
    @Test
    void each_frame_has_the_sum_of_its_payload_and_flags_in_front() {
        send(link(Checksum.Then.BREAK), "123456789", Frame.MORE);
        assertThat(below.source().poll(frame)).isTrue();
        var bytes = new byte[13];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = frame.memory.get(ValueLayout.JAVA_BYTE, frame.position + i);
        }
        var crc = new java.util.zip.CRC32C();
        crc.update("123456789".getBytes(StandardCharsets.US_ASCII));
        assertThat(crc.getValue()).isEqualTo(0xe3069283L);
        crc.update(Frame.MORE);
        var sum = HexFormat.of().toHexDigits(Integer.reverseBytes((int) crc.getValue()));
        assertThat(HexFormat.of().formatHex(bytes)).isEqualTo(sum + "313233343536373839");
    }

    @Test
    void frames_are_those_of_the_page() throws IOException {
        var vectors = Vectors.read("filters");
        assertThat(sent("123456789", Frame.MORE)).isEqualTo(vectors.get("checksum.more"));
        assertThat(sent("123456789", 0)).isEqualTo(vectors.get("checksum.last"));
        assertThat(sent("", Frame.END)).isEqualTo(vectors.get("checksum.end"));
        below.arrive(vectors.get("checksum.more"), Frame.MORE);
        below.arrive(vectors.get("checksum.end"), Frame.END);
        var link = link(Checksum.Then.BREAK);
        assertThat(link.source().poll(frame)).isTrue();
        assertThat(text(frame)).isEqualTo("123456789");
        assertThat(link.source().poll(frame)).isTrue();
        assertThat(frame.room()).isZero();
    }

    @Test
    void what_was_sent_arrives() {
        var link = link(Checksum.Then.BREAK);
        send(link, "one", Frame.MORE);
        send(link, "", 0);
        assertThat(link.source().poll(frame)).isTrue();
        assertThat(text(frame)).isEqualTo("one");
        assertThat(frame.flags).isEqualTo(Frame.MORE);
        assertThat(link.source().poll(frame)).isTrue();
        assertThat(frame.room()).isZero();
        assertThat(link.source().poll(frame)).isFalse();
    }

    @Test
    void one_altered_bit_breaks_the_link() {
        for (int bit = 0; bit < 7 * 8; bit++) {
            below.closed = false;
            var altered = sent("abc", 0);
            altered[bit / 8] ^= (byte) (1 << bit % 8);
            below.arrive(altered, 0);
            var link = link(Checksum.Then.BREAK);
            assertThatThrownBy(() -> link.source().poll(frame))
                    .isInstanceOf(LinkBroken.class)
                    .hasMessageContaining("a frame of 7 bytes arrived altered");
            assertThat(below.closed).isTrue();
        }
    }

    @Test
    void altered_flags_are_found_too() {
        below.arrive(sent("abc", Frame.MORE), 0);
        var link = link(Checksum.Then.BREAK);
        assertThatThrownBy(() -> link.source().poll(frame)).isInstanceOf(LinkBroken.class);
    }

    @Test
    void what_is_too_short_for_a_sum_breaks_the_link() {
        below.arrive(new byte[3], 0);
        var link = link(Checksum.Then.BREAK);
        assertThatThrownBy(() -> link.source().poll(frame)).isInstanceOf(LinkBroken.class);
    }

    @Test
    void where_frames_may_be_lost_an_altered_one_is() {
        var altered = sent("abc", 0);
        altered[5] ^= 1;
        below.arrive(altered, 0);
        below.arrive(sent("def", 0), 0);
        var link = link(Checksum.Then.LOSE);
        assertThat(link.source().poll(frame)).isTrue();
        assertThat(text(frame)).isEqualTo("def");
        assertThat(link.delivery()).hasToString("lose");
        assertThat(link(Checksum.Then.BREAK).delivery().isFaithful()).isTrue();
    }

    private byte[] sent(String text, int flags) {
        var box = new FrameBox();
        var lower = new NoLower(FramesOverStream.terms(new BufferPool()));
        send(new ChecksumFilter().over(box, 0, new Checksum(), lower), text, flags);
        assertThat(box.source().poll(frame)).isTrue();
        var bytes = new byte[(int) frame.room()];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = frame.memory.get(ValueLayout.JAVA_BYTE, frame.position + i);
        }
        return bytes;
    }
}
