package org.ibidem.handshake;

import org.ibidem.topology.NodeId;

/// Somebody else answered: the address leads to another node than the one wanted.
public final class WrongNode extends HandshakeFailed {
    private static final long serialVersionUID = 1L;

    private final transient NodeId wanted;
    private final transient NodeId found;

    /// With the node that was asked for, and the one that answered.
    public WrongNode(NodeId wanted, NodeId found) {
        super("proved to be node " + found + " instead of " + wanted);
        this.wanted = wanted;
        this.found = found;
    }

    /// Whom the connection was meant for.
    public NodeId wanted() {
        return wanted;
    }

    /// Who proved to be there.
    public NodeId found() {
        return found;
    }
}
