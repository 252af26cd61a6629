package org.ibidem.link.tcp;

import java.io.IOException;
import java.net.StandardSocketOptions;
import org.ibidem.link.Driver;
import org.ibidem.link.Link;
import org.ibidem.link.Lower;
import org.ibidem.link.Reach;

/// The network driver `tcp` (RFC 9293): a byte stream over the connection that some connect method
/// made.
public final class TcpDriver implements Driver {
    private static final long COST = 5_000;

    /// Found by its `provides` line.
    public TcpDriver() {}

    @Override
    public String name() {
        return "tcp";
    }

    @Override
    public Class<Tcp> options() {
        return Tcp.class;
    }

    /// Nothing: addresses are the connect methods' affair.
    @Override
    public String place() {
        return "";
    }

    @Override
    public Reach reach(String there) {
        return new Reach.Yes(COST);
    }

    @Override
    public Link open(Lower lower, Record options) throws IOException {
        var tcp = (Tcp) options;
        var socket = lower.socket();
        socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
        if (tcp.send() > 0) {
            socket.setOption(StandardSocketOptions.SO_SNDBUF, tcp.send());
        }
        if (tcp.receive() > 0) {
            socket.setOption(StandardSocketOptions.SO_RCVBUF, tcp.receive());
        }
        return new TcpStream(socket);
    }
}
