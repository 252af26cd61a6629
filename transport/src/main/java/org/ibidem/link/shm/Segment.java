package org.ibidem.link.shm;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Set;
import org.ibidem.buffer.Mapping;
import org.ibidem.buffer.RingPlace;
import org.ibidem.config.OwnFolder;

/// One shared mapping: a page that names the link, then two rings with room to grow
/// (`docs/wire/shm.md`).
///
/// The mapping goes with the last reference to it, as in `loopback`: a link may be closed while a
/// thread fills in a message, and memory that vanished under it would be an error of its own in the
/// midst of that thread's writes.
///
/// @param memory the whole mapping
/// @param layout what lies where
/// @param file open as long as the ring that is written here may grow: its name is gone soon
record Segment(MemorySegment memory, SegmentLayout layout, FileChannel file) {
    private static final System.Logger LOG = System.getLogger(Segment.class.getName());

    /// One for all: such memory comes back with the garbage only, which thousands of links a minute
    /// do not wait for.
    private static final ByteBuffer ZEROS = ByteBuffer.allocateDirect(64 << 10).asReadOnlyBuffer();

    /// Where the passive end shows that it sees this very memory, and not a copy.
    private static final int PROOF = 64;

    static Path file(Path folder, String key) {
        return folder.resolve("ibidem-" + key);
    }

    /// Makes the file, readable to this user only. The pages of the first rings are reserved by
    /// writing them, so that a full file system is an error now and not a crash later.
    static Segment create(Path folder, String key, Shm options) throws IOException {
        var modes =
                Set.of(
                        StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE);
        var layout = SegmentLayout.of(options);
        var path = file(folder, key);
        FileChannel channel = null;
        try {
            channel = FileChannel.open(path, modes, OwnFolder.mode(path, OwnFolder.FILE));
            fill(channel, 0, layout.reserved());
            var segment = map(channel, layout);
            segment.memory.asSlice(0, key.length()).copyFrom(MemorySegment.ofArray(ascii(key)));
            return segment;
        } catch (IOException e) {
            if (channel != null) {
                channel.close();
                Files.deleteIfExists(path);
            }
            throw new IOException(
                    "no shared segment of "
                            + layout.reserved()
                            + " bytes could be made in "
                            + folder
                            + " ("
                            + e
                            + "): "
                            + Spare.advice(e),
                    e);
        }
    }

    static void fill(FileChannel channel, long from, long bytes) throws IOException {
        var zeros = ZEROS.duplicate();
        for (long at = from; at < from + bytes; at += zeros.position()) {
            zeros.clear().limit((int) Math.min(zeros.capacity(), from + bytes - at));
            while (zeros.hasRemaining()) {
                channel.write(zeros, at + zeros.position());
            }
        }
    }

    /// Maps the file the other end made, and checks that it is that file.
    static Segment open(Path folder, String key, Shm options) throws IOException {
        var modes =
                Set.of(
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE,
                        LinkOption.NOFOLLOW_LINKS);
        var layout = SegmentLayout.of(options);
        var channel = FileChannel.open(file(folder, key), modes);
        try {
            if (channel.size() != layout.bytes()) {
                throw new IOException(
                        "the shared file has " + channel.size() + " bytes, not " + layout.bytes());
            }
            var segment = map(channel, layout);
            if (!segment.says(0, key)) {
                throw new IOException("the shared file is not the one the peer made");
            }
            segment.proof(key).copyFrom(MemorySegment.ofArray(ascii(reversed(key))));
            return segment;
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /// Whether the other end has written its proof into this memory.
    boolean isProved(String key) {
        return says(PROOF, reversed(key));
    }

    /// Copies before it compares: the JVM's own routine crashes where the file was cut short.
    private boolean says(long at, String text) {
        var there = new byte[text.length()];
        MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, at, there, 0, there.length);
        return Arrays.equals(there, ascii(text));
    }

    private MemorySegment proof(String key) {
        return memory.asSlice(PROOF, key.length());
    }

    private static String reversed(String key) {
        return new StringBuilder(key).reverse().toString();
    }

    private static Segment map(FileChannel channel, SegmentLayout layout) throws IOException {
        var mapping = Mapping.of(channel, layout.bytes());
        return new Segment(mapping, layout, channel);
    }

    private static byte[] ascii(String key) {
        return key.getBytes(StandardCharsets.US_ASCII);
    }

    /// Gives memory to a part that is a hole still.
    ///
    /// @return false: there is none, and the part must not be used
    boolean reserve(RingPlace place) {
        return reserve(file, place);
    }

    static boolean reserve(FileChannel file, RingPlace place) {
        boolean interrupted = Thread.interrupted(); // it would close the channel for ever
        try {
            fill(file, place.data(), place.size());
            return true;
        } catch (IOException e) {
            LOG.log(
                    System.Logger.Level.INFO,
                    "a ring stays smaller than {0} bytes: {1}",
                    place.size(),
                    e.toString());
            return false;
        } finally {
            interruptAgain(interrupted);
        }
    }

    static void interruptAgain(boolean interrupted) {
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /// Lets go of the file; the mapping stays.
    void close() {
        try {
            file.close();
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "closing a shared file failed", e);
        }
    }
}
