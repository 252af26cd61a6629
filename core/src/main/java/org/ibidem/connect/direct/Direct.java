package org.ibidem.connect.direct;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.ibidem.connect.Check;
import org.ibidem.connect.ConnectMethod;
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
    public Reach reach(Contact peer) {
        if (peer.addresses().isEmpty()) {
            return new Reach.No("it published no address to connect to");
        }
        return Candidates.order(peer.addresses(), mine()).isEmpty()
                ? new Reach.No("none of its addresses can be connected to: " + peer.addresses())
                : new Reach.Yes(COST);
    }

    @Override
    public <T> T connect(Contact peer, Check<T> check, Tasks tasks, Duration limit) {
        return race("node " + peer.id(), peer.addresses(), check, tasks, limit);
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
        var candidates = Candidates.order(addresses, mine());
        if (candidates.isEmpty()) {
            throw new Unreachable(
                    whom + " cannot be reached: there is no address to connect to in " + addresses,
                    List.of());
        }
        return new Race<>(whom, candidates, check, tasks, limit).run();
    }

    private static Set<InetAddress> mine() {
        try {
            return new HashSet<>(LocalAddresses.usable());
        } catch (IOException _) {
            return Set.of(); // then nobody is taken to be on this host, and loopback is the last
            // resort
        }
    }
}
