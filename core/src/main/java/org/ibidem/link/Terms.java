package org.ibidem.link;

import java.nio.ByteOrder;
import org.ibidem.buffer.BufferPool;

/// What the two ends of a link have agreed on, besides its stack.
///
/// @param order the byte order of the peer's machine: that of the values in its messages
/// @param frame bytes of payload of the largest frame over a byte stream that both ends take
public record Terms(ByteOrder order, int frame) {
    /// Checks that there is room for a message.
    public Terms {
        if (frame < Stack.LEAST) {
            throw new IllegalArgumentException(
                    "frames have at least " + Stack.LEAST + " bytes, not " + frame);
        }
    }

    /// What a node can do that has these buffers.
    public static Terms of(BufferPool pool) {
        return new Terms(ByteOrder.nativeOrder(), FramesOverStream.largest(pool));
    }

    /// What both ends can do.
    public Terms with(Terms theirs) {
        return new Terms(theirs.order, Math.min(frame, theirs.frame));
    }
}
