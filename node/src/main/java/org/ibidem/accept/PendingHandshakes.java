package org.ibidem.accept;

import java.util.HashSet;
import java.util.Set;
import org.ibidem.link.Path;
import org.jspecify.annotations.Nullable;

/// The connections that were accepted and have not proved anything yet: so many at most, and the
/// oldest of the address with the most goes when there is one too many. So a flood pushes out
/// itself and honest peers, who need milliseconds, get through.
final class PendingHandshakes {
    private final OriginQuota<Path> paths;
    private final Set<Path> dropped = new HashSet<>();
    private boolean closed;

    PendingHandshakes(int most) {
        this.paths = new OriginQuota<>(most);
    }

    /// Takes one in, and pushes the oldest out when there is no room.
    ///
    /// @return false when this is closed: the path was closed too
    synchronized boolean enter(Path path) {
        if (closed) {
            path.close();
            return false;
        }
        drop(paths.enter(path, OriginQuota.origin(path)));
        return true;
    }

    /// Pushes the oldest quarter out, at least one: for want of file descriptors.
    synchronized void dropQuarter() {
        for (int n = paths.size() / 4; n >= 0; n--) {
            drop(paths.dropOldest());
        }
    }

    private void drop(@Nullable Path oldest) {
        if (oldest != null) {
            dropped.add(oldest);
            oldest.close();
        }
    }

    /// This one has proved itself or failed.
    ///
    /// @return true when it was pushed out before
    synchronized boolean leave(Path path) {
        paths.leave(path);
        return dropped.remove(path);
    }

    synchronized int size() {
        return paths.size();
    }

    synchronized void close() {
        closed = true;
        paths.all().forEach(Path::close);
    }
}
