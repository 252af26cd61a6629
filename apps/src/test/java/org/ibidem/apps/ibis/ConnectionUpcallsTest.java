package org.ibidem.apps.ibis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.ibidem.port.Capability;
import org.ibidem.port.ConnectRefused;
import org.ibidem.port.ConnectionUpcall;
import org.ibidem.port.Lost;
import org.ibidem.port.Origin;
import org.ibidem.port.PortType;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.ReceiveSetup;
import org.ibidem.port.SendPort;
import org.ibidem.port.SendSetup;
import org.ibidem.registry.Node;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A port that chooses who may connect and is told who has gone; a port that is told its receiver
/// has closed; and ports of different types, which do not connect.
@Timeout(60)
class ConnectionUpcallsTest {
    private static final PortType TYPE = PortType.manyToOne().with(Capability.CONNECTION_UPCALLS);

    private record Doorman(BlockingQueue<String> book) implements ConnectionUpcall {
        @Override
        public boolean connecting(ReceivePort port, Origin from) {
            book.add(from.port() + " knocks");
            return from.port().equals("guest");
        }

        @Override
        public void lost(ReceivePort port, Lost<Origin> connection) {
            book.add(connection.peer().port() + " has gone");
        }
    }

    @Test
    void a_doorman_lets_guests_in_and_sees_them_out() throws Exception {
        var book = new LinkedBlockingQueue<String>();
        var setup = ReceiveSetup.USUAL.connections(new Doorman(book));
        try (var pool = new Pool();
                var host = Node.join(pool.join());
                var visitor = Node.join(pool.join());
                var in = ReceivePort.open(host, TYPE, "door", setup)) {
            try (var guest = SendPort.open(visitor, TYPE, "guest");
                    var burglar = SendPort.open(visitor, TYPE, "burglar")) {
                guest.connect(host.id(), "door");
                assertThatThrownBy(() -> burglar.connect(host.id(), "door"))
                        .isInstanceOfSatisfying(
                                ConnectRefused.class,
                                refused ->
                                        assertThat(refused.why())
                                                .isEqualTo(ConnectRefused.Why.UNWANTED));
            }
            while (book.size() < 3) {
                assertThat(in.poll()).isNull(); // its end is read, as a message would be
                Thread.onSpinWait();
            }
            assertThat(book).containsExactly("guest knocks", "burglar knocks", "guest has gone");
        }
    }

    @Test
    void a_sender_is_told_that_its_receiver_has_closed() throws Exception {
        var told = new LinkedBlockingQueue<String>();
        var setup = SendSetup.USUAL.lost((_, connection) -> told.add(connection.toString()));
        try (var pool = new Pool();
                var host = Node.join(pool.join());
                var visitor = Node.join(pool.join());
                var out = SendPort.open(visitor, TYPE, "guest", setup)) {
            try (var in = ReceivePort.open(host, TYPE, "door")) {
                out.connect(host.id(), in.name());
            }
            assertThat(told.poll(40, TimeUnit.SECONDS)).contains("door", "was closed");
        }
    }

    @Test
    void ports_of_different_types_do_not_connect_and_say_why() {
        try (var pool = new Pool();
                var host = Node.join(pool.join());
                var in = ReceivePort.open(host, TYPE, "door");
                var out = SendPort.open(host, PortType.oneToOne(), "stranger")) {
            assertThatThrownBy(() -> out.connect(host.id(), in.name()))
                    .isInstanceOf(ConnectRefused.class)
                    .hasMessageContaining("connections: many-to-one here, one-to-one there");
        }
    }
}
