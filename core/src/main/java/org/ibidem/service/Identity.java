package org.ibidem.service;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Set;
import org.ibidem.IbidemException;
import org.ibidem.topology.NodeId;

/// Who this process is: a P-256 key pair. A node *is* its key; whoever has the file of a stored
/// identity is that node.
///
/// The file is text: the private key as PKCS #8 (RFC 5208) and the public key as X.509 (RFC 5280),
/// each as PEM (RFC 7468), readable and writable by its owner only.
public final class Identity {
    private static final String PRIVATE = "PRIVATE KEY";
    private static final String PUBLIC = "PUBLIC KEY";
    private static final int LONGEST_FILE = 4096;
    private static final Set<PosixFilePermission> OWNER_ONLY =
            PosixFilePermissions.fromString("rw-------");

    private final PrivateKey secret;
    private final NodeKey key;

    private Identity(PrivateKey secret, NodeKey key) {
        this.secret = secret;
        this.key = key;
    }

    /// A new identity that lives as long as this process.
    public static Identity create() {
        try {
            var generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            var pair = generator.generateKeyPair();
            return new Identity(pair.getPrivate(), NodeKey.of(pair.getPublic().getEncoded()));
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
            var identity = new Identity(secret, NodeKey.of(publicKey));
            var probe = new byte[] {1};
            if (!identity.key.verify(identity.sign(probe), probe)) {
                throw new BadIdentity(
                        "the private and the public key of this identity do not belong together");
            }
            return identity;
        } catch (GeneralSecurityException | BadProof e) {
            throw new BadIdentity("these are no P-256 keys: " + e.getMessage(), e);
        }
    }

    /// The id of this node.
    public NodeId id() {
        return key.id();
    }

    /// The public half.
    public NodeKey key() {
        return key;
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
        var text = pem(PRIVATE, identity.secret.getEncoded()) + pem(PUBLIC, identity.key.encoded());
        var fresh = file.resolveSibling(file.getFileName() + "." + identity.id().brief());
        var options = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try (var channel = FileChannel.open(fresh, options, permissions(file))) {
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

    private static FileAttribute<?>[] permissions(Path file) {
        return posix(file)
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(OWNER_ONLY)}
                : new FileAttribute<?>[0];
    }

    private static void requireOwnerOnly(Path file) throws IOException {
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
        return of(section(PRIVATE, text, file), section(PUBLIC, text, file));
    }

    private static String pem(String label, byte[] content) {
        var body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        return "-----BEGIN " + label + "-----\n" + body + "\n-----END " + label + "-----\n";
    }

    private static byte[] section(String label, String text, Path file) {
        var begin = "-----BEGIN " + label + "-----";
        int from = text.indexOf(begin);
        int to = text.indexOf("-----END " + label + "-----");
        if (from < 0 || to < from) {
            throw new BadIdentity(file + " is no identity: it has no section '" + label + "'");
        }
        try {
            return Base64.getMimeDecoder()
                    .decode(text.substring(from + begin.length(), to).strip());
        } catch (IllegalArgumentException e) {
            throw new BadIdentity(
                    file + " is no identity: its section '" + label + "' is not base64", e);
        }
    }
}
