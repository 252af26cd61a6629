package org.ibidem.service;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.ibidem.connect.Candidates;
import org.ibidem.connect.Means;
import org.ibidem.connect.Race;
import org.ibidem.connect.Route;
import org.ibidem.connect.Unreachable;
import org.ibidem.connect.socks.Socks;
import org.ibidem.link.Tasks;

/// Where a hub is: to be connected to at any of its addresses, or out through a proxy.
///
/// @param host name or address
/// @param port its port
public record HubPlace(String host, int port) {

    /// Connects to it.
    ///
    /// @throws Unreachable when it has no address, or none of them, nor a proxy, leads to a hub
    ///   that takes the connection; with every way tried
    public Proved dial(Handshake handshake, Hello hello, Tasks tasks, Duration limit) {
        var routes = routes();
        if (routes.isEmpty()) {
            throw new Unreachable("hub " + this + ": no host is called '" + host + "'", List.of());
        }
        return new Race<Proved>(
                        "hub " + this,
                        routes,
                        channel -> handshake.begin(channel, hello)::finish,
                        new Means(tasks, limit))
                .run();
    }

    /// Its addresses that can be connected to.
    public List<InetSocketAddress> addresses() {
        try {
            return Candidates.order(
                    Arrays.stream(InetAddress.getAllByName(host))
                            .map(address -> new InetSocketAddress(address, port))
                            .toList());
        } catch (UnknownHostException _) {
            return List.of();
        }
    }

    /// Straight, then through proxies; who may know the name when this machine does not.
    private List<Route> routes() {
        var straight = addresses();
        var routes = new ArrayList<Route>(straight.stream().map(Route::to).toList());
        var targets =
                straight.isEmpty()
                        ? Stream.of(InetSocketAddress.createUnresolved(host, port))
                        : straight.stream();
        routes.addAll(Socks.routes(targets.toList()));
        return routes;
    }

    @Override
    public String toString() {
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }
}
