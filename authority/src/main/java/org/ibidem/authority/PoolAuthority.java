package org.ibidem.authority;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.security.spec.X509EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.ibidem.Visible;
import org.ibidem.arbitration.Clock;
import org.ibidem.config.OwnFolder;
import org.ibidem.config.WholeFile;
import org.ibidem.identity.Identity;
import org.ibidem.trust.Authority;
import org.ibidem.trust.Chain;
import org.ibidem.trust.Pem;
import org.ibidem.trust.RevokedList;
import org.ibidem.trust.Role;
import org.ibidem.trust.Standing;
import org.ibidem.trust.Trust;

/// The authority of one pool: who has its folder may let others into the pool.
///
/// ```
/// authority.key   its private key, this user's alone, perhaps under a passphrase
/// authority.pem   its certificate, for all nodes and hubs of the pool
/// issued.txt      what it has issued: number, last day, name
/// revoked.pem     its list of revoked certificates, for hubs; when there is one
/// ```
public final class PoolAuthority {
    /// How long an authority counts where nothing else is said.
    public static final Duration LASTS = Duration.ofDays(3650);

    /// Its certificate's file in the folder.
    public static final String CERTIFICATE = "authority.pem";

    /// Its list of revoked certificates in the folder.
    public static final String REVOKED = "revoked.pem";

    private static final String KEY = "authority.key";
    private static final String ISSUED = "issued.txt";
    private static final String LABEL = "CERTIFICATE";

    private static final int HEXADECIMAL = 16;
    private static final Pattern NUMBER = Pattern.compile("[0-9a-f]{24,32}");

    private final Path folder;
    private final String pool;
    private final X509Certificate certificate;
    private final PrivateKey key;

    private PoolAuthority(Path folder, String pool, X509Certificate certificate, PrivateKey key) {
        this.folder = folder;
        this.pool = pool;
        this.certificate = certificate;
        this.key = key;
    }

    /// Makes the authority of a pool in a folder, which becomes this user's alone.
    ///
    /// @param passphrase for its key; empty: none
    /// @throws AuthorityFailed when there is one, or the folder cannot be written
    public static PoolAuthority create(
            Path folder, String pool, char[] passphrase, Duration lasts) {
        Visible.name("the name of a pool", pool);
        try {
            OwnFolder.make(folder);
            var keys = Certificates.keys();
            var wish =
                    new Certificates.Wish(
                            "authority of pool " + pool,
                            Standing.authority(pool),
                            keys.getPublic(),
                            now(),
                            lasts);
            var certificate = Certificates.make(wish, null, keys.getPrivate());
            write(folder.resolve(KEY), SecretKey.text(keys.getPrivate(), passphrase));
            write(folder.resolve(CERTIFICATE), text(certificate));
            return new PoolAuthority(folder, pool, certificate, keys.getPrivate());
        } catch (FileAlreadyExistsException e) {
            throw new AuthorityFailed(
                    "there is an authority in "
                            + folder
                            + " already: name another folder, or go on with that one",
                    e);
        } catch (IOException | GeneralSecurityException e) {
            throw new AuthorityFailed("no authority can be made in " + folder + ": " + e, e);
        }
    }

    /// Whether the key of the authority in this folder is under a passphrase.
    public static boolean needsPassphrase(Path folder) {
        try {
            return SecretKey.isSealed(Files.readString(folder.resolve(KEY)));
        } catch (IOException e) {
            throw unreadable(folder, e);
        }
    }

    /// The authority in this folder.
    ///
    /// @param passphrase of its key; empty: none
    /// @throws AuthorityFailed when there is none, or the passphrase is another
    public static PoolAuthority open(Path folder, char[] passphrase) {
        try {
            OwnFolder.check(folder);
            var key = SecretKey.read(Files.readString(folder.resolve(KEY)), passphrase);
            var certificate = Chain.read(folder.resolve(CERTIFICATE)).certificates().getFirst();
            return new PoolAuthority(folder, pool(certificate, folder), certificate, key);
        } catch (AuthorityFailed e) {
            throw new AuthorityFailed(
                    "the authority in " + folder + " cannot be opened: " + e.getMessage(), e);
        } catch (IOException | GeneralSecurityException e) {
            throw unreadable(folder, e);
        }
    }

    private static AuthorityFailed unreadable(Path folder, Exception e) {
        return new AuthorityFailed(
                "there is no authority in "
                        + folder
                        + " that can be read: "
                        + e
                        + "; make one with: ibidem pool create NAME",
                e);
    }

    private static String pool(X509Certificate certificate, Path folder) {
        return Standing.ruled(certificate).stream()
                .findFirst()
                .orElseThrow(() ->
                        new AuthorityFailed(
                                "the authority in " + folder + " is not made for any pool"));
    }

    /// The pool's name.
    public String pool() {
        return pool;
    }

    /// Its own certificate, for all who are to trust it.
    public X509Certificate certificate() {
        return certificate;
    }

    /// Makes a key and a certificate for it.
    ///
    /// @param name for people
    /// @param standing what its holder is; in this pool
    /// @return the text of a file that serves as `ibidem.identity`: a secret
    public String issue(String name, Standing standing, Duration lasts) {
        try {
            KeyPair keys = Certificates.keys();
            return SecretKey.text(keys.getPrivate(), new char[0])
                    + Pem.section("PUBLIC KEY", keys.getPublic().getEncoded())
                    + certify(name, standing, keys.getPublic().getEncoded(), lasts);
        } catch (IOException | GeneralSecurityException e) {
            throw new AuthorityFailed("this JDK makes no keys: " + e, e);
        }
    }

    /// Makes a certificate for a key whose private half stays where it is.
    ///
    /// @param publicKey X.509, of P-256
    /// @return the text of a file that serves as `ibidem.certificate`
    public String certify(String name, Standing standing, byte[] publicKey, Duration lasts) {
        try {
            return text(issued(name, standing, publicKey, lasts));
        } catch (GeneralSecurityException e) {
            throw new AuthorityFailed("no certificate can be made for this key: " + e, e);
        }
    }

    /// The same, not written.
    X509Certificate issued(String name, Standing standing, byte[] publicKey, Duration lasts) {
        Visible.name("the name on a certificate", name);
        if (!standing.pool().equals(pool)) {
            throw new AuthorityFailed(
                    "this is the authority of pool '"
                            + pool
                            + "', not of '"
                            + standing.pool()
                            + "'");
        }
        if (standing.role() == Role.DELEGATE) {
            Delegate.requireShort(lasts);
        }
        try {
            var key =
                    KeyFactory.getInstance("EC").generatePublic(new X509EncodedKeySpec(publicKey));
            boolean delegates = standing.role() == Role.DELEGATE;
            var subject = delegates ? "delegate " + name : name;
            var wish = new Certificates.Wish(subject, standing.uri(), key, now(), lasts);
            int below = delegates ? 0 : Certificates.ISSUES_NOTHING;
            var issued = Certificates.make(wish, certificate, this.key, below);
            new Issued(folder.resolve(ISSUED)).add(issued, name);
            return issued;
        } catch (IOException e) {
            throw new AuthorityFailed("the record of what was issued cannot be written: " + e, e);
        } catch (GeneralSecurityException e) {
            throw new AuthorityFailed("no certificate can be made for this key: " + e, e);
        }
    }

    /// Somebody who speaks for this authority at a hub, for a while.
    Identity administrator(String name, Duration lasts) {
        try {
            var keys = Certificates.keys();
            var standing = new Standing(pool, Role.ADMIN, "");
            var own = issued(name, standing, keys.getPublic().getEncoded(), lasts);
            return Identity.of(keys.getPrivate().getEncoded(), keys.getPublic().getEncoded())
                    .trusting(
                            Trust.NONE.and(
                                    new Authority(List.of(certificate)),
                                    new Chain(List.of(own)),
                                    Clock.TIME_OF_DAY));
        } catch (GeneralSecurityException e) {
            throw new AuthorityFailed("this JDK makes no keys: " + e, e);
        }
    }

    /// Its own word, with which somebody is let in.
    Issuer issuer() {
        return new Own(this);
    }

    private record Own(PoolAuthority authority) implements Issuer {
        @Override
        public String pool() {
            return authority.pool;
        }

        @Override
        public X509Certificate root() {
            return authority.certificate;
        }

        @Override
        public Identity speaker(String name, Duration lasts) {
            return authority.administrator(name, lasts);
        }

        @Override
        public Chain issue(Invitation.Guest guest, byte[] key) {
            var own = authority.issued(guest.name(), guest.standing(), key, guest.lasts());
            return new Chain(List.of(own));
        }
    }

    /// The numbers of the certificates that were issued to somebody, by this authority or by a
    /// delegate of it.
    ///
    /// @param who a file with a certificate; the name for which this authority has issued it; or
    ///   its number, in hexadecimal, as a delegate has written it down
    /// @throws AuthorityFailed when there are none
    public List<BigInteger> numbers(String who) {
        try {
            var file = Path.of(who);
            if (Files.isRegularFile(file)) {
                var chain = Chain.read(file).certificates();
                if (chain.stream().noneMatch(this::hasIssued)) {
                    throw new AuthorityFailed(
                            "the certificate in " + file + " is not of pool '" + pool + "'");
                }
                return List.of(chain.getFirst().getSerialNumber());
            }
            var found = new Issued(folder.resolve(ISSUED)).to(who);
            if (found.isEmpty() && NUMBER.matcher(who).matches()) {
                return List.of(new BigInteger(who, HEXADECIMAL));
            }
            if (found.isEmpty()) {
                throw new AuthorityFailed(
                        "there is no file "
                                + who
                                + ", and the authority has issued nothing to that name: look in "
                                + folder.resolve(ISSUED));
            }
            return found;
        } catch (IOException e) {
            throw new AuthorityFailed("what was issued cannot be read: " + e, e);
        }
    }

    private boolean hasIssued(X509Certificate one) {
        return one.getIssuerX500Principal().equals(certificate.getSubjectX500Principal());
    }

    /// Makes the next list of revoked certificates, which takes the place of the one before.
    ///
    /// @param more the numbers of certificates that count no more, besides those before; none: only
    ///   that it lasts longer
    /// @param lasts by when there is another one
    public RevokedList revoke(Collection<BigInteger> more, Duration lasts) {
        var file = folder.resolve(REVOKED);
        try {
            var before = Files.exists(file) ? RevokedList.read(file) : null;
            var wish = new Lists.Wish(before, more, now(), lasts);
            var list = RevokedList.of(Lists.make(wish, certificate, key));
            replace(file, list);
            return list;
        } catch (IOException | GeneralSecurityException e) {
            throw new AuthorityFailed("no list of revoked certificates can be made: " + e, e);
        }
    }

    /// Puts a list in the place of the one in a file: whoever looks finds one of them whole.
    ///
    /// @throws IOException when it cannot be written
    public static void replace(Path file, RevokedList list) throws IOException {
        var text = Pem.section(RevokedList.LABEL, list.bytes());
        WholeFile.write(file, text.getBytes(StandardCharsets.US_ASCII));
    }

    private static String text(X509Certificate certificate) throws GeneralSecurityException {
        return Pem.section(LABEL, certificate.getEncoded());
    }

    private static Instant now() {
        return Clock.TIME_OF_DAY.instant();
    }

    /// Writes a new file that nobody else can read.
    ///
    /// @throws IOException when there is one already
    public static void write(Path file, String text) throws IOException {
        var options = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        var mode = OwnFolder.mode(file, OwnFolder.FILE);
        try (var out = Files.newByteChannel(file, options, mode)) {
            var bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
        }
    }
}
