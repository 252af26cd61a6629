package org.ibidem.filter.multiplex;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import org.ibidem.link.ConnectionFilter;
import org.ibidem.link.Lower;
import org.ibidem.link.Tasks;
import org.ibidem.link.Terms;

/// The filter `multiplex`: the network driver gets a stream of the one connection that all links
/// between the two nodes share, instead of a connection of its own.
public final class MultiplexFilter implements ConnectionFilter {
    /// Found by its `provides` line.
    public MultiplexFilter() {}

    @Override
    public String name() {
        return "multiplex";
    }

    @Override
    public Class<Multiplex> options() {
        return Multiplex.class;
    }

    @Override
    public Lower over(Lower below, Record options) {
        return new Shared(below);
    }

    private record Shared(Lower below) implements Lower {
        @Override
        public boolean active() {
            return below.active();
        }

        @Override
        public String key() {
            return below.key();
        }

        @Override
        public SocketChannel socket() throws IOException {
            return below.shared();
        }

        @Override
        public Tasks tasks() {
            return below.tasks();
        }

        @Override
        public Terms terms() {
            return below.terms();
        }
    }
}
