package org.ibidem.wrap;

import java.nio.ByteBuffer;

/// Whatever a launcher says: it is a message, which is the same when it is written and read again,
/// or it is refused.
public final class WrapFuzz {
    private WrapFuzz() {}

    /// Called by the fuzzer.
    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length < Message.BYTES) {
            return; // the agent waits for the rest
        }
        Message read;
        try {
            read = Message.decode(ByteBuffer.wrap(input, 0, Message.BYTES));
        } catch (IllegalArgumentException _) {
            return;
        }
        var again = Message.decode(read.encode());
        if (!again.equals(read)) {
            throw new AssertionError(read + " is " + again + " when it is read again");
        }
    }
}
