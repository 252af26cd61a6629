package org.ibidem.circuit;

import org.ibidem.buffer.Malformed;

/// Whatever asks for a link of a circuit: a request that is the same after writing and reading it
/// again, or a violation.
public final class CircuitFuzz {
    private CircuitFuzz() {}

    /// Called by the fuzzer.
    public static void fuzzerTestOneInput(byte[] input) {
        try {
            var request = CircuitRequest.decode(input);
            var again = CircuitRequest.decode(request.encode());
            if (!request.equals(again)) {
                throw new AssertionError(request + " became " + again);
            }
        } catch (Malformed _) {
            // as it must be
        }
    }
}
