package org.ibidem.connect.routed;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.ibidem.connect.Check;
import org.ibidem.connect.ConnectMethod;
import org.ibidem.connect.MethodContext;
import org.ibidem.connect.Race;
import org.ibidem.connect.Relay;
import org.ibidem.connect.Route;
import org.ibidem.connect.Traits;
import org.ibidem.connect.Traits.Firewalls;
import org.ibidem.connect.Traits.Nat;
import org.ibidem.connect.Unreachable;
import org.ibidem.link.Reach;
import org.ibidem.link.StreamPath;
import org.ibidem.topology.Contact;
import org.ibidem.topology.NodeId;

/// Through the hub, which both ends have a connection to.
public final class Routed implements ConnectMethod {
    // Twice the way, and a process between: to be taken when nothing else goes.
    private static final long COST = 200_000;

    /// Called by the service loader.
    public Routed() {}

    @Override
    public String name() {
        return "routed";
    }

    @Override
    public Traits traits() {
        return new Traits(Firewalls.BOTH, Nat.ANY, true, false, true, false);
    }

    @Override
    public Reach reach(Contact peer) {
        return new Reach.Yes(COST);
    }

    @Override
    public <T> T connect(Contact peer, Check<T> check, MethodContext context) {
        var relay = context.relay();
        if (relay == null) {
            throw new Unreachable(
                    "node " + peer.id() + " cannot be reached: there is no hub to route through",
                    List.of());
        }
        var route = new ThroughRelay(relay, peer.id(), context.limit());
        return new Race<>("node " + peer.id(), List.of(route), check, context).run();
    }

    private record ThroughRelay(Relay relay, NodeId peer, Duration limit) implements Route {
        @Override
        public InetSocketAddress address() {
            return relay.address();
        }

        @Override
        public String via() {
            return "(the hub)";
        }

        @Override
        public StreamPath connect(Sockets sockets) throws IOException, InterruptedException {
            return relay.open(peer, limit);
        }
    }
}
