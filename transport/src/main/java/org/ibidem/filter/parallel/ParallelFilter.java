package org.ibidem.filter.parallel;

import java.io.IOException;
import java.util.function.Consumer;
import org.ibidem.link.ConnectionFilter;
import org.ibidem.link.ForwardedLower;
import org.ibidem.link.Lower;
import org.ibidem.link.StreamPath;

/// The filter `parallel`: the network driver gets one byte stream that goes over several
/// connections, each made by whatever method reaches the peer.
public final class ParallelFilter implements ConnectionFilter {
    /// Found by its `provides` line.
    public ParallelFilter() {}

    @Override
    public String name() {
        return "parallel";
    }

    @Override
    public Class<Parallel> options() {
        return Parallel.class;
    }

    @Override
    public Lower over(Lower below, Record options) {
        return new Several(below, (Parallel) options);
    }

    private static final class Several extends ForwardedLower {
        private final Parallel options;

        Several(Lower below, Parallel options) {
            super(below);
            this.options = options;
        }

        @Override
        public StreamPath stream() throws IOException {
            var below = below();
            var first = below.stream();
            try {
                var bundle = new Bundle(below.active(), options, below.line(), below.tasks());
                bundle.begin(first, below.again(bundle.seats()::arrived));
                return new ParallelPath(first, bundle);
            } catch (IOException e) {
                first.close();
                throw e;
            }
        }

        @Override
        public StreamPath shared() throws IOException {
            return stream();
        }

        @Override
        public Again again(Consumer<StreamPath> arrived) throws IOException {
            throw new IOException("the ends of this link meet again for 'parallel' alone");
        }
    }
}
