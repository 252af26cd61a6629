package org.ibidem.channel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Consumer;
import org.ibidem.station.Neighbourhood;
import org.ibidem.station.NodeRuntime;

/// Two nodes that know where each other is.
public final class TwoNodes implements AutoCloseable {
    private final Neighbourhood all = new Neighbourhood("test");

    public final NodeRuntime alice = all.runtime();
    public final NodeRuntime bob = all.runtime();

    /// A receiver that takes what comes, and does nothing else.
    ///
    /// @param to gets it
    record Taken(Consumer<InChannel> to) implements Acceptor.Receiver {
        Taken() {
            this(_ -> {});
        }

        @Override
        public void attach(InChannel incoming) {
            to.accept(incoming);
        }

        @Override
        public void failed(String why) {}

        @Override
        public void cancelled(InChannel channel) {
            channel.ended();
        }
    }

    /// Nobody knows where it is from now on.
    void hideBob() {
        all.hide(bob.id());
    }

    @Override
    public void close() {
        for (var runtime : List.of(alice, bob)) {
            Thread.currentThread().interrupt(); // nobody waits for those who use its links
            runtime.channels().close();
            assertThat(Thread.interrupted()).isTrue();
            runtime.close();
        }
        all.close();
    }
}
