package org.ibidem.handshake;

import org.ibidem.identity.NodeKey;
import org.ibidem.link.Lower;
import org.ibidem.link.Path;
import org.ibidem.link.StreamPath;
import org.ibidem.topology.NodeId;

/// A connection on which both ends have proved their keys.
///
/// @param path in blocking mode, nothing read past the handshake; its owner is whoever gets this
/// @param key the peer's key
/// @param hello what the end that connected asked for
/// @param version of the protocol that both speak
/// @param initiator true at the end that connected
/// @param method the connect method that made it; empty where that is not known
/// @param secrecy who can read the data that it carries, for people: `tls 1.3 aes-256-gcm`, `clear:
///   same site lyon`; empty where it carries none, or the pool has no authority
/// @param said SHA-256 of HELLO, REPLY and PROOF; zeros where there was no handshake
public record Proved(
        Path path,
        NodeKey key,
        Hello hello,
        int version,
        boolean initiator,
        String method,
        String secrecy,
        byte[] said) {
    /// One that was made, or came in, whoever knows how.
    public Proved(Path path, NodeKey key, Hello hello, int version, boolean initiator) {
        this(path, key, hello, version, initiator, "", "", new byte[Lower.SAID]);
    }

    /// The same, of which it is known that this method made it.
    public Proved by(String known) {
        return new Proved(path, key, hello, version, initiator, known, secrecy, said);
    }

    /// The path, where only a stream will do: a listener lets nothing else in for what needs one.
    public StreamPath stream() {
        return (StreamPath) path;
    }

    /// Who the peer is.
    public NodeId peer() {
        return key.id();
    }
}
