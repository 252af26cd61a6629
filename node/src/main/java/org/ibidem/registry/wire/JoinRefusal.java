package org.ibidem.registry.wire;

/// Why a hub does not take a node into a pool. The codes are part of the wire format.
public enum JoinRefusal {
    /// The hub does not speak this version of the protocol.
    VERSION(1),
    /// The pool has all the members it was made for.
    POOL_FULL(2),
    /// The pool was full and lost a member since.
    POOL_CLOSED(3),
    /// The rank wished for is another member's, or not one of this pool's.
    RANK_TAKEN(4),
    /// The pool has another size than the one named.
    SIZE_DIFFERS(5),
    /// A member with the same key is in the pool.
    ID_IN_USE(6),
    /// The pool holds this node for dead or gone.
    DEPARTED(7),
    /// The hub has as many pools or members as it can hold.
    HUB_FULL(8),
    /// There is no such pool to visit, or it was terminated.
    NO_POOL(9),
    /// The hub cannot write its state now.
    CANNOT_WRITE(10);

    private final int code;

    JoinRefusal(int code) {
        this.code = code;
    }

    /// Its code on the wire.
    public int code() {
        return code;
    }
}
