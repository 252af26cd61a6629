package org.ibidem.handshake;

import static org.ibidem.handshake.HandshakeMessages.LONGEST_SEAL;
import static org.ibidem.handshake.HandshakeMessages.SEALED_INITIATOR;
import static org.ibidem.handshake.HandshakeMessages.SEALED_RESPONDER;
import static org.ibidem.handshake.HandshakeMessages.join;
import static org.ibidem.handshake.HandshakeMessages.signatureOf;
import static org.ibidem.handshake.HandshakeMessages.withoutSignature;

import java.io.IOException;
import java.security.cert.CertificateException;
import javax.net.ssl.SSLException;
import org.ibidem.identity.Identity;
import org.ibidem.identity.NodeKey;
import org.ibidem.link.StreamPath;
import org.ibidem.tls.Engines;
import org.ibidem.tls.Records;

/// Puts TLS under a connection whose ends have just proved their keys. Then each signs what both
/// have said and what this session of TLS exports (RFC 9266), before anything else goes over it: so
/// nobody between them can have joined the handshake of one connection to the session of another.
///
/// ```
/// initiator                                  responder
///    | <-- TLS 1.3, both with their own keys ------> |
///    | -- SEAL  yes or no, sig --------------------> |
///    | <- SEAL  yes or no, sig --------------------- |
/// ```
///
/// @param peer whose key was proved
/// @param said HELLO, REPLY and PROOF, one after the other
record Sealing(Identity identity, NodeKey peer, byte[] said) {
    private static final String PROTOCOL = "control";

    /// As the JDK says it.
    private static final String ALERT = "Received fatal alert";

    /// What of it is not well, at both ends.
    private static final String JOINED =
            "it has signed another handshake, or another session of TLS, than this end is in:"
                    + " somebody between joins two connections";

    /// At the end that connected.
    SealedPath initiate(StreamPath path, Exchange exchange) {
        var sealed = shaken(path, exchange, true);
        var exported = exported(sealed);
        exchange.write("SEAL", seal(SEALED_INITIATOR, exported, 0, ""));
        var theirs = read(exchange);
        var says = HandshakeMessages.readSeal(theirs);
        if (!isTheirs(SEALED_RESPONDER, exported, theirs)) {
            var also = says.status() == 0 ? "" : "; and it refuses this end: " + says.reason();
            throw new BadProof("this end refuses node " + peer.id().brief() + ": " + JOINED + also);
        }
        if (says.status() != 0) {
            throw HandshakeRefused.byPeer(Refusal.of(says.status()), says.reason());
        }
        return sealed;
    }

    /// At the end that accepted.
    SealedPath respond(StreamPath path, Exchange exchange) {
        var sealed = shaken(path, exchange, false);
        var exported = exported(sealed);
        if (!isTheirs(SEALED_INITIATOR, exported, read(exchange))) {
            var no = seal(SEALED_RESPONDER, exported, Refusal.OTHER.code(), JOINED);
            exchange.write("SEAL", no);
            exchange.lastWords();
            throw new BadProof("this end refuses node " + peer.id().brief() + ": " + JOINED);
        }
        exchange.write("SEAL", seal(SEALED_RESPONDER, exported, 0, ""));
        return sealed;
    }

    private SealedPath shaken(StreamPath path, Exchange exchange, boolean active) {
        try {
            var credentials = identity.towards(peer.id());
            var records = new Records(Engines.engine(credentials, active, PROTOCOL));
            var sealed = new SealedPath(path, records);
            sealed.shake();
            exchange.goOn(sealed);
            return sealed;
        } catch (SSLException e) {
            throw failed(e);
        } catch (IOException e) {
            throw exchange.broken("the connection broke in the handshake of TLS", e);
        }
    }

    private static HandshakeFailed failed(SSLException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof CertificateException) {
                return new BadProof(
                        "this end refuses the other, whose key is not the one it has just proved: "
                                + cause.getMessage(),
                        e);
            }
        }
        return new HandshakeGarbled(
                String.valueOf(e.getMessage()).contains(ALERT)
                        ? "the other end refuses TLS with this one: " + e.getMessage()
                        : "this end refuses the other, which speaks no TLS as it should: "
                                + e.getMessage(),
                e);
    }

    private static byte[] exported(SealedPath sealed) {
        try {
            return sealed.records().exported();
        } catch (IOException e) {
            throw new HandshakeGarbled("TLS exports nothing to be signed: " + e.getMessage(), e);
        }
    }

    private static byte[] read(Exchange exchange) {
        return exchange.readSized("SEAL", LONGEST_SEAL);
    }

    private byte[] seal(byte[] label, byte[] exported, int status, String reason) {
        var unsigned = HandshakeMessages.unsignedSeal(status, reason);
        var signature = identity.sign(label, exported, said, unsigned);
        return HandshakeMessages.sized(join(unsigned, signature));
    }

    private boolean isTheirs(byte[] label, byte[] exported, byte[] seal) {
        return peer.verify(signatureOf(seal), label, exported, said, withoutSignature(seal));
    }
}
