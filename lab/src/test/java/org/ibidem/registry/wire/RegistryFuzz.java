package org.ibidem.registry.wire;

import java.util.Arrays;
import org.ibidem.buffer.Malformed;

/// Whatever a node or a hub is told: a message that is the same after writing and reading it again,
/// or a violation. The first byte says who is told.
public final class RegistryFuzz {
    private RegistryFuzz() {}

    /// Called by the fuzzer.
    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length == 0) {
            return;
        }
        var message = Arrays.copyOfRange(input, 1, input.length);
        try {
            if (input[0] == 0) {
                var request = RequestCoding.decode(message);
                same(request, RequestCoding.decode(RequestCoding.encode(request)));
            } else {
                var reply = ReplyCoding.decode(message);
                same(reply, ReplyCoding.decode(ReplyCoding.encode(reply)));
            }
        } catch (Malformed _) {
            // as it must be
        }
    }

    private static void same(Object one, Object other) {
        if (!one.equals(other)) {
            throw new AssertionError(one + " became " + other);
        }
    }
}
