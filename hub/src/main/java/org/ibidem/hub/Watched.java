package org.ibidem.hub;

import java.nio.file.Path;
import org.ibidem.config.FileMark;
import org.ibidem.trust.RevokedList;
import org.jspecify.annotations.Nullable;

/// A file with a list of revoked certificates that somebody may put another one in the place of.
final class Watched {
    private final Path path;
    private @Nullable FileMark seen;

    Watched(Path path) {
        this.path = path;
    }

    Path path() {
        return path;
    }

    /// Whether it is another one than when it was last looked at. While it is being replaced it may
    /// not be there.
    boolean hasChanged() {
        var now = FileMark.of(path);
        return now != null && !now.equals(seen);
    }

    /// What stands in it.
    ///
    /// @throws org.ibidem.trust.NotTrusted when that is no list
    RevokedList look() {
        seen = FileMark.of(path); // before it is read: what comes meanwhile is looked at again
        return RevokedList.read(path);
    }
}
