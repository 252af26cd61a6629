package org.ibidem.hub;

import org.ibidem.registry.Membership;
import org.ibidem.topology.NodeId;

/// Somebody who is told what happens in a pool; all under the register's guard.
interface Listener {
    /// Who it is.
    NodeId id();

    /// What it wants to know of members.
    Membership membership();

    /// Does it only look in, and is no member?
    default boolean visits() {
        return false;
    }

    /// Does it want to know that this member is gone?
    boolean knows(NodeId member);

    /// Number of the last change it knows; -1: nothing.
    long known();

    /// Did it know anything of the pool when it came, perhaps in another life of the hub's state?
    /// To others nobody who is gone means anything.
    default boolean remembers() {
        return known() >= 0;
    }

    /// Number of the last change looked at for it: it wanted to know of none since `known`.
    long seen();

    /// Must it be told of the change with this number at once?
    void hurry(long number);

    /// May it be told a little later?
    boolean patient();

    /// Does it take too little of what it is told?
    boolean lags();

    /// Tells it.
    void tell(Batch batch);
}
