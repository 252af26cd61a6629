package org.ibidem.connect.socks;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import org.ibidem.connect.BriefWait;
import org.ibidem.connect.Names;
import org.ibidem.connect.Route;
import org.ibidem.connect.SocketPath;
import org.ibidem.link.Tasks;

/// To a target through a proxy that connects to it.
///
/// @param proxy through which
/// @param address resolved, or not: then the proxy looks the name up
/// @param tasks look up the proxy's own name
record ProxyRoute(ProxyAddress proxy, InetSocketAddress address, Tasks tasks) implements Route {
    private static final Duration LOOKUP = Duration.ofSeconds(5);

    @Override
    public String via() {
        return "through " + proxy;
    }

    @Override
    public SocketPath connect(Sockets sockets) throws IOException {
        var channel = toProxy(proxy, sockets, tasks);
        switch (proxy.kind()) {
            case SOCKS5 -> new Socks5(proxy, channel).connect(address);
            case HTTP -> new HttpConnect(proxy, channel).connect(address);
        }
        return new SocketPath(channel);
    }

    /// A connection to the proxy itself.
    ///
    /// @throws ProxyFailed when there is none to be had
    static SocketChannel toProxy(ProxyAddress proxy, Sockets sockets, Tasks tasks)
            throws IOException {
        var where = new InetSocketAddress(find(proxy, tasks), proxy.port());
        var channel = sockets.open();
        try {
            new BriefWait().connect(channel, where);
            return channel;
        } catch (IOException e) {
            throw new ProxyFailed("the proxy itself cannot be reached: " + e.getMessage(), e);
        }
    }

    private static InetAddress find(ProxyAddress proxy, Tasks tasks) {
        try {
            return Names.SYSTEM.first(proxy.host(), LOOKUP, tasks);
        } catch (IOException e) {
            throw new ProxyFailed("the proxy itself is not found: " + e.getMessage(), e);
        }
    }
}
