package org.ibidem.hub;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.ibidem.link.PathOver;
import org.ibidem.link.StreamPath;

/// A path that, once it is deaf, drops what comes.
final class DeafPath extends PathOver {
    private static final int WASTE = 1 << 10;

    private volatile boolean deaf;

    DeafPath(StreamPath below) {
        super(below);
    }

    void deafen() {
        deaf = true;
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        return deaf ? Math.min(0, below.read(ByteBuffer.allocate(WASTE))) : below.read(into);
    }
}
