package org.ibidem.wait;

import java.nio.channels.Pipe;

/// Where no module with native access is.
record NoDescriptors() implements Descriptors {
    @Override
    public String objection() {
        return "no module here can wait for descriptors of the system; put ibidem-descriptors on"
                + " the module path or class path";
    }

    @Override
    public Pipe.SourceChannel readable(int descriptor) {
        throw new IllegalStateException(objection());
    }
}
