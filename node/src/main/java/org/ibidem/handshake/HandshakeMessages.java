package org.ibidem.handshake;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Optional;
import org.ibidem.IbidemException;
import org.ibidem.buffer.ControlReader;
import org.ibidem.buffer.ControlWriter;
import org.ibidem.identity.BadKey;
import org.ibidem.identity.NodeKey;
import org.ibidem.identity.Shown;
import org.ibidem.peer.Purpose;
import org.ibidem.topology.NodeId;
import org.ibidem.trust.Chain;
import org.ibidem.trust.JobKey;
import org.jspecify.annotations.Nullable;

/// The bytes of the handshake, without any I/O: `docs/wire/handshake.md`.
///
/// ```
/// HELLO, REPLY:  0 "IBDM" | 4 lowest u16 | 6 highest u16 | 8 length u16 | 10 body
/// HELLO body:    0 purpose u8 | 1 key 91 | 92 nonce 32 | 124 peer 16 | 140 pool text | stack text | token text | shown
/// REPLY body:    0 status u8 | 1 key 91 | 92 nonce 32 | 124 reason text | shown | signature 64
/// shown:         0 local text | certificates: length u16, bytes
/// PROOF:         0 signature 64
/// SEAL:          0 length u16 | body
/// SEAL body:     0 status u8 | 1 reason text | signature 64
/// ```
final class HandshakeMessages {
    static final int PREFIX_BYTES = 8;
    static final int LENGTH_BYTES = 2;
    static final int NONCE_BYTES = 32;
    static final int LONGEST_REASON = 256;
    private static final int LONGEST_SHOWN = 2 * LENGTH_BYTES + Shown.LONGEST_LOCAL + Chain.LONGEST;
    static final int LONGEST_HELLO =
            1
                    + LONGEST_SHOWN
                    + NodeKey.BYTES
                    + NONCE_BYTES
                    + NodeId.BYTES
                    + 3 * LENGTH_BYTES
                    + Hello.LONGEST_POOL
                    + Hello.LONGEST_STACK
                    + Hello.LONGEST_TOKEN;
    static final int LONGEST_REPLY =
            1
                    + LONGEST_SHOWN
                    + NodeKey.BYTES
                    + NONCE_BYTES
                    + LENGTH_BYTES
                    + LONGEST_REASON
                    + NodeKey.SIGNATURE_BYTES;

    static final int LONGEST_SEAL = 1 + LENGTH_BYTES + LONGEST_REASON + NodeKey.SIGNATURE_BYTES;

    /// What each role signs begins with its own line, so that no signature of one serves as the
    /// other's.
    static final byte[] RESPONDER = label("ibidem handshake 2 responder\n");

    static final byte[] INITIATOR = label("ibidem handshake 2 initiator\n");

    static final byte[] SEALED_RESPONDER = label("ibidem seal 1 responder\n");

    static final byte[] SEALED_INITIATOR = label("ibidem seal 1 initiator\n");

    private static final byte[] MAGIC = label("IBDM");
    private static final NodeId ANYBODY = new NodeId(0, 0);

    private HandshakeMessages() {}

    /// A range of versions of the protocol, both ends included.
    record Versions(int lowest, int highest) {
        /// What this program speaks.
        static final Versions OURS = new Versions(2, 2);

        /// The highest version in both ranges.
        Optional<Integer> common(Versions other) {
            int best = Math.min(highest, other.highest);
            return best >= Math.max(lowest, other.lowest) ? Optional.of(best) : Optional.empty();
        }

        @Override
        public String toString() {
            return lowest == highest ? String.valueOf(lowest) : lowest + " to " + highest;
        }
    }

    /// Who sends a message, with his nonce and what he shows.
    record Nonced(NodeKey key, byte[] nonce, Shown shown) {}

    /// What a HELLO says; the purpose may be one that is not known here.
    record Asked(
            NodeKey key,
            int purpose,
            String pool,
            @Nullable NodeId peer,
            String stack,
            String token,
            Shown shown) {
        Optional<Hello> hello() {
            return Purpose.of(purpose).map(known -> new Hello(known, pool, peer, stack, token));
        }
    }

    /// What a REPLY says; status 0 is a welcome, else the code of a [Refusal].
    record Answered(NodeKey key, int status, String reason, Shown shown) {}

    /// What a SEAL says; status 0 is a yes, else the code of a [Refusal].
    record Said(int status, String reason) {}

    static byte[] prefix(Versions versions) {
        return new ControlWriter(PREFIX_BYTES)
                .raw(MAGIC)
                .u16(versions.lowest())
                .u16(versions.highest())
                .toBytes();
    }

    /// Reads magic and versions, the 8 bytes that never change.
    static Versions readPrefix(byte[] prefix) {
        var in = new ControlReader(prefix);
        var magic = in.raw("magic", MAGIC.length);
        if (!Arrays.equals(magic, MAGIC)) {
            throw new HandshakeGarbled(
                    "no Ibidem there: the first bytes are " + readable(magic) + ", not 'IBDM'");
        }
        var versions = new Versions(in.u16("lowest version"), in.u16("highest version"));
        if (versions.lowest() > versions.highest()) {
            throw new HandshakeGarbled("versions " + versions + " are no range");
        }
        return versions;
    }

    static byte[] hello(Versions versions, Nonced from, Hello hello) {
        var body =
                new ControlWriter(LONGEST_HELLO)
                        .u8(hello.purpose().code())
                        .raw(from.key().encoded())
                        .raw(from.nonce());
        Optional.ofNullable(hello.peer()).orElse(ANYBODY).write(body);
        body.text(hello.pool(), Hello.LONGEST_POOL)
                .text(hello.stack(), Hello.LONGEST_STACK)
                .text(hello.token(), Hello.LONGEST_TOKEN);
        write(from.shown(), body);
        return framed(versions, body.toBytes());
    }

    static Asked readHello(byte[] body) {
        var in = new ControlReader(body);
        int purpose = in.u8("purpose");
        var key = key(in);
        in.raw("nonce", NONCE_BYTES);
        var peer = NodeId.read(in, "peer");
        var asked =
                new Asked(
                        key,
                        purpose,
                        in.name("pool", Hello.LONGEST_POOL),
                        peer.equals(ANYBODY) ? null : peer,
                        in.name("stack", Hello.LONGEST_STACK),
                        in.name("token", Hello.LONGEST_TOKEN),
                        readShown(in));
        in.end();
        return asked;
    }

    /// A REPLY without its signature, which the length counts already.
    static byte[] unsignedReply(Versions versions, Nonced from, int status, String reason) {
        var body =
                new ControlWriter(LONGEST_REPLY)
                        .u8(status)
                        .raw(from.key().encoded())
                        .raw(from.nonce())
                        .text(shortened(reason), LONGEST_REASON);
        write(from.shown(), body);
        body.raw(new byte[NodeKey.SIGNATURE_BYTES]);
        return withoutSignature(framed(versions, body.toBytes()));
    }

    private static void write(Shown shown, ControlWriter out) {
        out.text(shown.local(), Shown.LONGEST_LOCAL).bytes(shown.certificates(), Chain.LONGEST);
    }

    private static Shown readShown(ControlReader in) {
        return new Shown(
                in.name("local", Shown.LONGEST_LOCAL), in.bytes("certificates", Chain.LONGEST));
    }

    private static NodeKey key(ControlReader in) {
        try {
            return NodeKey.of(in.raw("key", NodeKey.BYTES));
        } catch (BadKey e) {
            throw new BadProof("the peer shows no key of a node: " + e.getMessage(), e);
        }
    }

    static Answered readReply(byte[] body) {
        var in = new ControlReader(body);
        int status = in.u8("status");
        var key = key(in);
        in.raw("nonce", NONCE_BYTES);
        var answered =
                new Answered(key, status, in.reason("reason", LONGEST_REASON), readShown(in));
        in.raw("signature", NodeKey.SIGNATURE_BYTES);
        in.end();
        return answered;
    }

    /// The body of a SEAL without its signature.
    static byte[] unsignedSeal(int status, String reason) {
        return new ControlWriter(LONGEST_SEAL)
                .u8(status)
                .text(shortened(reason), LONGEST_REASON)
                .toBytes();
    }

    static Said readSeal(byte[] body) {
        var in = new ControlReader(body);
        var said = new Said(in.u8("status"), in.reason("reason", LONGEST_REASON));
        in.raw("signature", NodeKey.SIGNATURE_BYTES);
        in.end();
        return said;
    }

    /// A length and the body.
    static byte[] sized(byte[] body) {
        return new ControlWriter(LENGTH_BYTES + body.length).u16(body.length).raw(body).toBytes();
    }

    static byte[] withoutSignature(byte[] reply) {
        return Arrays.copyOf(reply, Math.max(0, reply.length - NodeKey.SIGNATURE_BYTES));
    }

    static byte[] signatureOf(byte[] reply) {
        return Arrays.copyOfRange(
                reply, Math.max(0, reply.length - NodeKey.SIGNATURE_BYTES), reply.length);
    }

    static byte[] join(byte[]... parts) {
        var out = new ControlWriter(Arrays.stream(parts).mapToInt(part -> part.length).sum());
        for (var part : parts) {
            out.raw(part);
        }
        return out.toBytes();
    }

    /// What is signed of these: all, and where both ends have the key of a job what only they can
    /// compute of it.
    static byte[] signed(@Nullable JobKey job, byte[]... parts) {
        var all = join(parts);
        return job == null ? all : join(all, job.mac(all));
    }

    /// SHA-256 of these parts, one after the other.
    static byte[] digest(byte[]... parts) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(join(parts));
        } catch (NoSuchAlgorithmException e) {
            throw new IbidemException("this JDK has no SHA-256", e);
        }
    }

    private static byte[] framed(Versions versions, byte[] body) {
        return new ControlWriter(PREFIX_BYTES + LENGTH_BYTES + body.length)
                .raw(prefix(versions))
                .u16(body.length)
                .raw(body)
                .toBytes();
    }

    /// Cuts between characters, so that what travels is UTF-8 of at most [#LONGEST_REASON] bytes.
    private static String shortened(String reason) {
        var text = new StringBuilder();
        int bytes = 0;
        for (int character : reason.codePoints().toArray()) {
            boolean lone =
                    character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE;
            var next = lone ? "?" : Character.toString(character);
            bytes += next.getBytes(StandardCharsets.UTF_8).length;
            if (bytes > LONGEST_REASON) {
                break;
            }
            text.append(next);
        }
        return text.toString();
    }

    private static String readable(byte[] bytes) {
        var text = new StringBuilder("'");
        for (byte b : bytes) {
            text.append(
                    b >= ' ' && b < 0x7f ? String.valueOf((char) b) : String.format("\\x%02x", b));
        }
        return text.append('\'').toString();
    }

    private static byte[] label(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
