package org.ibidem.accept;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.ibidem.connect.Candidates;
import org.ibidem.connect.HostLookup;
import org.ibidem.connect.MethodContext;
import org.ibidem.connect.Race;
import org.ibidem.connect.Route;
import org.ibidem.connect.Unreachable;
import org.ibidem.connect.socks.Socks;
import org.ibidem.handshake.Handshake;
import org.ibidem.handshake.Hello;
import org.ibidem.handshake.Proved;
import org.ibidem.task.Tasks;
import org.ibidem.task.VitalTasks;

/// Where a hub is: to be connected to at any of its addresses, or out through a proxy.
///
/// @param host name or address
/// @param port its port
public record HubPlace(String host, int port) {
    private static final System.Logger LOG = System.getLogger(HubPlace.class.getName());

    /// Reads one as people write it: `host:port`, an IPv6 host in brackets.
    ///
    /// @throws IllegalArgumentException that says how it is written
    public static HubPlace parse(String text) {
        int colon = text.lastIndexOf(':');
        var host = colon < 0 ? "" : text.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        } else if (host.indexOf(':') >= 0) {
            throw wrong(text);
        }
        if (host.isBlank() || host.length() > 255) {
            throw wrong(text);
        }
        return new HubPlace(host, port(text, text.substring(colon + 1)));
    }

    private static int port(String text, String digits) {
        try {
            int port = Integer.parseInt(digits);
            if (port > 0 && port <= 0xFFFF) {
                return port;
            }
        } catch (NumberFormatException _) {
            // said below
        }
        throw wrong(text);
    }

    private static IllegalArgumentException wrong(String text) {
        return new IllegalArgumentException(
                "a hub's address is host:port with a port from 1 to 65535, an IPv6 host in brackets, not '"
                        + text
                        + "'");
    }

    /// Connects to it.
    ///
    /// @throws Unreachable when it has no address, or none of them, nor a proxy, leads to a hub
    ///   that takes the connection; with every way tried
    public Proved dial(Handshake handshake, Hello hello, Tasks tasks, Duration limit) {
        long end = tasks.deadline(limit);
        var routes = routes(tasks, limit);
        var left = Duration.ofNanos(Math.max(1, end - tasks.nanoTime()));
        return new Race<Proved>(
                        "hub " + this,
                        routes,
                        path -> handshake.begin(path, hello)::finish,
                        new MethodContext(new VitalTasks(tasks), left))
                .run();
    }

    /// Its addresses that can be connected to; none where they are not known in time.
    public List<InetSocketAddress> addresses(Tasks tasks, Duration limit) {
        try {
            return find(tasks, limit);
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "{0}: {1}", this, e.getMessage());
            return List.of();
        }
    }

    private List<InetSocketAddress> find(Tasks tasks, Duration limit) throws IOException {
        return Candidates.order(
                HostLookup.SYSTEM.all(host, limit, tasks).stream()
                        .map(address -> new InetSocketAddress(address, port))
                        .toList());
    }

    /// Straight, then through proxies; who may know the name when this machine does not, and get
    /// half of the time then.
    private List<Route> routes(Tasks tasks, Duration limit) {
        var named = List.of(InetSocketAddress.createUnresolved(host, port));
        var proxied = Socks.routes(named, tasks);
        try {
            var straight = find(tasks, proxied.isEmpty() ? limit : limit.dividedBy(2));
            var routes =
                    new ArrayList<Route>(
                            straight.stream().map(address -> Route.to(address, tasks)).toList());
            routes.addAll(Socks.routes(straight, tasks));
            return routes;
        } catch (IOException e) {
            if (proxied.isEmpty()) {
                throw new Unreachable("hub " + this + ": " + e.getMessage(), List.of());
            }
            return proxied;
        }
    }

    @Override
    public String toString() {
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }
}
