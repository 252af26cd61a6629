package org.ibidem.hub.relay;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.ibidem.connect.routed.RoutedFrames;
import org.jspecify.annotations.Nullable;

/// What is granted to the senders of several flows, said to each node in one go: with a thousand
/// streams each frame is granted by itself, and a write for each would cost more than the data.
final class Grants {
    private static final int GRANT = RoutedFrames.HEADER + Integer.BYTES;
    private static final int MANY = 256;

    private final ByteBuffer words =
            ByteBuffer.allocate(MANY * GRANT).order(ByteOrder.LITTLE_ENDIAN);
    private @Nullable Spoke to;

    /// Grants the sender of a flow so much more, if anything.
    void add(Flow flow, int credit) {
        if (credit <= 0) {
            return;
        }
        if (to != flow.from || !words.hasRemaining()) {
            say();
        }
        to = flow.from;
        words.put(RoutedFrames.grant(flow.fromNumber, credit));
    }

    /// Says what was not said yet.
    void say() {
        if (to != null) {
            to.say(Arrays.copyOf(words.array(), words.position()));
        }
        words.clear();
        to = null;
    }
}
