package org.ibidem.service;

/// One end proved who it is, and said no to the other.
public final class HandshakeRefused extends HandshakeFailed {
    private static final long serialVersionUID = 1L;

    private final Refusal refusal;
    private final String reason;

    private HandshakeRefused(String who, Refusal refusal, String reason) {
        super(who + " (" + refusal + "): " + reason);
        this.refusal = refusal;
        this.reason = reason;
    }

    static HandshakeRefused byPeer(Refusal refusal, String reason) {
        return new HandshakeRefused("refused by the peer", refusal, reason);
    }

    static HandshakeRefused byUs(Refusal refusal, String reason) {
        return new HandshakeRefused("refused", refusal, reason);
    }

    /// Which no it was.
    public Refusal refusal() {
        return refusal;
    }

    /// The words of whoever refused.
    public String reason() {
        return reason;
    }
}
