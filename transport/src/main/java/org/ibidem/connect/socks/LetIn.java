package org.ibidem.connect.socks;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.ibidem.connect.Broker;
import org.ibidem.connect.Route;
import org.ibidem.connect.SocketPath;
import org.ibidem.connect.socks.Plea.What;
import org.ibidem.task.Tasks;

/// Our proxy opens a port, and the peer is asked to connect to it.
///
/// @param proxy ours
/// @param broker reaches the peer
/// @param method the name of this method at the peer
/// @param tasks look up names
record LetIn(ProxyAddress proxy, Broker broker, String method, Tasks tasks) implements Route {
    static final Duration PLEA = Duration.ofSeconds(5);

    @Override
    public InetSocketAddress address() {
        return InetSocketAddress.createUnresolved(proxy.host(), proxy.port());
    }

    @Override
    public String via() {
        return "asked to let the peer in:";
    }

    @Override
    public SocketPath connect(Sockets sockets) throws IOException {
        var binding = Binding.open(proxy, sockets, tasks);
        broker.propose(method, new Plea(What.DIAL, binding.address()).encode(), PLEA);
        return binding.accept();
    }
}
