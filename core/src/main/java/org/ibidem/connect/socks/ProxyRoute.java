package org.ibidem.connect.socks;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import org.ibidem.connect.BriefWait;
import org.ibidem.connect.Route;

/// To a target through a proxy that connects to it.
///
/// @param proxy through which
/// @param address resolved, or not: then the proxy looks the name up
record ProxyRoute(ProxyAddress proxy, InetSocketAddress address) implements Route {
    @Override
    public String via() {
        return "through " + proxy;
    }

    @Override
    public SocketChannel connect(Sockets sockets) throws IOException {
        var channel = toProxy(proxy, sockets);
        switch (proxy.kind()) {
            case SOCKS5 -> new Socks5(proxy, channel).connect(address);
            case HTTP -> new HttpConnect(proxy, channel).connect(address);
        }
        return channel;
    }

    /// A connection to the proxy itself.
    ///
    /// @throws ProxyFailed when there is none to be had
    static SocketChannel toProxy(ProxyAddress proxy, Sockets sockets) throws IOException {
        var where = new InetSocketAddress(proxy.host(), proxy.port());
        if (where.isUnresolved()) {
            throw new ProxyFailed(
                    "no host is called '" + proxy.host() + "', where the proxy should be");
        }
        var channel = sockets.open();
        try {
            new BriefWait().connect(channel, where);
            return channel;
        } catch (IOException e) {
            throw new ProxyFailed("the proxy itself cannot be reached: " + e.getMessage(), e);
        }
    }
}
