package org.ibidem.authority;

import java.security.cert.X509Certificate;
import java.time.Duration;
import org.ibidem.identity.Identity;
import org.ibidem.trust.Chain;

/// By whose word somebody is let into a pool: the authority's own, or a delegate's.
interface Issuer {
    /// Into which pool.
    String pool();

    /// The authority's certificate.
    X509Certificate root();

    /// As whom it speaks to a hub.
    ///
    /// @param name for people
    /// @param lasts for how long it wants to
    Identity speaker(String name, Duration lasts);

    /// Makes a certificate for a key.
    ///
    /// @param key X.509
    /// @return it, and what is between it and the authority's
    /// @throws AuthorityFailed when it may not
    Chain issue(Invitation.Guest guest, byte[] key);
}
