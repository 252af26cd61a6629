package org.ibidem.connect.socks;

import java.io.IOException;
import java.net.InetSocketAddress;
import org.ibidem.connect.Route;
import org.ibidem.connect.SocketPath;

/// Whoever comes in at a port that our proxy holds open.
///
/// @param proxy ours
/// @param binding the port
record Bound(ProxyAddress proxy, Binding binding) implements Route {
    @Override
    public InetSocketAddress address() {
        return binding.address();
    }

    @Override
    public String via() {
        return "opened by " + proxy;
    }

    @Override
    public SocketPath connect(Sockets sockets) throws IOException {
        return binding.accept();
    }
}
