package org.ibidem.connect.splice;

import java.util.Arrays;
import org.ibidem.buffer.Malformed;

/// What a peer offers for a splice: an offer whose bytes are the same when written again, or a
/// violation.
public final class OfferFuzz {
    private OfferFuzz() {}

    /// Called by the fuzzer.
    public static void fuzzerTestOneInput(byte[] input) {
        try {
            var again = Offer.decode(input).encode();
            if (!Arrays.equals(input, again)) {
                throw new AssertionError("became " + Arrays.toString(again));
            }
        } catch (Malformed _) {
            // as it must be
        }
    }
}
