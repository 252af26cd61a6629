package org.ibidem.control;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.ibidem.link.StreamPath;
import org.jspecify.annotations.Nullable;

/// Writes what waits on a control link, as far as the connection takes it. One thread at a time.
final class FrameWriter {
    private final StreamPath path;
    private final Outgoing outgoing;
    private @Nullable ByteBuffer current;
    private boolean isFull;
    private @Nullable String broken;

    /// @param path that does not block
    FrameWriter(StreamPath path, Outgoing outgoing) {
        this.path = path;
        this.outgoing = outgoing;
    }

    void write() {
        try {
            for (var next = next(); next != null; next = next()) {
                current = next;
                path.write(next);
                isFull = next.hasRemaining();
                if (isFull) {
                    return;
                }
                current = null;
            }
            isFull = !path.flush();
        } catch (IOException e) {
            // The reader finds out how the link ended: a goodbye or an end of stream may still
            // wait to be read. But a reset that was told here will look like an end to it.
            broken = Ending.wasOver(e) ? null : e.toString();
            current = null;
            isFull = false;
            outgoing.close();
        }
    }

    private @Nullable ByteBuffer next() {
        return current == null ? outgoing.take() : current;
    }

    /// Whether it waits for the connection to take more.
    boolean isFull() {
        return isFull;
    }

    /// Whether all was written.
    boolean isDone() {
        return current == null && !isFull && outgoing.isEmpty();
    }

    /// What a write failed of, other than that the peer has ended the connection.
    @Nullable String broken() {
        return broken;
    }
}
