package org.ibidem.channel;

import java.util.Arrays;
import org.ibidem.buffer.Malformed;
import org.ibidem.channel.ChannelMessages.Await;
import org.ibidem.channel.ChannelMessages.Broken;
import org.ibidem.channel.ChannelMessages.Cancel;
import org.ibidem.channel.ChannelMessages.Close;
import org.ibidem.channel.ChannelMessages.Done;
import org.ibidem.channel.ChannelMessages.GivenUp;
import org.ibidem.channel.ChannelMessages.Open;
import org.ibidem.channel.ChannelMessages.Opened;
import org.ibidem.channel.ChannelMessages.Retired;

/// Whatever is said about channels: a message whose bytes are the same when written again, but for
/// what people are not shown as it came, or a violation. The first byte says which message.
public final class ChannelFuzz {
    private static final int KINDS = 9;

    private ChannelFuzz() {}

    /// Called by the fuzzer.
    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length == 0) {
            return;
        }
        var message = Arrays.copyOfRange(input, 1, input.length);
        try {
            var read = again(input[0], message);
            var again = again(input[0], read);
            boolean shown = input[0] % KINDS == 1 || input[0] % KINDS == 2 || input[0] % KINDS > 6;
            if (!Arrays.equals(read, again) || (!shown && !Arrays.equals(message, read))) {
                throw new AssertionError("became " + Arrays.toString(again));
            }
        } catch (Malformed _) {
            // as it must be
        }
    }

    private static byte[] again(int kind, byte[] message) {
        return switch (kind % KINDS) {
            case 0 -> Open.decode(message).encode();
            case 1 -> Opened.decode(message).encode();
            case 2 -> Close.decode(message).encode();
            case 4 -> Await.decode(message).encode();
            case 5 -> Done.decode(message).encode();
            case 6 -> Retired.decode(message).encode();
            case 7 -> Broken.decode(message).encode();
            case 8 -> GivenUp.decode(message).encode();
            default -> Cancel.decode(message).encode();
        };
    }
}
