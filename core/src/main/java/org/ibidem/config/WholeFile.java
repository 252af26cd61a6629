package org.ibidem.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/// Writes files that are found whole or not at all.
public final class WholeFile {
    private WholeFile() {}

    /// Puts a file with these bytes in the place of what is there. It is made beside it, under a
    /// name that nobody knows beforehand: no link of another's is followed.
    ///
    /// @throws IOException when it cannot be written; then what was there is there still, and
    ///   nothing else
    public static void write(Path file, byte[] bytes) throws IOException {
        var part = file.resolveSibling("." + UUID.randomUUID() + ".part");
        try {
            Files.write(part, bytes, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
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
