package org.ibidem.connect.socks;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import org.ibidem.connect.HostLookup;
import org.ibidem.connect.Route.Sockets;
import org.ibidem.connect.SocketPath;
import org.ibidem.task.Tasks;

/// A port that a SOCKS proxy holds open for one connection (BIND, RFC 1928, section 4).
final class Binding {
    private static final InetSocketAddress ANYBODY =
            new InetSocketAddress(InetAddress.ofLiteral("0.0.0.0"), 0);

    private static final Duration LOOKUP = Duration.ofSeconds(2);

    private final SocketChannel channel;
    private final Socks5 socks;
    private final InetSocketAddress address;

    private Binding(SocketChannel channel, Socks5 socks, InetSocketAddress address) {
        this.channel = channel;
        this.socks = socks;
        this.address = address;
    }

    /// Has the proxy open one, for whoever comes: from where the peer will come is not known, when
    /// a NAT is before it.
    static Binding open(ProxyAddress proxy, Sockets sockets, Tasks tasks) throws IOException {
        var channel = ProxyRoute.toProxy(proxy, sockets, tasks);
        var socks = new Socks5(proxy, channel);
        var bound = socks.bind(ANYBODY);
        if (bound.isUnresolved()) {
            var host = HostLookup.SYSTEM.first(bound.getHostString(), LOOKUP, tasks);
            bound = new InetSocketAddress(host, bound.getPort());
        }
        if (bound.getPort() == 0) {
            throw new ProxyFailed("the proxy does not say at which port it listens");
        }
        if (bound.getAddress().isAnyLocalAddress()) {
            var own = (InetSocketAddress) channel.getRemoteAddress();
            bound = new InetSocketAddress(own.getAddress(), bound.getPort());
        }
        return new Binding(channel, socks, bound);
    }

    /// Where the proxy listens.
    InetSocketAddress address() {
        return address;
    }

    /// Waits until somebody has connected.
    ///
    /// @return what leads to him
    SocketPath accept() throws IOException {
        socks.accepted();
        return new SocketPath(channel);
    }
}
