package org.ibidem.link.shm;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.ibidem.buffer.RingPlace;
import org.ibidem.buffer.RingPlan;
import org.ibidem.ring.Broadcast;

/// The memory of a broadcast ring, in a file without a name: open, so that readers can come and the
/// ring can grow, until it is closed.
final class BroadcastFile implements Broadcast.Ground {
    private static final System.Logger LOG = System.getLogger(BroadcastFile.class.getName());

    private final Nameless file;
    private final BroadcastLayout layout;

    private BroadcastFile(Nameless file, BroadcastLayout layout) {
        this.file = file;
        this.layout = layout;
    }

    static BroadcastFile create(Path folder, Shm options, int readers) throws IOException {
        var layout = BroadcastLayout.of(options, readers);
        try {
            return new BroadcastFile(
                    Nameless.create(folder, "ibidem-broadcast-", layout.reserved(), layout.bytes()),
                    layout);
        } catch (IOException e) {
            throw new IOException(
                    "no broadcast ring of "
                            + layout.reserved()
                            + " bytes could be made in "
                            + folder
                            + " ("
                            + e
                            + ")",
                    e);
        }
    }

    /// What stands at its beginning.
    long key() {
        return file.key();
    }

    /// What others open.
    int descriptor() {
        return file.descriptor();
    }

    BroadcastLayout layout() {
        return layout;
    }

    @Override
    public MemorySegment memory() {
        return file.memory();
    }

    @Override
    public RingPlan plan() {
        return layout.plan(0);
    }

    @Override
    public int told() {
        return Invitation.BYTES;
    }

    @Override
    public void tell(MemorySegment memory, long at, int reader) {
        Invitation.write(memory, at, this, reader);
    }

    @Override
    public boolean reserve(RingPlace place) {
        return Segment.reserve(file.file(), place);
    }

    @Override
    public void close() {
        try {
            file.file().close();
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "closing a shared file failed", e);
        }
    }
}
