package org.ibidem.port;

import org.ibidem.buffer.Frame;
import org.ibidem.link.FrameSink;
import org.ibidem.link.LinkBroken;

/// Where the frames of a send port go that is connected to nobody.
enum NoSink implements FrameSink {
    INSTANCE;

    private static LinkBroken nobody() {
        return new LinkBroken("the port is connected to nobody");
    }

    @Override
    public boolean claim(Frame room, int atLeast) {
        throw nobody();
    }

    @Override
    public boolean commit(Frame room, int flags) {
        throw nobody();
    }

    @Override
    public boolean push() {
        return true;
    }

    @Override
    public int largest() {
        return Integer.MAX_VALUE;
    }
}
