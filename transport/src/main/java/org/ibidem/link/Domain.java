package org.ibidem.link;

import java.io.IOException;

/// A network driver at one node: what all its links share, such as a socket, a page of ready words,
/// a completion queue. It makes them, and lives as long as the node (libfabric's domain, the
/// interface of UCX).
public interface Domain extends AutoCloseable {
    /// What a peer has to know to tell whether this driver reaches us: short printable text,
    /// published with the node's contact. Empty when there is nothing to know or the driver cannot
    /// work here.
    String place();

    /// Can a node that published `there` as its [#place] be reached from here?
    Reach reach(String there);

    /// Makes this end of a link; both ends call it, with lowers of the same key. May block.
    ///
    /// @param options an instance of [Driver#options]
    Link open(Lower lower, Record options) throws IOException;

    /// The node ends: its links are closed already.
    @Override
    default void close() {}
}
