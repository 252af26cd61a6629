package org.ibidem.link;

import java.nio.ByteOrder;

/// What the two ends of a link have agreed on, besides its stack.
///
/// @param order the byte order of the peer's machine: that of the values in its messages
/// @param frame bytes of payload of the largest frame over a byte stream that both ends take
public record Terms(ByteOrder order, int frame) {
    /// Bytes a frame must have left above all filters: less would hold no message.
    public static final int LEAST_FRAME = 64;

    /// Checks that there is room for a message.
    public Terms {
        if (frame < LEAST_FRAME) {
            throw new IllegalArgumentException(
                    "frames have at least " + LEAST_FRAME + " bytes, not " + frame);
        }
    }

    /// What both ends can do.
    public Terms with(Terms theirs) {
        return new Terms(theirs.order, Math.min(frame, theirs.frame));
    }
}
