package org.ibidem.handshake;

/// One end proved who it is, and said no to the other.
public final class HandshakeRefused extends HandshakeFailed {
    private static final long serialVersionUID = 1L;

    private final Refusal refusal;
    private final String reason;
    private final boolean usual;

    private HandshakeRefused(String who, Refusal refusal, String reason, boolean usual) {
        super(who + " (" + refusal + "): " + reason);
        this.refusal = refusal;
        this.reason = reason;
        this.usual = usual;
    }

    static HandshakeRefused byPeer(Refusal refusal, String reason) {
        return new HandshakeRefused("refused by the peer", refusal, reason, false);
    }

    static HandshakeRefused byUs(Admission.Refused no) {
        return new HandshakeRefused("refused", no.code(), no.why(), no.usual());
    }

    /// Whether it is nothing to complain of.
    public boolean isUsual() {
        return usual;
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
