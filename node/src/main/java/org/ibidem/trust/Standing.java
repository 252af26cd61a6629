package org.ibidem.trust;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/// What a certificate says of its holder, as one name of kind URI among its alternative names (RFC
/// 5280, section 4.2.1.6): `ibidem:POOL/ROLE/SITE`, or without the site `ibidem:POOL/ROLE`; each
/// part as in URIs, what is not plain percent-encoded (RFC 3986).
///
/// @param pool to which it belongs
/// @param role what it is there
/// @param site where it is; empty where that is not said
public record Standing(String pool, Role role, String site) {
    private static final String SCHEME = "ibidem:";
    private static final String AUTHORITY = "authority";
    private static final int URI = 6;

    /// The name that says so.
    public String uri() {
        var name = SCHEME + encoded(pool) + "/" + role;
        return site.isEmpty() ? name : name + "/" + encoded(site);
    }

    /// The name of a pool's authority.
    public static String authority(String pool) {
        return SCHEME + encoded(pool) + "/" + AUTHORITY;
    }

    /// What a certificate says of its holder in this pool.
    ///
    /// @throws NotTrusted when it says nothing of that pool
    static Standing in(String pool, X509Certificate certificate) {
        var all = all(certificate);
        return all.stream()
                .filter(standing -> standing.pool.equals(pool))
                .findFirst()
                .orElseThrow(() -> new NotTrusted(elsewhere(pool, all)));
    }

    private static String elsewhere(String pool, List<Standing> all) {
        return all.isEmpty()
                ? "its certificate names no pool: one for this pool has the alternative name URI:"
                        + new Standing(pool, Role.NODE, "").uri()
                : "its certificate is for pool '"
                        + all.getFirst().pool
                        + "', not for pool '"
                        + pool
                        + "'";
    }

    /// All that a certificate says.
    static List<Standing> all(X509Certificate certificate) {
        var found = new ArrayList<Standing>();
        uris(certificate).forEach(uri -> parse(uri).ifPresent(found::add));
        return found;
    }

    /// The pools whose authority this certificate is made for; none: any.
    public static List<String> ruled(X509Certificate authority) {
        return uris(authority).stream()
                .map(uri -> uri.substring(SCHEME.length()).split("/", -1))
                .filter(parts -> parts.length == 2 && parts[1].equals(AUTHORITY))
                .map(parts -> decoded(parts[0]))
                .toList();
    }

    private static List<String> uris(X509Certificate certificate) {
        try {
            var names = certificate.getSubjectAlternativeNames();
            return names == null
                    ? List.of()
                    : names.stream()
                            .filter(name -> name.getFirst().equals(URI))
                            .map(Standing::text)
                            .filter(uri -> uri.startsWith(SCHEME))
                            .toList();
        } catch (CertificateParsingException e) {
            throw new NotTrusted("its certificate's names cannot be read: " + e.getMessage(), e);
        }
    }

    private static String text(Collection<?> name) {
        return String.valueOf(List.copyOf(name).getLast());
    }

    private static Optional<Standing> parse(String uri) {
        var parts = uri.substring(SCHEME.length()).split("/", -1);
        if (parts.length < 2 || parts.length > 3) {
            return Optional.empty();
        }
        for (var role : Role.values()) {
            if (role.toString().equals(parts[1])) {
                var site = parts.length == 3 ? decoded(parts[2]) : "";
                return Optional.of(new Standing(decoded(parts[0]), role, site));
            }
        }
        return Optional.empty();
    }

    private static String encoded(String part) {
        return URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static String decoded(String part) {
        try {
            return URLDecoder.decode(part, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new NotTrusted("its certificate has a name that is none: " + part, e);
        }
    }
}
