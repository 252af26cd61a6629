package org.ibidem.buffer;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.ibidem.Visible;

/// Reads one small control message as [ControlWriter] wrote it. Whatever the peer sent, the answer
/// is a value within its bounds or [Malformed]; never an allocation of the peer's choice.
///
/// Each read takes the name of the field, for the error: `at byte 12 (pool): length 300, but at
/// most 64 is allowed`.
public final class ControlReader {
    private final ByteBuffer buffer;

    /// Reads this message; the array is not changed and must not be while reading.
    public ControlReader(byte[] message) {
        this.buffer = ByteBuffer.wrap(message).asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN);
    }

    /// Reads an unsigned byte.
    public int u8(String field) {
        return Byte.toUnsignedInt(need(field, 1).get());
    }

    /// Reads an unsigned 16-bit number.
    public int u16(String field) {
        return Short.toUnsignedInt(need(field, Short.BYTES).getShort());
    }

    /// Reads a 32-bit number.
    public int i32(String field) {
        return need(field, Integer.BYTES).getInt();
    }

    /// Reads a 64-bit number.
    public long i64(String field) {
        return need(field, Long.BYTES).getLong();
    }

    /// Reads exactly this many bytes.
    public byte[] raw(String field, int bytes) {
        need(field, bytes);
        var value = new byte[bytes];
        buffer.get(value);
        return value;
    }

    /// Reads a length of at most `bound`, then that many bytes.
    public byte[] bytes(String field, int bound) {
        return raw(field, bounded(field, "length", bound));
    }

    /// Reads a length of at most `bound` bytes, then that much UTF-8; anything that is not UTF-8 is
    /// refused.
    public String text(String field, int bound) {
        int at = buffer.position();
        var bytes = bytes(field, bound);
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException _) {
            throw malformed(at, field, "these " + bytes.length + " bytes are not UTF-8");
        }
    }

    /// Reads a text as [#text(String, int)] does that people are shown, such as a reason: as
    /// [Visible] has it, and not longer than it may be on the wire.
    public String reason(String field, int bound) {
        return ControlWriter.shortened(Visible.of(text(field, bound)), bound);
    }

    /// Reads a text as [#text(String, int)] does that is a name, or else is read by programs and
    /// people; one with control characters is refused.
    public String name(String field, int bound) {
        int at = buffer.position();
        var name = text(field, bound);
        if (!Visible.is(name)) {
            throw malformed(at, field, "has control characters: '" + name + "'");
        }
        return name;
    }

    /// Reads how many elements follow: at most `bound`.
    public int count(String field, int bound) {
        return bounded(field, "count", bound);
    }

    /// Bytes not read yet.
    public int remaining() {
        return buffer.remaining();
    }

    /// Bytes read so far.
    public int position() {
        return buffer.position();
    }

    /// Says that the message must end here.
    ///
    /// @throws Malformed when something follows
    public void end() {
        if (buffer.hasRemaining()) {
            throw malformed(buffer.position(), "end", buffer.remaining() + " bytes too many");
        }
    }

    /// The error for a field just read whose value means nothing.
    public Malformed bad(String field, String what) {
        return malformed(buffer.position(), field, what);
    }

    private int bounded(String field, String what, int bound) {
        int at = buffer.position();
        int value = u16(field);
        if (value > bound) {
            throw malformed(
                    at, field, what + " " + value + ", but at most " + bound + " is allowed");
        }
        return value;
    }

    private ByteBuffer need(String field, int bytes) {
        if (buffer.remaining() < bytes) {
            throw malformed(
                    buffer.position(),
                    field,
                    "needs " + bytes + " bytes, but the message ends after " + buffer.remaining());
        }
        return buffer;
    }

    private static Malformed malformed(int at, String field, String what) {
        return new Malformed("at byte " + at + " (" + field + "): " + Visible.of(what));
    }
}
