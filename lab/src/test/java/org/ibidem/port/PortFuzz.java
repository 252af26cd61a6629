package org.ibidem.port;

import org.ibidem.buffer.Malformed;

/// Whatever asks for a connection: a request that is the same after writing and reading it again,
/// or a violation.
public final class PortFuzz {
    private PortFuzz() {}

    /// Called by the fuzzer.
    public static void fuzzerTestOneInput(byte[] input) {
        try {
            var request = PortRequest.decode(input);
            var again = PortRequest.decode(request.encode());
            if (!request.equals(again)) {
                throw new AssertionError(request + " became " + again);
            }
        } catch (Malformed _) {
            // as it must be
        }
    }
}
