package org.ibidem.service;

import java.util.Arrays;
import org.ibidem.buffer.Malformed;
import org.ibidem.service.ChannelMessages.Await;
import org.ibidem.service.ChannelMessages.Cancel;
import org.ibidem.service.ChannelMessages.Close;
import org.ibidem.service.ChannelMessages.Done;
import org.ibidem.service.ChannelMessages.Open;
import org.ibidem.service.ChannelMessages.Opened;

/// Whatever is said about channels: a message whose bytes are the same when written again, or a
/// violation. The first byte says which message.
public final class ChannelFuzz {
    private ChannelFuzz() {}

    /// Called by the fuzzer.
    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length == 0) {
            return;
        }
        var message = Arrays.copyOfRange(input, 1, input.length);
        try {
            var again =
                    switch (input[0] % 6) {
                        case 0 -> Open.decode(message).encode();
                        case 1 -> Opened.decode(message).encode();
                        case 2 -> Close.decode(message).encode();
                        case 4 -> Await.decode(message).encode();
                        case 5 -> Done.decode(message).encode();
                        default -> Cancel.decode(message).encode();
                    };
            if (!Arrays.equals(message, again)) {
                throw new AssertionError("became " + Arrays.toString(again));
            }
        } catch (Malformed _) {
            // as it must be
        }
    }
}
