package org.ibidem.link.tcp;

import java.io.IOException;
import org.ibidem.link.Domain;
import org.ibidem.link.Driver;
import org.ibidem.link.Link;
import org.ibidem.link.Lower;
import org.ibidem.link.Reach;
import org.ibidem.task.Tasks;

/// The network driver `tcp` (RFC 9293): the byte stream that some connect method made. Its links
/// share nothing, so it is its own domain.
public final class TcpDriver implements Driver, Domain {
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

    @Override
    public Domain domain(Tasks tasks, boolean open) {
        return this;
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
        var path = lower.stream();
        path.tune(tcp.send(), tcp.receive());
        return path;
    }
}
