package org.ibidem.connect;

import java.time.Duration;
import org.ibidem.link.Reach;
import org.ibidem.link.Tasks;
import org.ibidem.topology.Contact;

/// One way of making a TCP connection to a peer. Found by its `provides` line; stateless.
public interface ConnectMethod {
    /// Its name; also the name of its folder.
    String name();

    /// Is it worth trying for this peer? Knows only what the contact says.
    Reach reach(Contact peer);

    /// Connects and has the peer prove itself; blocks until then.
    ///
    /// @param check proves who is at the other end of each connection tried; may run on several at
    ///   once
    /// @param limit for all of it
    /// @return what the check made of the connection that won; all others are closed
    /// @throws Unreachable with every address tried and why each failed
    <T> T connect(Contact peer, Check<T> check, Tasks tasks, Duration limit);
}
