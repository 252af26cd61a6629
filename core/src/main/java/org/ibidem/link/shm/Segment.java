package org.ibidem.link.shm;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.ibidem.buffer.Ring;

/// One shared mapping: a page that names the link, then the ring from the active end, then the ring
/// towards it.
///
/// ```
///    0  the link's key, 32 ASCII characters: proof that both ends mapped the same file
/// 4096  ring active -> passive
///    …  ring passive -> active
/// ```
///
/// The mapping goes with the last reference to it, as in `loopback`: a link may be closed while a
/// thread fills in a message, and memory that vanished under it would be an error of its own in the
/// midst of that thread's writes.
///
/// @param memory the whole mapping
/// @param ring bytes of data in each ring
record Segment(MemorySegment memory, long ring) {
    static final Path FOLDER = Path.of("/dev/shm");
    private static final int PAGE = 4096;
    private static final int BLOCK = 64 << 10;

    static Path file(String key) {
        return FOLDER.resolve("ibidem-" + key);
    }

    long forward() {
        return PAGE;
    }

    long backward() {
        return PAGE + Ring.bytes(ring);
    }

    private static long bytes(long ring) {
        return PAGE + 2 * Ring.bytes(ring);
    }

    /// Makes the file, readable to this user only. Its pages are reserved by writing them, so that
    /// a full file system is an error now and not a crash later.
    static Segment create(String key, long ring) throws IOException {
        var owner =
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        var options =
                Set.of(
                        StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE);
        try (var channel = FileChannel.open(file(key), options, owner)) {
            fill(channel, bytes(ring));
            var segment = map(channel, ring);
            segment.memory.asSlice(0, key.length()).copyFrom(MemorySegment.ofArray(ascii(key)));
            return segment;
        } catch (IOException e) {
            Files.deleteIfExists(file(key));
            throw e;
        }
    }

    private static void fill(FileChannel channel, long bytes) throws IOException {
        var zeros = ByteBuffer.allocateDirect(BLOCK);
        for (long at = 0; at < bytes; at += zeros.position()) {
            zeros.clear().limit((int) Math.min(BLOCK, bytes - at));
            while (zeros.hasRemaining()) {
                channel.write(zeros, at + zeros.position());
            }
        }
    }

    /// Maps the file the other end made, and checks that it is that file.
    static Segment open(String key, long ring) throws IOException {
        var options =
                Set.of(
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE,
                        LinkOption.NOFOLLOW_LINKS);
        try (var channel = FileChannel.open(file(key), options)) {
            if (channel.size() != bytes(ring)) {
                throw new IOException(
                        "the shared file has " + channel.size() + " bytes, not " + bytes(ring));
            }
            var segment = map(channel, ring);
            if (segment.memory.asSlice(0, key.length()).mismatch(MemorySegment.ofArray(ascii(key)))
                    >= 0) {
                throw new IOException("the shared file is not the one the peer made");
            }
            return segment;
        }
    }

    private static Segment map(FileChannel channel, long ring) throws IOException {
        var mapping = channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes(ring), Arena.ofAuto());
        return new Segment(mapping, ring);
    }

    private static byte[] ascii(String key) {
        return key.getBytes(StandardCharsets.US_ASCII);
    }
}
