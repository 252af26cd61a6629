package org.ibidem.link;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.Consumer;
import org.ibidem.topology.Contact;

/// An ability of domains: a node's paths of datagrams begin and arrive here.
public interface Datagrams {
    /// Where this peer may be reached, as far as its contact says; likely ones first.
    List<InetSocketAddress> addresses(Contact peer);

    /// Begins a path. Nothing is sent before something is written to it.
    ///
    /// @throws IOException when no more can be begun now
    DatagramPath begin(InetSocketAddress to) throws IOException;

    /// Who gets the paths that others begin. Until somebody does they are not answered.
    void welcome(Consumer<DatagramPath> visitors);
}
