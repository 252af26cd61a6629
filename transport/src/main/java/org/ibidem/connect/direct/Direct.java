package org.ibidem.connect.direct;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.ibidem.config.AddressFamilies;
import org.ibidem.connect.ByDatagrams;
import org.ibidem.connect.Candidates;
import org.ibidem.connect.Check;
import org.ibidem.connect.MethodContext;
import org.ibidem.connect.Race;
import org.ibidem.connect.Route;
import org.ibidem.connect.Traits;
import org.ibidem.connect.Traits.Firewalls;
import org.ibidem.connect.Traits.Nat;
import org.ibidem.connect.Unreachable;
import org.ibidem.link.Datagrams;
import org.ibidem.link.Path;
import org.ibidem.link.Reach;
import org.ibidem.task.Tasks;
import org.ibidem.topology.Contact;

/// Connects to an address the peer listens on.
public final class Direct implements ByDatagrams {
    // What 8 bytes one way take over TCP on one host, roughly: the least this method can give.
    private static final long COST = 10_000;

    /// Called by the service loader.
    public Direct() {}

    @Override
    public String name() {
        return "direct";
    }

    @Override
    public Traits traits() {
        return new Traits(Firewalls.NONE, Nat.CLIENT, true, true, false, false);
    }

    @Override
    public Reach reach(Contact peer) {
        if (peer.addresses().isEmpty()) {
            return new Reach.No("it published no address to connect to");
        }
        var candidates = Candidates.order(peer.addresses());
        if (candidates.isEmpty()) {
            return new Reach.No("none of its addresses can be connected to: " + peer.addresses());
        }
        return candidates.stream().anyMatch(each -> AddressFamilies.has(each.getAddress()))
                ? new Reach.Yes(COST)
                : new Reach.No("it has IPv6 addresses alone, and " + AddressFamilies.whyNoIpv6());
    }

    @Override
    public <T> T connect(Contact peer, Check<T> check, MethodContext context) {
        return race("node " + peer.id(), peer.addresses(), check, context.tasks(), context.limit());
    }

    @Override
    public <T> T connectByDatagrams(Contact peer, Check<T> check, MethodContext context) {
        var datagrams = context.datagrams();
        var addresses =
                datagrams == null ? List.<InetSocketAddress>of() : datagrams.addresses(peer);
        var routes =
                Candidates.order(addresses).stream()
                        .map(address -> new ByDatagram(Objects.requireNonNull(datagrams), address))
                        .toList();
        if (routes.isEmpty()) {
            throw new Unreachable(
                    "node " + peer.id() + " cannot be reached: it takes no datagrams anywhere",
                    List.of());
        }
        return new Race<>("node " + peer.id(), routes, check, context).run();
    }

    /// To the peer's socket for datagrams.
    private record ByDatagram(Datagrams datagrams, InetSocketAddress address) implements Route {
        @Override
        public Path connect(Sockets sockets) throws IOException {
            return datagrams.begin(address);
        }

        @Override
        public String via() {
            return "by datagrams";
        }
    }

    /// The same for somebody whose id is not known, only addresses.
    ///
    /// @param whom for messages: `hub example.org:8888`
    /// @throws Unreachable with every address tried and why each failed
    public static <T> T race(
            String whom,
            List<InetSocketAddress> addresses,
            Check<T> check,
            Tasks tasks,
            Duration limit) {
        var candidates = Candidates.order(addresses);
        if (candidates.isEmpty()) {
            throw new Unreachable(
                    whom + " cannot be reached: there is no address to connect to in " + addresses,
                    List.of());
        }
        var routes = candidates.stream().map(each -> Route.to(each, tasks)).toList();
        return new Race<>(whom, routes, check, new MethodContext(tasks, limit)).run();
    }
}
