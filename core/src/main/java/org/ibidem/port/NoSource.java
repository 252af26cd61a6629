package org.ibidem.port;

import org.ibidem.buffer.Frame;
import org.ibidem.link.FrameSource;

/// Where the frames of a receive port come from that nobody is connected to.
enum NoSource implements FrameSource {
    INSTANCE;

    @Override
    public boolean poll(Frame lent) {
        return false;
    }

    @Override
    public void release() {}
}
