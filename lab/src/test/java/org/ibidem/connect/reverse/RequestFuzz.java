package org.ibidem.connect.reverse;

import java.util.Arrays;
import org.ibidem.buffer.Malformed;

/// What a peer asks for by `reverse`: a request whose bytes are the same when written again, or a
/// violation.
public final class RequestFuzz {
    private RequestFuzz() {}

    /// Called by the fuzzer.
    public static void fuzzerTestOneInput(byte[] input) {
        try {
            var again = Request.decode(input).encode();
            if (!Arrays.equals(input, again)) {
                throw new AssertionError("became " + Arrays.toString(again));
            }
        } catch (Malformed _) {
            // as it must be
        }
    }
}
