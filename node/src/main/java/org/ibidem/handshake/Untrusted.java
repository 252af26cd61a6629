package org.ibidem.handshake;

/// The peer proved its key, and not that it belongs to the pool, or that its path is as safe as it
/// must be.
public final class Untrusted extends HandshakeFailed {
    private static final long serialVersionUID = 1L;

    private final Refusal refusal;

    Untrusted(Refusal refusal, String why) {
        super(why);
        this.refusal = refusal;
    }

    /// What an end that answers says in this case.
    public Refusal refusal() {
        return refusal;
    }
}
