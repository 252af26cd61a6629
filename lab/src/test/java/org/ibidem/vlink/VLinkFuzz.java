package org.ibidem.vlink;

import org.ibidem.buffer.Malformed;

/// Whatever asks for a channel of a VLink: a request that is the same after writing and reading it
/// again, or a violation.
public final class VLinkFuzz {
    private VLinkFuzz() {}

    /// Called by the fuzzer.
    public static void fuzzerTestOneInput(byte[] input) {
        try {
            var request = VLinkRequest.decode(input);
            var again = VLinkRequest.decode(request.encode());
            if (!request.equals(again)) {
                throw new AssertionError(request + " became " + again);
            }
        } catch (Malformed _) {
            // as it must be
        }
    }
}
