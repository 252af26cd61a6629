package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.ibidem.arbitration.WaitInterrupted;
import org.ibidem.connect.Unreachable;
import org.ibidem.control.ServiceFailed;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Who waits for a connection in vain is told by one exception, with the limit that the program
/// gave and what was waited for.
@Timeout(60)
class NotInTimeTest {
    private static final Duration SHORT = Duration.ofMillis(300);

    private final PortType type =
            PortType.oneToOne().stack("tcp").with(Capability.CONNECTION_UPCALLS);
    private final Pair pair = new Pair();
    private final CountDownLatch decided = new CountDownLatch(1);

    @BeforeEach
    void open() {
        // so that the limit is spent on the port
        pair.here.ping(pair.there.id(), Duration.ofSeconds(20));
        pair.receive(pair.there, type, "in", ReceiveSetup.USUAL.connections(new Undecided()));
    }

    private final class Undecided implements ConnectionUpcall {
        @Override
        public boolean connecting(ReceivePort port, Origin from) {
            try {
                decided.await();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
            return true;
        }
    }

    @AfterEach
    void close() {
        decided.countDown();
        pair.close();
    }

    @Test
    void a_port_that_does_not_decide() {
        try (var out = pair.send(pair.here, type, "out")) {
            assertThatThrownBy(() -> out.connect(pair.there.id(), "in", SHORT))
                    .isInstanceOf(Unreachable.class)
                    .hasMessage(
                            "no connection to port 'in' of node %1$s (limit 300 ms):"
                                    + " node %1$s did not answer in time",
                            pair.there.id().brief())
                    .hasCauseInstanceOf(ServiceFailed.class);
        }
    }

    @Test
    void who_is_interrupted_meanwhile_is_told_that() {
        try (var out = pair.send(pair.here, type, "out")) {
            Thread.currentThread().interrupt();
            var thrown = catchThrowable(() -> out.connect(pair.there.id(), "in", SHORT));
            assertThat(Thread.interrupted()).isTrue();
            assertThat(thrown).isInstanceOf(WaitInterrupted.class);
        }
    }

    @Test
    void a_node_that_is_reached_nowhere() {
        var gone = pair.runtime();
        NodeId id = gone.id();
        gone.close();
        try (var out = pair.send(pair.here, type, "out")) {
            assertThatThrownBy(() -> out.connect(id, "in"))
                    .isInstanceOfSatisfying(
                            Unreachable.class,
                            thrown -> assertThat(thrown.getCause()).isInstanceOf(Unreachable.class))
                    .hasMessageContaining("(limit 20 s): node " + id + " cannot be reached");
        }
    }
}
