package org.ibidem.link;

import org.ibidem.buffer.Frame;

/// A link that takes nothing and brings nothing.
public record SilentLink() implements FrameLink {
    @Override
    public FrameSink sink() {
        return new Sink();
    }

    @Override
    public FrameSource source() {
        return new Source();
    }

    @Override
    public void close() {}

    private record Sink() implements FrameSink {
        @Override
        public boolean claim(Frame room, int atLeast) {
            return false;
        }

        @Override
        public boolean commit(Frame room, int flags) {
            return true;
        }

        @Override
        public boolean push() {
            return true;
        }

        @Override
        public int largest() {
            return 0;
        }
    }

    private record Source() implements FrameSource {
        @Override
        public boolean poll(Frame lent) {
            return false;
        }

        @Override
        public void release() {}
    }
}
