package org.ibidem.handshake;

/// Why one end refuses a connection in the handshake; the code travels, the meaning of a code never
/// changes.
public enum Refusal {
    /// The pool named in the HELLO is not known here.
    POOL(1),
    /// The HELLO was meant for another node.
    WRONG_NODE(2),
    /// Both ends have the same key.
    SELF(3),
    /// Connections for this purpose are not served here.
    PURPOSE(4),
    /// This node was declared dead; it may come back under a new id.
    DEAD(5),
    /// No room for another one.
    FULL(6),
    /// The token of the HELLO is not known here, or not any more.
    TOKEN(7),
    /// The stack of the HELLO is not what was agreed on.
    STACK(8),
    /// This end is about to leave.
    CLOSING(9),
    /// The pool has an authority, and this node does not prove that it belongs there.
    CERTIFICATE(10),
    /// The data may not go over this path in clear.
    CLEAR(11),
    /// The hub is that of a job which has a key, and this node does not show it; or it shows one
    /// that is not the hub's.
    JOB(12),
    /// Any other reason: the text says it.
    OTHER(255);

    private final int code;

    Refusal(int code) {
        this.code = code;
    }

    /// The number on the wire, 1 to 255.
    public int code() {
        return code;
    }

    /// The refusal with this number; a number from a newer peer is [#OTHER].
    static Refusal of(int code) {
        for (var refusal : values()) {
            if (refusal.code == code) {
                return refusal;
            }
        }
        return OTHER;
    }
}
