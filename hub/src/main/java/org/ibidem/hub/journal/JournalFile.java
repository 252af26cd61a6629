package org.ibidem.hub.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// One file of a journal: a header, a unit with the state as it was when the file was begun, and a
/// unit for each batch of commands since.
///
/// ```
/// 0                 8            12               20
/// | "IBIDEM-J"      | version    | generation u64 | units, from number 0
/// |                 | u32 = 2    |                |
/// ```
final class JournalFile {
    static final int HEADER_BYTES = 20;

    private static final byte[] NAME = {'I', 'B', 'I', 'D', 'E', 'M', '-', 'J'};
    private static final int VERSION = 2;

    private JournalFile() {}

    /// What a file holds.
    ///
    /// @param image the state it began with
    /// @param commands those since, in order
    /// @param units how many units those were in, the image's included
    /// @param end where the last whole unit ends
    /// @param torn bytes after that: a unit that was being written when the hub ended
    record Contents(byte[] image, List<byte[]> commands, long units, long end, long torn) {}

    /// The beginning of a file: its header and the image.
    static ByteBuffer beginning(long generation, byte[] image) {
        var unit = Unit.encode(generation, 0, List.of(image));
        var out = Unit.little(ByteBuffer.allocate(HEADER_BYTES + unit.remaining()));
        return out.put(NAME).putInt(VERSION).putLong(generation).put(unit).flip();
    }

    /// Reads a file.
    ///
    /// @throws BadState when it is damaged anywhere but at its end
    static Contents read(Path path, FileChannel channel, long generation) throws IOException {
        var file = whole(path, channel);
        requireHeader(path, file, generation);
        var image = Unit.at(file, HEADER_BYTES, generation, 0);
        if (image == null) {
            throw damaged(path, HEADER_BYTES, "the state it begins with is not whole");
        }
        var commands = new ArrayList<byte[]>();
        long units = 1;
        int at = HEADER_BYTES + Unit.HEADER_BYTES + image.limit();
        for (var unit = Unit.at(file, at, generation, units);
                unit != null;
                unit = Unit.at(file, at, generation, units)) {
            commands.addAll(parts(path, at, unit));
            at += Unit.HEADER_BYTES + unit.limit();
            units++;
        }
        int next = Unit.next(file, at, generation, units - 1);
        if (next >= 0) {
            throw damaged(path, at, "it is whole again from byte " + next + " on");
        }
        return new Contents(
                parts(path, HEADER_BYTES, image).getFirst(),
                commands,
                units,
                at,
                file.limit() - at);
    }

    private static ByteBuffer whole(Path path, FileChannel channel) throws IOException {
        if (channel.size() > Integer.MAX_VALUE - Long.BYTES) {
            throw new BadState("journal " + path + " is larger than any that a hub writes");
        }
        var file = ByteBuffer.allocate((int) channel.size());
        while (file.hasRemaining() && channel.read(file, file.position()) >= 0) {
            // until all is there
        }
        return Unit.little(file.flip());
    }

    private static void requireHeader(Path path, ByteBuffer file, long generation) {
        if (file.limit() < HEADER_BYTES
                || !file.slice(0, NAME.length).equals(ByteBuffer.wrap(NAME))) {
            throw damaged(path, 0, "this is not how a journal begins");
        }
        int version = file.getInt(NAME.length);
        if (version != VERSION) {
            throw new BadState(
                    "journal "
                            + path
                            + " is written in version "
                            + version
                            + ", this hub reads version "
                            + VERSION
                            + ": start the hub that wrote it, or name another folder");
        }
        long named = file.getLong(NAME.length + Integer.BYTES);
        if (named != generation) {
            throw damaged(path, NAME.length, "its number is " + named + ", unlike its name's");
        }
    }

    private static List<byte[]> parts(Path path, int at, ByteBuffer unit) {
        var parts = new ArrayList<byte[]>();
        while (unit.remaining() >= Integer.BYTES) {
            int length = unit.getInt();
            if (length < 0 || length > unit.remaining()) {
                break;
            }
            var part = new byte[length];
            unit.get(part);
            parts.add(part);
        }
        if (unit.hasRemaining() || parts.isEmpty()) {
            throw damaged(path, at, "the lengths in this unit do not fit");
        }
        return parts;
    }

    static BadState damaged(Path path, long at, String how) {
        return new BadState(
                "journal "
                        + path
                        + " is damaged at byte "
                        + at
                        + ": "
                        + how
                        + ". Put a good copy in its place; or move it away, and the hub begins"
                        + " without its members");
    }
}
