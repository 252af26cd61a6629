package org.ibidem.lab.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import org.ibidem.hub.Hub;
import org.ibidem.port.Capability;
import org.ibidem.port.Lost;
import org.ibidem.port.Origin;
import org.ibidem.port.PortType;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.SendPort;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A node leaves in order over a link that loses everything, also the word that nothing follows.
@Timeout(60)
class LostEndTest {
    private final Hub hub = Hub.start(Hub.Options.DEFAULT.port(0));
    private final Node stays = join();
    private final Node leaves = join();

    private Node join() {
        return Node.join(Join.pool("lost ends").hub("localhost:" + hub.port()));
    }

    @AfterEach
    void close() {
        leaves.close();
        stays.close();
        hub.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"loopback", "shm", "tcp"})
    void its_connections_are_not_called_broken(String driver) {
        var type =
                PortType.oneToOne()
                        .without(Capability.RELIABLE)
                        .with(Capability.CONNECTION_DOWNCALLS)
                        .stack("drop(rate=1) > " + driver);
        try (var in = ReceivePort.open(stays, type, "in")) {
            var out = SendPort.open(leaves, type, "out");
            out.connect(stays.id(), "in");
            try (var message = out.newMessage()) {
                message.writeLong(1);
                message.finish();
            }
            leaves.close();
            var lost = new ArrayList<Lost<Origin>>();
            while (lost.isEmpty()) {
                assertThat(in.receive(Duration.ofMillis(10))).isNull();
                lost.addAll(in.lostConnections());
            }
            assertThat(lost).singleElement().matches(end -> !end.broken(), "ended in order");
            assertThat(in.connections()).isEmpty();
        }
    }
}
