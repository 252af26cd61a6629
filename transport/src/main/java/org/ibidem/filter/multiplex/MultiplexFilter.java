package org.ibidem.filter.multiplex;

import java.io.IOException;
import org.ibidem.link.ConnectionFilter;
import org.ibidem.link.ForwardedLower;
import org.ibidem.link.Lower;
import org.ibidem.link.StreamPath;

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

    @Override
    public boolean shares() {
        return true;
    }

    private static final class Shared extends ForwardedLower {
        Shared(Lower below) {
            super(below);
        }

        @Override
        public StreamPath stream() throws IOException {
            return below().shared();
        }
    }
}
