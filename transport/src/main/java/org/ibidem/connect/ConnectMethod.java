package org.ibidem.connect;

import org.ibidem.link.Reach;
import org.ibidem.topology.Contact;

/// One way of making a connection to a peer. Found by its `provides` line; stateless. A method
/// whose two ends must agree first is [Brokered].
public interface ConnectMethod {
    /// Its name; also the name of its folder.
    String name();

    /// What it can do, whoever the peer is.
    Traits traits();

    /// Is it worth trying for this peer? Knows only what the contact says, and this machine.
    Reach reach(Contact peer);

    /// Connects and has the peer prove itself; blocks until then.
    ///
    /// @param check proves who is at the other end of each connection tried; may run on several at
    ///   once
    /// @return what the check made of the connection that won; all others are closed
    /// @throws Unreachable with every address tried and why each failed
    <T> T connect(Contact peer, Check<T> check, MethodContext context);
}
