package org.ibidem.serial.rewrite;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFileAttributeView;
import org.ibidem.serial.inside.ClassCode;
import org.jspecify.annotations.Nullable;

/// A class file that was found in a place.
///
/// @param path where; perhaps inside a jar
/// @param bytes what is in it
/// @param code the same, parsed
/// @param problem why no class of the place is rewritten; null: they may be
record Found(Path path, byte[] bytes, ClassCode code, @Nullable String problem) {
    /// Puts other bytes in the place of the file, all at once.
    void write(byte[] other) throws IOException {
        var time = Files.getLastModifiedTime(path);
        if (path.getFileSystem().equals(FileSystems.getDefault())) {
            var whole = Files.createTempFile(path.toAbsolutePath().getParent(), "rewritten", "");
            try {
                fill(whole, other);
                Files.move(whole, path, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(whole); // where it could not be moved
            }
        } else {
            Files.write(path, other); // a jar is written whole when it is closed
        }
        Files.setLastModifiedTime(path, time);
    }

    /// The mode is set of the file itself, not of what its name leads to.
    private void fill(Path whole, byte[] other) throws IOException {
        Files.write(whole, other);
        var modes =
                Files.getFileAttributeView(
                        whole, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
        if (modes != null) { // the system knows such
            modes.setPermissions(Files.getPosixFilePermissions(path));
        }
    }
}
