package org.ibidem.connect.direct;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.ibidem.connect.Candidates;
import org.ibidem.connect.Check;
import org.ibidem.connect.ConnectMethod;
import org.ibidem.connect.Means;
import org.ibidem.connect.Race;
import org.ibidem.connect.Route;
import org.ibidem.connect.Traits;
import org.ibidem.connect.Traits.Firewalls;
import org.ibidem.connect.Traits.Nat;
import org.ibidem.connect.Unreachable;
import org.ibidem.link.Reach;
import org.ibidem.link.Tasks;
import org.ibidem.topology.Contact;

/// Connects to an address the peer listens on.
public final class Direct implements ConnectMethod {
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
        return Candidates.order(peer.addresses()).isEmpty()
                ? new Reach.No("none of its addresses can be connected to: " + peer.addresses())
                : new Reach.Yes(COST);
    }

    @Override
    public <T> T connect(Contact peer, Check<T> check, Means means) {
        return race("node " + peer.id(), peer.addresses(), check, means.tasks(), means.limit());
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
        var routes = candidates.stream().map(Route::to).toList();
        return new Race<>(whom, routes, check, new Means(tasks, limit)).run();
    }
}
