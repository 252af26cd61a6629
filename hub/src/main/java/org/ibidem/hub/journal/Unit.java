package org.ibidem.hub.journal;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// What a journal file is made of: what was written and forced to the disk at once, with a
/// checksum. `docs/wire/journal.md`.
///
/// ```
/// 0        4             12           16          20
/// | magic  | number u64  | length u32 | CRC-32C   | payload, `length` bytes
/// ```
///
/// The checksum is over the file's generation, number, length and payload, so that a unit left over
/// from another file is none of this one.
final class Unit {
    static final int HEADER_BYTES = 20;

    /// Its outer bytes occur in no text.
    private static final int MAGIC = 0xFE4249FF;

    private static final int LENGTH_AT = 12;
    private static final int CHECKSUM_AT = 16;

    private Unit() {}

    /// The bytes of a unit whose payload is these parts, each with its length in front.
    static ByteBuffer encode(long generation, long number, List<byte[]> parts) {
        int length = 0;
        for (var part : parts) {
            length = Math.addExact(length, Integer.BYTES + part.length);
        }
        var out = little(ByteBuffer.allocate(Math.addExact(HEADER_BYTES, length)));
        out.putInt(MAGIC).putLong(number).putInt(length).putInt(0);
        for (var part : parts) {
            out.putInt(part.length).put(part);
        }
        out.flip();
        return out.putInt(CHECKSUM_AT, checksum(generation, number, out, 0, length));
    }

    /// The unit at this place of a file, with that number; null when there is none, or a damaged
    /// one.
    static @Nullable ByteBuffer at(ByteBuffer file, int at, long generation, long number) {
        if (file.limit() - at < HEADER_BYTES
                || file.getInt(at) != MAGIC
                || file.getLong(at + Integer.BYTES) != number) {
            return null;
        }
        int length = file.getInt(at + LENGTH_AT);
        if (length < 0 || length > file.limit() - at - HEADER_BYTES) {
            return null;
        }
        boolean whole =
                checksum(generation, number, file, at, length) == file.getInt(at + CHECKSUM_AT);
        return whole ? little(file.slice(at + HEADER_BYTES, length)) : null;
    }

    /// Where the next whole unit with a number above `number` begins, after this place; -1:
    /// nowhere.
    static int next(ByteBuffer file, int after, long generation, long number) {
        for (int at = after + 1; at <= file.limit() - HEADER_BYTES; at++) {
            if (file.getInt(at) == MAGIC) {
                long found = file.getLong(at + Integer.BYTES);
                if (found > number && at(file, at, generation, found) != null) {
                    return at;
                }
            }
        }
        return -1;
    }

    static ByteBuffer little(ByteBuffer buffer) {
        return buffer.order(ByteOrder.LITTLE_ENDIAN);
    }

    private static int checksum(long generation, long number, ByteBuffer of, int at, int length) {
        var front = little(ByteBuffer.allocate(2 * Long.BYTES + Integer.BYTES));
        var crc = new CRC32C();
        crc.update(front.putLong(generation).putLong(number).putInt(length).flip());
        crc.update(of.slice(at + HEADER_BYTES, length));
        return (int) crc.getValue();
    }
}
