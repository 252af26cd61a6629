package org.ibidem.authority;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.security.spec.X509EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.ibidem.arbitration.Clock;
import org.ibidem.identity.Identity;
import org.ibidem.trust.Authority;
import org.ibidem.trust.Chain;
import org.ibidem.trust.Role;
import org.ibidem.trust.Standing;
import org.ibidem.trust.Trust;

/// Who lets nodes into a pool in its authority's place, for a while: whoever has the files of a
/// delegate. It lets in nodes alone, of its site if it has one; no hub, no administrator and no
/// other delegate.
///
/// What it issues counts no longer than its own certificate does, and no more once that is revoked.
/// Numbers and names of it are written down beside its key, in a file that ends in `.issued`.
public final class Delegate {
    /// How long one counts where nothing else is said.
    public static final Duration LASTS = Duration.ofDays(1);

    /// Longest that one may count.
    public static final Duration LONGEST = Duration.ofDays(7);

    private static final String ISSUED = ".issued";

    private final Identity identity;
    private final Standing standing;
    private final X509Certificate root;
    private final PrivateKey key;
    private final Issued issued;

    private Delegate(Identity identity, Standing standing, X509Certificate root, Path file)
            throws IOException, GeneralSecurityException {
        this.identity = identity;
        this.standing = standing;
        this.root = root;
        this.key = SecretKey.read(Files.readString(file), new char[0]);
        this.issued = new Issued(file.resolveSibling(file.getFileName() + ISSUED));
    }

    /// The delegate of these files.
    ///
    /// @param identity its key
    /// @param certificate with the role `delegate`; often the same file
    /// @param authority the authority's
    /// @throws AuthorityFailed when they are no delegate's
    /// @throws org.ibidem.trust.NotTrusted when its certificate does not count: it has expired, …
    public static Delegate open(Path identity, Path certificate, Path authority) {
        try {
            if (!Files.exists(identity)) {
                throw new AuthorityFailed(
                        "there is no "
                                + identity
                                + ": a delegate gets it by 'ibidem pool join', with a code of"
                                + " 'ibidem pool invite --delegate'");
            }
            var trust = Trust.read(List.of(authority), List.of(certificate), Clock.TIME_OF_DAY);
            var who = Identity.stored(identity).trusting(trust);
            var pool = trust.pools().iterator().next();
            var chain = trust.shown(pool);
            var standing = trust.check(pool, who.key().encoded(), chain);
            if (standing.role() != Role.DELEGATE) {
                throw new AuthorityFailed(
                        ("the certificate in %s has the role '%s', and only a delegate can admit"
                                        + " others: get one with the role by 'ibidem pool invite"
                                        + " --delegate'")
                                .formatted(certificate, standing.role()));
            }
            return new Delegate(who, standing, root(authority, chain), identity);
        } catch (IOException | GeneralSecurityException e) {
            throw new AuthorityFailed("the key in " + identity + " cannot be read: " + e, e);
        }
    }

    /// Of several authorities, the one that has made it.
    private static X509Certificate root(Path authority, Chain chain) {
        var last = chain.certificates().getLast();
        return Authority.read(authority).roots().stream()
                .filter(each ->
                        last.getIssuerX500Principal().equals(each.getSubjectX500Principal()))
                .findFirst()
                .orElseThrow();
    }

    /// @throws AuthorityFailed when that is longer than one may count
    static void requireShort(Duration lasts) {
        if (lasts.compareTo(LONGEST) > 0) {
            throw new AuthorityFailed(
                    "a delegate is valid for at most %d days, not %d: make another one after that"
                            .formatted(LONGEST.toDays(), lasts.toDays()));
        }
    }

    /// What it is, and in which pool.
    public Standing standing() {
        return standing;
    }

    /// Until when it, and all that it lets in, count.
    public Instant until() {
        return chain().until();
    }

    private Chain chain() {
        return identity.trust().shown(standing.pool());
    }

    /// @throws AuthorityFailed when it may not let in such a one: nobody would trust it
    void requireMay(Standing guest) {
        if (guest.role() != Role.NODE || !guest.pool().equals(standing.pool())) {
            throw new AuthorityFailed(
                    "a delegate admits nodes of pool '%s' only, not %s"
                            .formatted(standing.pool(), guest.uri()));
        }
        if (!standing.site().isEmpty() && !standing.site().equals(guest.site())) {
            throw new AuthorityFailed(
                    "this delegate admits nodes of site '%s' only, not %s"
                            .formatted(standing.site(), guest.uri()));
        }
    }

    /// Its word, with which somebody is let in.
    Issuer issuer() {
        return new Own(this);
    }

    private Chain issued(Invitation.Guest guest, byte[] publicKey) {
        requireMay(guest.standing());
        var now = Clock.TIME_OF_DAY.instant();
        var left = Duration.between(now, until());
        if (left.isNegative()) {
            throw new AuthorityFailed(
                    "this delegate expired at "
                            + until()
                            + " and can no longer admit nodes: make another one by 'ibidem pool"
                            + " invite --delegate'");
        }
        var lasts = guest.lasts().compareTo(left) < 0 ? guest.lasts() : left;
        try {
            var theirs =
                    KeyFactory.getInstance("EC").generatePublic(new X509EncodedKeySpec(publicKey));
            var uri = guest.standing().uri();
            var wish = new Certificates.Wish(guest.name(), uri, theirs, now, lasts);
            var all = new ArrayList<>(chain().certificates());
            all.addFirst(Certificates.make(wish, all.getFirst(), key));
            all.remove(root);
            issued.add(all.getFirst(), guest.name());
            return new Chain(all);
        } catch (IOException e) {
            throw new AuthorityFailed("the record of what was issued cannot be written: " + e, e);
        } catch (GeneralSecurityException e) {
            throw new AuthorityFailed("no certificate can be made for this key: " + e, e);
        }
    }

    private record Own(Delegate delegate) implements Issuer {
        @Override
        public String pool() {
            return delegate.standing.pool();
        }

        @Override
        public X509Certificate root() {
            return delegate.root;
        }

        /// Itself: its certificate says what it may.
        @Override
        public Identity speaker(String name, Duration lasts) {
            return delegate.identity;
        }

        @Override
        public Chain issue(Invitation.Guest guest, byte[] key) {
            return delegate.issued(guest, key);
        }
    }
}
