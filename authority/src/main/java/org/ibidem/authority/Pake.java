package org.ibidem.authority;

import java.math.BigInteger;
import java.security.SecureRandom;
import org.bouncycastle.crypto.CryptoException;
import org.bouncycastle.crypto.agreement.jpake.JPAKEParticipant;
import org.bouncycastle.crypto.agreement.jpake.JPAKEPrimeOrderGroup;
import org.bouncycastle.crypto.agreement.jpake.JPAKEPrimeOrderGroups;
import org.bouncycastle.crypto.agreement.jpake.JPAKERound1Payload;
import org.bouncycastle.crypto.agreement.jpake.JPAKERound2Payload;
import org.bouncycastle.crypto.digests.SHA256Digest;
import org.ibidem.buffer.ControlReader;
import org.ibidem.buffer.ControlWriter;

/// One end of J-PAKE (Hao and Ryan 2010, RFC 8236) over the group of 3072 bits of NIST: two who
/// have the same short secret get the same long one. Whoever is between them, or plays one of them,
/// can try one guess with each conversation and learns nothing else, also not afterwards and with
/// any amount of time.
///
/// ```
/// first:  0 gx1 384 | 384 gx2 384 | 768 proof of x1 | 1184 proof of x2
/// second: 0 A 384 | 384 proof of x2s
/// proof:  0 gv 384 | 384 r 32
/// ```
///
/// Numbers are big-endian, with zeros in front.
final class Pake {
    static final int ELEMENT = 384;
    static final int SCALAR = 32;
    private static final int PROOF = ELEMENT + SCALAR;

    /// Length of what is said first.
    static final int FIRST = 2 * (ELEMENT + PROOF);

    /// Length of what is said next.
    static final int SECOND = ELEMENT + PROOF;

    private static final JPAKEPrimeOrderGroup GROUP = JPAKEPrimeOrderGroups.NIST_3072;

    private final JPAKEParticipant me;
    private final String other;

    /// @param inviter which end this is: both are named in the proofs, so that neither is the
    ///   other's
    Pake(boolean inviter, OneTimeCode code, SecureRandom random) {
        this.other = name(!inviter, code.slot());
        this.me =
                new JPAKEParticipant(
                        name(inviter, code.slot()),
                        code.secret().toCharArray(),
                        GROUP,
                        SHA256Digest.newInstance(),
                        random);
    }

    private static String name(boolean inviter, int slot) {
        return "ibidem invitation 1 " + (inviter ? "inviter " : "joiner ") + slot;
    }

    byte[] first() {
        var first = me.createRound1PayloadToSend();
        var out = new ControlWriter(FIRST);
        put(out, first.getGx1(), ELEMENT);
        put(out, first.getGx2(), ELEMENT);
        put(out, first.getKnowledgeProofForX1());
        put(out, first.getKnowledgeProofForX2());
        return out.toBytes();
    }

    void hearFirst(byte[] said) throws WrongCode {
        var in = new ControlReader(said);
        var gx1 = number(in, "gx1", ELEMENT);
        var gx2 = number(in, "gx2", ELEMENT);
        var first = new JPAKERound1Payload(other, gx1, gx2, proof(in), proof(in));
        in.end();
        try {
            me.validateRound1PayloadReceived(first);
        } catch (CryptoException e) {
            throw new WrongCode("its first message proves nothing: " + e.getMessage(), e);
        }
    }

    byte[] second() {
        var second = me.createRound2PayloadToSend();
        var out = new ControlWriter(SECOND);
        put(out, second.getA(), ELEMENT);
        put(out, second.getKnowledgeProofForX2s());
        return out.toBytes();
    }

    void hearSecond(byte[] said) throws WrongCode {
        var in = new ControlReader(said);
        var second = new JPAKERound2Payload(other, number(in, "A", ELEMENT), proof(in));
        in.end();
        try {
            me.validateRound2PayloadReceived(second);
        } catch (CryptoException e) {
            throw new WrongCode("its second message proves nothing: " + e.getMessage(), e);
        }
    }

    /// The long secret, which both have if both had the same short one; once.
    byte[] secret() {
        var out = new ControlWriter(ELEMENT);
        put(out, me.calculateKeyingMaterial(), ELEMENT);
        return out.toBytes();
    }

    private static void put(ControlWriter out, BigInteger[] proof) {
        put(out, proof[0], ELEMENT);
        put(out, proof[1], SCALAR);
    }

    private static void put(ControlWriter out, BigInteger number, int bytes) {
        var all = number.toByteArray();
        int zeros = Math.max(0, all.length - bytes); // a sign
        out.raw(new byte[Math.max(0, bytes - all.length)]);
        for (int i = zeros; i < all.length; i++) {
            out.u8(Byte.toUnsignedInt(all[i]));
        }
    }

    private static BigInteger[] proof(ControlReader in) {
        return new BigInteger[] {number(in, "gv", ELEMENT), number(in, "r", SCALAR)};
    }

    private static BigInteger number(ControlReader in, String field, int bytes) {
        return new BigInteger(1, in.raw(field, bytes));
    }
}
