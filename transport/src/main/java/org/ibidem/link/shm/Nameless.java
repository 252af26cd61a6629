package org.ibidem.link.shm;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HexFormat;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.ibidem.buffer.Mapping;
import org.ibidem.config.OwnFolder;
import org.jspecify.annotations.Nullable;

/// A file of shared memory without a name, so that nothing is left behind by any kill; whoever is
/// told this process and the number of its descriptor opens it there, as long as it is open here.
///
/// @param memory the whole mapping; it goes with the last reference to it
/// @param file what others open
/// @param descriptor its number in this process
/// @param key what stands at its beginning, so that nobody takes another file for it
record Nameless(MemorySegment memory, FileChannel file, int descriptor, long key) {
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
    private static final String GONE = " (deleted)";

    /// Makes one, for this user only.
    ///
    /// @param reserved bytes at the beginning that get memory now; the rest is a hole
    static Nameless create(Path folder, String name, long reserved, long bytes) throws IOException {
        long key = ThreadLocalRandom.current().nextLong();
        var path = folder.resolve(name + HexFormat.of().toHexDigits(key));
        var modes =
                Set.of(
                        StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE);
        var file = FileChannel.open(path, modes, OwnFolder.mode(path, OwnFolder.FILE));
        try {
            var real = path.toRealPath().toString();
            Files.delete(path);
            Segment.fill(file, 0, reserved);
            var memory = Mapping.of(file, bytes);
            memory.set(ValueLayout.JAVA_LONG, 0, key);
            return new Nameless(memory, file, descriptor(real + GONE), key);
        } catch (IOException | DirectoryIteratorException e) {
            file.close();
            Files.deleteIfExists(path);
            throw e instanceof IOException io ? io : new IOException(e);
        }
    }

    private static int descriptor(String target) throws IOException {
        try (var all = Files.newDirectoryStream(DESCRIPTORS)) {
            for (var one : all) {
                if (target.equals(target(one))) {
                    return Integer.parseInt(one.getFileName().toString());
                }
            }
        }
        throw new IOException("the system does not tell the number of a descriptor");
    }

    private static @Nullable String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException e) {
            return null; // closed meanwhile
        }
    }

    /// Maps one of another process.
    ///
    /// @throws IOException when there is none of that size and key
    static MemorySegment map(int process, int descriptor, long key, long bytes) throws IOException {
        var path = Path.of("/proc/" + process + "/fd/" + descriptor);
        if (!Files.isRegularFile(path)) {
            throw new IOException(path + " is no file");
        }
        try (var channel =
                FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            if (channel.size() != bytes) {
                throw new IOException(path + " has " + channel.size() + " bytes, not " + bytes);
            }
            var memory = Mapping.of(channel, bytes);
            if (memory.get(ValueLayout.JAVA_LONG, 0) != key) {
                throw new IOException(path + " is another file");
            }
            return memory;
        }
    }
}
