package org.ibidem.link;

import org.ibidem.task.Tasks;

/// A network driver: one way of moving bytes, a leaf of every stack. Found by its `provides` line;
/// stateless: what it keeps, it keeps in the [Domain] of a node.
public interface Driver {
    /// Its name in the stack notation; also the name of its folder.
    String name();

    /// The record its options are bound to; the record's no-argument constructor gives the
    /// defaults.
    Class<? extends Record> options();

    /// What serves all links of one node. Called once for each node; sockets and memory are taken
    /// by need, not here.
    ///
    /// @param tasks of the node
    /// @param open whether peers on other machines may connect to the node
    Domain domain(Tasks tasks, boolean open);

    /// Whether frames travel over the connection that a link is given; false where that only rings,
    /// or there is none.
    default boolean overConnections() {
        return true;
    }

    /// The version of what it says on the network; both ends need the same.
    default int version() {
        return 1;
    }
}
