package org.ibidem.trust;

import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a delegate may do: an issuer below the authority (RFC 5280, section 4.2.1.9, with a path
/// length of 0) whose certificate has the role `delegate`. It lets nodes into its pool, of its site
/// if it has one, and nobody else: no hub, no administrator, no other delegate.
///
/// A delegate that has run out, or was revoked, takes with it whom it has let in: it says itself
/// when it did, and whoever has its key could say anything.
final class Delegation {
    private Delegation() {}

    /// Whether a certificate makes its holder a delegate, of whichever pool.
    static boolean isDelegate(X509Certificate certificate) {
        return !standings(certificate).isEmpty();
    }

    private static List<Standing> standings(X509Certificate certificate) {
        return Standing.all(certificate).stream()
                .filter(each -> each.role() == Role.DELEGATE)
                .toList();
    }

    /// Which delegate has issued a certificate of this chain to its holder.
    ///
    /// @return null: none, or it is not the holder's
    static @Nullable X509Certificate delegated(X509Certificate certificate, Chain chain) {
        var all = chain.certificates();
        return all.size() > 1 && certificate.equals(all.getFirst()) && isDelegate(all.get(1))
                ? all.get(1)
                : null;
    }

    /// One certificate of a chain, for people.
    static String whose(Chain chain, X509Certificate each) {
        if (each.equals(chain.own())) {
            return "its certificate";
        }
        return isDelegate(each)
                ? "the certificate of the delegate that has let it in"
                : "its issuer's certificate";
    }

    /// Looks whether delegates have done no more than they may.
    ///
    /// @param path certificates, each issued by the next; without the authority's
    /// @throws NotTrusted when one has
    static void check(List<X509Certificate> path, String pool) {
        for (int at = 1; at < path.size(); at++) {
            var delegate = path.get(at);
            var standings = standings(delegate);
            if (!standings.isEmpty()) {
                requireLast(path, at);
                requireLength(delegate);
                var standing =
                        standings.stream()
                                .filter(each -> each.pool().equals(pool))
                                .findFirst()
                                .orElseThrow(() -> elsewhere(standings.getFirst(), pool));
                requireAdmission(standing, Standing.in(pool, path.getFirst()));
            }
        }
    }

    private static NotTrusted elsewhere(Standing delegate, String pool) {
        return new NotTrusted(
                "it was let in by a delegate for pool '%s', which cannot admit nodes to pool '%s'"
                        .formatted(delegate.pool(), pool));
    }

    private static void requireLast(List<X509Certificate> path, int at) {
        if (at > 1) {
            throw new NotTrusted(
                    ("it was let in by '%s', which a delegate has made an issuer: a delegate admits"
                                    + " nodes only, and no issuers")
                            .formatted(path.get(1).getSubjectX500Principal().getName()));
        }
    }

    private static void requireLength(X509Certificate delegate) {
        int length = delegate.getBasicConstraints();
        if (length != 0) {
            throw new NotTrusted(
                    "the certificate of the delegate that has let it in "
                            + (length < 0
                                    ? "is that of no issuer"
                                    : "allows more issuers below it: its path length has to be 0"));
        }
    }

    private static void requireAdmission(Standing delegate, Standing own) {
        if (own.role() != Role.NODE) {
            throw new NotTrusted(
                    ("it was let in by a delegate, which admits nodes only, and its certificate has"
                                    + " the role '%s'")
                            .formatted(own.role()));
        }
        if (!delegate.site().isEmpty() && !delegate.site().equals(own.site())) {
            throw new NotTrusted(
                    ("it was let in by a delegate for site '%s', and its certificate names the site"
                                    + " '%s'")
                            .formatted(delegate.site(), own.site()));
        }
    }

    /// Looks whether everybody below a pool's own authority who has issued something was made a
    /// delegate. What other infrastructures have below their roots is their affair.
    ///
    /// @param path certificates, each issued by the next, the last by the root
    /// @throws NotTrusted when somebody was not
    static void checkIssuers(List<X509Certificate> path, X509Certificate root) {
        boolean anybody = Standing.ruled(root).isEmpty();
        for (int at = 1; at < path.size(); at++) {
            if (!anybody && !isDelegate(path.get(at))) {
                throw new NotTrusted(
                        "it was let in by '%s', which the pool's authority has made no delegate"
                                .formatted(path.get(at).getSubjectX500Principal().getName()));
            }
        }
    }
}
