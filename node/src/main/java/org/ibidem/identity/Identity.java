package org.ibidem.identity;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.List;
import java.util.Set;
import org.ibidem.IbidemException;
import org.ibidem.config.OwnFolder;
import org.ibidem.link.Credentials;
import org.ibidem.topology.NodeId;
import org.ibidem.trust.Chain;
import org.ibidem.trust.Pem;
import org.ibidem.trust.Trust;
import org.jspecify.annotations.Nullable;

/// Who this process is: a P-256 key pair. A node *is* its key; whoever has the file of a stored
/// identity is that node.
///
/// The file is text: the private key as PKCS #8 (RFC 5208) and the public key as X.509 (RFC 5280),
/// each as PEM (RFC 7468), readable and writable by its owner only.
public final class Identity {
    private static final System.Logger LOG = System.getLogger(Identity.class.getName());
    private static final String PRIVATE = "PRIVATE KEY";
    private static final String PUBLIC = "PUBLIC KEY";
    private static final String CERTIFICATE = "CERTIFICATE";
    private static final int LONGEST_FILE = 1 << 16;
    private static final Set<PosixFilePermission> OWNER_ONLY =
            PosixFilePermissions.fromString(OwnFolder.FILE);

    private final PrivateKey secret;
    private final NodeKey key;
    private final Trust trust;
    private @Nullable X509Certificate certificate;

    private Identity(PrivateKey secret, NodeKey key, Trust trust) {
        this.secret = secret;
        this.key = key;
        this.trust = trust;
    }

    /// A new identity that lives as long as this process.
    public static Identity create() {
        try {
            var generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            var pair = generator.generateKeyPair();
            return new Identity(
                    pair.getPrivate(), NodeKey.of(pair.getPublic().getEncoded()), Trust.NONE);
        } catch (GeneralSecurityException e) {
            throw new IbidemException(
                    "this JDK cannot make P-256 keys; use one with the module jdk.crypto.ec", e);
        }
    }

    /// The identity stored in this file; when there is no such file, a new one that is stored
    /// there.
    ///
    /// @throws BadIdentity when the file cannot be read or written, is readable by others, or holds
    ///   something else
    public static Identity stored(Path file) {
        try {
            if (!Files.exists(file)) {
                store(create(), file);
            }
            requireOwnerOnly(file);
            return read(file);
        } catch (IOException e) {
            throw new BadIdentity("the identity in " + file + " cannot be read or made: " + e, e);
        }
    }

    /// The identity with these keys.
    ///
    /// @param privateKey PKCS #8
    /// @param publicKey X.509, the one encoding [NodeKey] allows
    /// @throws BadIdentity when they are no pair of P-256 keys
    public static Identity of(byte[] privateKey, byte[] publicKey) {
        try {
            var secret =
                    KeyFactory.getInstance("EC")
                            .generatePrivate(new PKCS8EncodedKeySpec(privateKey));
            var identity = new Identity(secret, NodeKey.of(publicKey), Trust.NONE);
            var probe = new byte[] {1};
            if (!identity.key.verify(identity.sign(probe), probe)) {
                throw new BadIdentity(
                        "the private and the public key of this identity do not belong together");
            }
            return identity;
        } catch (GeneralSecurityException | BadKey e) {
            throw new BadIdentity("these are no P-256 keys: " + e.getMessage(), e);
        }
    }

    /// The same with what it shows and whom it trusts in pools that have an authority.
    ///
    /// @throws org.ibidem.trust.NotTrusted when its own certificate would be refused there: it is
    ///   another key's, has expired, …
    public Identity trusting(Trust whom) {
        whom.requireOwn(key.encoded());
        whom.warnings().forEach(text -> LOG.log(System.Logger.Level.WARNING, text));
        return new Identity(secret, key, whom);
    }

    /// Whom it trusts.
    public Trust trust() {
        return trust;
    }

    /// The id of this node.
    public NodeId id() {
        return key.id();
    }

    /// The public half.
    public NodeKey key() {
        return key;
    }

    /// The private half.
    PrivateKey secret() {
        return secret;
    }

    /// What TLS asks for: a certificate with this key, made by need.
    synchronized X509Certificate certificate() {
        var mine = certificate;
        if (mine == null) {
            mine = NodeCertificate.of(this);
            certificate = mine;
        }
        return mine;
    }

    /// With what this node proves who it is to that one, and that one to it.
    public Credentials towards(NodeId peer) {
        return new NodeCredentials(this, peer);
    }

    /// Signs these parts, one after the other: ECDSA with SHA-256 (FIPS 186-5), r and s of 32 bytes
    /// each.
    public byte[] sign(byte[]... parts) {
        try {
            var signer = Signature.getInstance(NodeKey.ALGORITHM);
            signer.initSign(secret);
            for (var part : parts) {
                signer.update(part);
            }
            return signer.sign();
        } catch (GeneralSecurityException e) {
            throw new IbidemException("this identity's key cannot sign: " + e.getMessage(), e);
        }
    }

    @Override
    public String toString() {
        return "identity of " + id();
    }

    // Written beside and moved into place: two processes that start at once end up with the same
    // identity, and a
    // crash leaves no half file.
    private static void store(Identity identity, Path file) throws IOException {
        var directory = file.toAbsolutePath().getParent();
        if (directory != null) {
            Files.createDirectories(directory);
        }
        var text =
                Pem.section(PRIVATE, identity.secret.getEncoded())
                        + Pem.section(PUBLIC, identity.key.encoded());
        var fresh = file.resolveSibling(file.getFileName() + "." + identity.id().brief());
        var options = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try (var channel = FileChannel.open(fresh, options, OwnFolder.mode(file, OwnFolder.FILE))) {
            var bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        try {
            Files.createLink(file, fresh);
        } catch (FileAlreadyExistsException _) {
            return; // another process was first: its identity is taken
        } catch (UnsupportedOperationException _) {
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(fresh);
        }
    }

    private static void requireOwnerOnly(Path file) throws IOException {
        if (!OwnFolder.isOwn(file)) {
            throw new BadIdentity(
                    "the identity in "
                            + file
                            + " belongs to another user, and that user can pose as this node: name a file of"
                            + " your own");
        }
        if (posix(file) && !OWNER_ONLY.containsAll(Files.getPosixFilePermissions(file))) {
            throw new BadIdentity(
                    "the identity in "
                            + file
                            + " may be read or written by others; run: chmod 600 "
                            + file);
        }
    }

    private static boolean posix(Path file) {
        return file.getFileSystem().supportedFileAttributeViews().contains("posix");
    }

    private static Identity read(Path file) throws IOException {
        if (Files.size(file) > LONGEST_FILE) {
            throw new BadIdentity(file + " is no identity: it has over " + LONGEST_FILE + " bytes");
        }
        var text = Files.readString(file);
        var secret = section(PRIVATE, text, file);
        return of(secret, publicHalf(secret, text, file));
    }

    /// One that another public key infrastructure has made has it in its certificate, or in the
    /// private key, as openssl writes those.
    private static byte[] publicHalf(byte[] secret, String text, Path file) {
        var own = sections(PUBLIC, text, file);
        if (!own.isEmpty()) {
            return own.getFirst();
        }
        if (!sections(CERTIFICATE, text, file).isEmpty()) {
            return Chain.read(file).key();
        }
        var within = NodeKey.within(secret);
        return within != null ? within : section(PUBLIC, text, file);
    }

    private static byte[] section(String label, String text, Path file) {
        var found = sections(label, text, file);
        if (found.isEmpty()) {
            throw new BadIdentity(file + " is no identity: it has no section '" + label + "'");
        }
        return found.getFirst();
    }

    private static List<byte[]> sections(String label, String text, Path file) {
        try {
            return Pem.sections(label, text);
        } catch (IllegalArgumentException e) {
            throw new BadIdentity(
                    file + " is no identity: its section '" + label + "' is not base64", e);
        }
    }
}
