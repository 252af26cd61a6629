package org.ibidem.config;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.util.Set;
import java.util.UUID;

/// Writes files that are found whole or not at all.
public final class WholeFile {
    private static final Set<StandardOpenOption> FRESH =
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);

    private WholeFile() {}

    /// Puts a file with these bytes in the place of what is there. It is made beside it, under a
    /// name that nobody knows beforehand, so no link of another's is followed; and it is on the
    /// disk before it is in its place.
    ///
    /// @param attributes with which it is made
    /// @throws IOException when it cannot be written; then what was there is there still, and
    ///   nothing else
    public static void write(Path file, byte[] bytes, FileAttribute<?>... attributes)
            throws IOException {
        var part = file.resolveSibling("." + UUID.randomUUID() + ".part");
        try {
            try (var out = FileChannel.open(part, FRESH, attributes)) {
                for (var left = ByteBuffer.wrap(bytes); left.hasRemaining(); ) {
                    out.write(left);
                }
                out.force(true);
            }
            Files.move(
                    part,
                    file,
                    StandardCopyOption.REPLACE_EXISTING,
                    StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            try {
                Files.deleteIfExists(part);
            } catch (IOException left) {
                e.addSuppressed(left);
            }
            throw e;
        }
    }
}
