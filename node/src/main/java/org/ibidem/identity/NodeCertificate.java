package org.ibidem.identity;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.HexFormat;
import org.ibidem.IbidemException;

/// The certificate that a node without an authority makes for itself: X.509 version 1 (RFC 5280),
/// its own key, signed with it, without a last day. It says nothing but the key; whose that is, is
/// the id's affair.
final class NodeCertificate {
    private static final int SEQUENCE = 0x30;
    private static final int SET = 0x31;
    private static final int INTEGER = 0x02;
    private static final int BITS = 0x03;
    private static final int UTF8 = 0x0C;
    private static final int UTC_TIME = 0x17;
    private static final int TIME = 0x18;

    /// ecdsa-with-SHA256 (RFC 5758).
    private static final byte[] ALGORITHM = HexFormat.of().parseHex("300a06082a8648ce3d040302");

    private static final byte[] COMMON_NAME = HexFormat.of().parseHex("0603550403");
    private static final int SERIAL_BYTES = 8;
    private static final int SHORT = 0x80;

    private NodeCertificate() {}

    static X509Certificate of(Identity identity) {
        var unsigned = unsigned(identity);
        var signature = identity.sign(unsigned);
        var whole = sequence(unsigned, ALGORITHM, bits(numbers(signature)));
        try {
            var factory = CertificateFactory.getInstance("X.509");
            return (X509Certificate) factory.generateCertificate(new ByteArrayInputStream(whole));
        } catch (CertificateException e) {
            throw new IbidemException("this JDK reads no X.509: " + e.getMessage(), e);
        }
    }

    private static byte[] unsigned(Identity identity) {
        var key = identity.key().encoded();
        var name = name("ibidem node " + identity.id());
        var serial =
                new BigInteger(1, Arrays.copyOfRange(key, key.length - SERIAL_BYTES, key.length));
        return sequence(
                part(INTEGER, serial.setBit(0).toByteArray()),
                ALGORITHM,
                name,
                sequence(
                        part(UTC_TIME, text("700101000000Z")), part(TIME, text("99991231235959Z"))),
                name,
                key);
    }

    private static byte[] name(String text) {
        var attribute = sequence(COMMON_NAME, part(UTF8, text(text)));
        return sequence(part(SET, attribute));
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /// r and s as certificates have them.
    private static byte[] numbers(byte[] signature) {
        int half = signature.length / 2;
        var r = new BigInteger(1, Arrays.copyOf(signature, half));
        var s = new BigInteger(1, Arrays.copyOfRange(signature, half, signature.length));
        return sequence(part(INTEGER, r.toByteArray()), part(INTEGER, s.toByteArray()));
    }

    private static byte[] bits(byte[] content) {
        return part(BITS, new byte[] {0}, content);
    }

    private static byte[] sequence(byte[]... parts) {
        return part(SEQUENCE, parts);
    }

    /// Tag, length and content (DER, X.690).
    private static byte[] part(int tag, byte[]... contents) {
        int length = Arrays.stream(contents).mapToInt(content -> content.length).sum();
        var bytes = new ByteArrayOutputStream();
        bytes.write(tag);
        if (length >= SHORT) {
            boolean two = length > 0xFF;
            bytes.write(two ? 0x82 : 0x81);
            if (two) {
                bytes.write(length >> 8);
            }
        }
        bytes.write(length);
        for (var content : contents) {
            bytes.writeBytes(content);
        }
        return bytes.toByteArray();
    }
}
