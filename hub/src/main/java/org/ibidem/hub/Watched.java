package org.ibidem.hub;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.ibidem.trust.RevokedList;
import org.jspecify.annotations.Nullable;

/// A file with a list of revoked certificates that somebody may put another one in the place of.
final class Watched {
    private final Path path;
    private @Nullable Object seen;

    Watched(Path path) {
        this.path = path;
    }

    Path path() {
        return path;
    }

    /// Whether it is another one than when it was last looked at. While it is being replaced it may
    /// not be there.
    boolean hasChanged() {
        var now = state();
        return now != null && !now.equals(seen);
    }

    /// What stands in it.
    ///
    /// @throws org.ibidem.trust.NotTrusted when that is no list
    RevokedList look() {
        seen = state(); // before it is read: what comes meanwhile is looked at again
        return RevokedList.read(path);
    }

    private @Nullable Object state() {
        try {
            var attributes = Files.readAttributes(path, BasicFileAttributes.class);
            return attributes.lastModifiedTime()
                    + " "
                    + attributes.size()
                    + " "
                    + attributes.fileKey();
        } catch (IOException _) {
            return null;
        }
    }
}
