package org.ibidem.connect;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import org.ibidem.topology.Egress;
import org.jspecify.annotations.Nullable;

/// What reaches the peer already, over which two ends agree on how to make a better connection: a
/// service link, or the hub.
public interface Broker {
    /// Hands the peer's half of a method a proposal, and waits for what it answers.
    ///
    /// @param method the method's name; the peer must have it too
    /// @throws org.ibidem.IbidemException when the peer refuses or does not answer in time; the
    ///   message says why
    byte[] propose(String method, byte[] proposal, Duration limit);

    /// How long something takes to the peer this way, about: who begins at once with what both are
    /// to do together waits so long.
    Duration delay();

    /// Asks somebody outside from which address a connection of this socket is seen to come. He is
    /// connected to with it, and it stays open as long as the answer is to hold: with it a NAT's
    /// mapping would go.
    ///
    /// @param socket bound, not connected, which is no path yet
    /// @return the address, or null when there is nobody to ask for this kind of address
    /// @throws IOException when he could not be reached
    @Nullable InetSocketAddress observe(SocketChannel socket, Duration limit) throws IOException;

    /// How this node's connections get out, as far as it knows.
    default Egress egress() {
        return Egress.UNKNOWN;
    }

    /// Expects a connection of the peer among those that come in by themselves.
    Expected expect();
}
