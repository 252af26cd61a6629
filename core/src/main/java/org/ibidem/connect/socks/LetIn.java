package org.ibidem.connect.socks;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import org.ibidem.connect.Broker;
import org.ibidem.connect.Route;
import org.ibidem.connect.socks.Plea.What;

/// Our proxy opens a port, and the peer is asked to connect to it.
///
/// @param proxy ours
/// @param broker reaches the peer
/// @param method the name of this method at the peer
record LetIn(ProxyAddress proxy, Broker broker, String method) implements Route {
    static final Duration PLEA = Duration.ofSeconds(5);

    @Override
    public InetSocketAddress address() {
        return InetSocketAddress.createUnresolved(proxy.host(), proxy.port());
    }

    @Override
    public String via() {
        return "asked to let the peer in";
    }

    @Override
    public SocketChannel connect(Sockets sockets) throws IOException {
        var binding = Binding.open(proxy, sockets);
        broker.propose(method, new Plea(What.DIAL, binding.address()).encode(), PLEA);
        return binding.accept();
    }
}
