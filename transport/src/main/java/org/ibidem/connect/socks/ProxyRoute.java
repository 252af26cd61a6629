package org.ibidem.connect.socks;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import org.ibidem.connect.BriefWait;
import org.ibidem.connect.Candidates;
import org.ibidem.connect.HostLookup;
import org.ibidem.connect.Route;
import org.ibidem.connect.SocketPath;
import org.ibidem.task.Tasks;

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
        var last = new IOException("none of its addresses can be connected to");
        for (var where : find(proxy, tasks)) {
            var channel = sockets.open();
            try {
                new BriefWait(tasks).connect(channel, where);
                return channel;
            } catch (IOException e) {
                channel.close();
                last = e;
            }
        }
        throw new ProxyFailed("the proxy itself cannot be reached: " + last.getMessage(), last);
    }

    /// Its addresses, the likely ones first: of one family or the other there may be no way to it.
    private static List<InetSocketAddress> find(ProxyAddress proxy, Tasks tasks) {
        try {
            return Candidates.order(
                    HostLookup.SYSTEM.all(proxy.host(), LOOKUP, tasks).stream()
                            .map(address -> new InetSocketAddress(address, proxy.port()))
                            .toList());
        } catch (IOException e) {
            throw new ProxyFailed("the proxy itself is not found: " + e.getMessage(), e);
        }
    }
}
