package org.ibidem.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/// By what one sees that a file is another one than it was: its time, its size, and which it is.
///
/// @param text of them all
public record FileMark(String text) {
    /// That of a file now.
    ///
    /// @return null: it is not there; while it is being replaced that may be
    public static @Nullable FileMark of(Path file) {
        try {
            var attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return new FileMark(
                    attributes.lastModifiedTime()
                            + " "
                            + attributes.size()
                            + " "
                            + attributes.fileKey());
        } catch (IOException _) {
            return null;
        }
    }
}
