package org.ibidem.buffer;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Writes one small control message: little-endian, every part bounded, the whole bounded.
///
/// Control messages live on the heap and never come near a [Frame]. A part over its bound is an
/// [IllegalArgumentException]: the caller's mistake, found before anything was sent.
///
/// ```
/// bytes, text:  | length u16 | length bytes (text: UTF-8) |
/// list:         | count  u16 | count elements |
/// ```
public final class ControlWriter {
    private static final int FIRST_CAPACITY = 128;

    private final int most;
    private byte[] array;
    private ByteBuffer buffer; // over the whole array

    /// A writer of at most `most` bytes.
    public ControlWriter(int most) {
        this.most = most;
        this.array = new byte[Math.min(most, FIRST_CAPACITY)];
        this.buffer = little(array);
    }

    /// Writes an unsigned byte.
    public ControlWriter u8(int value) {
        room(1).put((byte) fits(value, 0xff));
        return this;
    }

    /// Writes an unsigned 16-bit number.
    public ControlWriter u16(int value) {
        room(Short.BYTES).putShort((short) fits(value, 0xffff));
        return this;
    }

    /// Writes a 32-bit number.
    public ControlWriter i32(int value) {
        room(Integer.BYTES).putInt(value);
        return this;
    }

    /// Writes a 64-bit number.
    public ControlWriter i64(long value) {
        room(Long.BYTES).putLong(value);
        return this;
    }

    /// Writes bytes without a length: the reader knows how many there are.
    public ControlWriter raw(byte[] bytes) {
        room(bytes.length).put(bytes);
        return this;
    }

    /// Writes the length and the bytes; the length is at most `bound`, and never more than 65535.
    public ControlWriter bytes(byte[] bytes, int bound) {
        return u16(fits(bytes.length, bound)).raw(bytes);
    }

    /// Writes the length and the text in UTF-8; the length in bytes is at most `bound`, and never
    /// more than 65535.
    public ControlWriter text(String text, int bound) {
        try {
            var encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
            var bytes = new byte[encoded.remaining()];
            encoded.get(bytes);
            return bytes(bytes, bound);
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(
                    "this text has half a surrogate pair and cannot be sent: " + text, e);
        }
    }

    /// As much of the beginning of `text` as has at most `bytes` bytes in UTF-8, whole characters
    /// only: for reasons, which may quote what a peer sent.
    public static String shortened(String text, int bytes) {
        int end = 0;
        for (int left = bytes; end < text.length(); ) {
            int character = text.codePointAt(end);
            left -= utf8Length(character);
            if (left < 0) {
                return text.substring(0, end);
            }
            end += Character.charCount(character);
        }
        return text;
    }

    private static int utf8Length(int character) {
        if (character < 0x80) {
            return 1;
        }
        return character < 0x800 ? 2 : 2 + Character.charCount(character);
    }

    /// Writes how many elements follow; at most `bound`, and never more than 65535.
    public ControlWriter count(int count, int bound) {
        return u16(fits(count, bound));
    }

    /// Bytes written so far.
    public int size() {
        return buffer.position();
    }

    /// What was written, in an array of its own.
    public byte[] toBytes() {
        return Arrays.copyOf(array, buffer.position());
    }

    private static int fits(int value, int bound) {
        if (value < 0 || value > bound) {
            throw new IllegalArgumentException(
                    value + " does not fit here: it must be 0 to " + bound);
        }
        return value;
    }

    private ByteBuffer room(int bytes) {
        int wanted = buffer.position() + bytes;
        if (wanted > most) {
            throw new IllegalArgumentException(
                    "a control message of this kind has at most "
                            + most
                            + " bytes; this one needs "
                            + wanted);
        }
        if (wanted > array.length) {
            array = Arrays.copyOf(array, Math.min(most, Math.max(wanted, 2 * array.length)));
            buffer = little(array).position(buffer.position());
        }
        return buffer;
    }

    private static ByteBuffer little(byte[] array) {
        return ByteBuffer.wrap(array).order(ByteOrder.LITTLE_ENDIAN);
    }
}
