package org.ibidem.link;

import java.io.IOException;

/// A network driver: one way of moving bytes, a leaf of every stack. Found by its `provides` line;
/// stateless.
public interface Driver {
    /// Its name in the stack notation; also the name of its folder.
    String name();

    /// The record its options are bound to; the record's no-argument constructor gives the
    /// defaults.
    Class<? extends Record> options();

    /// What a peer has to know to tell whether this driver reaches us: short printable text,
    /// published with the node's contact. Empty when there is nothing to know or the driver cannot
    /// work here.
    String place();

    /// Can a node that published `there` as its [#place] be reached from here?
    Reach reach(String there);

    /// Makes this end of a link; both ends call it, with lowers of the same key. May block.
    ///
    /// @param options an instance of [#options]
    Link open(Lower lower, Record options) throws IOException;

    /// The version of what it says on the network; both ends need the same.
    default int version() {
        return 1;
    }
}
