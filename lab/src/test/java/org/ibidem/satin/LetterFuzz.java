package org.ibidem.satin;

import java.util.Arrays;
import org.ibidem.IbidemException;
import org.ibidem.port.Data;
import org.ibidem.port.LoopPorts;
import org.ibidem.port.PortType;

/// What another process of a job may write: a head, and after it a body. Whatever comes is a
/// letter, or it is said what is wrong, and the next message is read as it was written.
public final class LetterFuzz {
    private static final int NEXT = 0x1d1be3;
    private static final LoopPorts PORTS =
            LoopPorts.open(PortType.oneToOne().stack("loopback").data(Data.OBJECT), "letters");

    private LetterFuzz() {}

    /// Called by the fuzzer before it counts the time: that this class is there makes the ports.
    public static void fuzzerInitialize() {}

    /// Called by the fuzzer.
    public static void fuzzerTestOneInput(byte[] input) {
        int head = Math.min(Letter.HEAD, input.length);
        try (var message = PORTS.out().newMessage()) {
            message.writeArray(Arrays.copyOf(input, head));
            if (input.length > head) {
                message.writeArray(Arrays.copyOfRange(input, head, input.length));
            }
            message.finish();
        }
        try (var message = PORTS.out().newMessage()) {
            message.writeInt(NEXT).finish();
        }
        try (var message = PORTS.in().receive()) {
            var letter = Letter.head(message).read(message);
            if (letter.body().length > input.length
                    || !Arrays.equals(letter.head(), 4, Letter.HEAD, input, 4, Letter.HEAD)) {
                throw new AssertionError("read as " + letter);
            }
        } catch (IbidemException _) {
            // as it must be
        }
        try (var message = PORTS.in().receive()) {
            if (message.readInt() != NEXT) {
                throw new AssertionError("the next message is another");
            }
        }
    }
}
