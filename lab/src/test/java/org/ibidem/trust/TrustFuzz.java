package org.ibidem.trust;

import java.util.Arrays;
import org.ibidem.buffer.Malformed;

/// Whatever is shown as certificates, or told as a list of those that count no more: it is read as
/// it is, or refused.
public final class TrustFuzz {
    private TrustFuzz() {}

    /// Called by the fuzzer.
    public static void fuzzerTestOneInput(byte[] input) {
        chain(input);
        list(input);
    }

    private static void chain(byte[] input) {
        try {
            var chain = Chain.of(input);
            chain.certificates().forEach(Standing::all);
            chain.certificates().forEach(Standing::ruled);
            chain.until();
            delegates(chain);
        } catch (NotTrusted | Malformed _) {
            // as it should be
        }
    }

    /// Whoever is between its holder and an authority.
    private static void delegates(Chain chain) {
        for (var each : chain.certificates()) {
            if (Delegation.whose(chain, each).isEmpty()
                    || (Delegation.delegated(each, chain) != null && !each.equals(chain.own()))) {
                throw new AssertionError("read as what it is not: " + chain);
            }
        }
        Delegation.check(chain.certificates(), "demo");
    }

    private static void list(byte[] input) {
        try {
            var list = RevokedList.of(input);
            if (!Arrays.equals(list.bytes(), input) || list.number().signum() < 0) {
                throw new AssertionError("read as what it is not: " + list);
            }
            list.revoked();
        } catch (NotTrusted _) {
            // as it should be
        }
    }
}
