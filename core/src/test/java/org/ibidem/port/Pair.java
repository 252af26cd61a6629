package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.ibidem.arbitration.Threads;
import org.ibidem.arbitration.WaitPolicy;
import org.ibidem.serial.ObjectPolicy;
import org.ibidem.service.Identity;
import org.ibidem.service.ServiceFailed;
import org.ibidem.service.Station;
import org.ibidem.topology.Contact;
import org.ibidem.topology.NodeId;

/// Two nodes without a hub: each knows where the other is.
final class Pair implements AutoCloseable {
    private final Map<NodeId, Contact> book = new ConcurrentHashMap<>();
    private final Threads threads = new Threads("test");
    final Station here = station();
    final Station there = station();

    /// How a connect is refused. One to which no answer came in time, as the machine stood still,
    /// is asked again.
    static ConnectRefused refused(ThrowingCallable connect) {
        var thrown = catchThrowable(connect);
        while (thrown instanceof ServiceFailed) {
            thrown = catchThrowable(connect);
        }
        assertThat(thrown).isInstanceOf(ConnectRefused.class);
        return (ConnectRefused) thrown;
    }

    Station station() {
        return station("test");
    }

    Station station(String pool) {
        return station(pool, UnaryOperator.identity());
    }

    /// One that finds nothing in common with the others but sockets, as if it were far away.
    Station withoutPlaces() {
        return station("test", contact -> new Contact(contact.id(), contact.addresses(), Map.of()));
    }

    /// One for which only this other one is so.
    Station withoutPlacesOf(Station other) {
        return station(
                "test",
                contact ->
                        contact.id().equals(other.id())
                                ? new Contact(contact.id(), contact.addresses(), Map.of())
                                : contact);
    }

    /// One that finds this other one at another address.
    Station station(Station other, InetSocketAddress address) {
        return station(
                "test",
                contact ->
                        contact.id().equals(other.id())
                                ? new Contact(contact.id(), List.of(address), contact.places())
                                : contact);
    }

    private Station station(String pool, UnaryOperator<Contact> seen) {
        var station =
                new Station(
                        Identity.create(),
                        pool,
                        false,
                        id -> {
                            var contact = book.get(id);
                            if (contact == null) {
                                throw new IllegalStateException("nobody knows " + id);
                            }
                            return seen.apply(contact);
                        },
                        threads);
        book.put(station.id(), station.contact());
        return station;
    }

    ReceivePort receive(Station station, PortType type, String name) {
        return receive(station, type, name, ReceiveSetup.USUAL);
    }

    ReceivePort receive(Station station, PortType type, String name, ReceiveSetup setup) {
        return ReceivePort.open(
                station,
                type,
                name,
                setup.allow(ObjectPolicy.NOTHING_BUT_VALUES.allow("org.ibidem.port.**"))
                        .waiting(WaitPolicy.ADAPTIVE));
    }

    SendPort send(Station station, PortType type, String name) {
        return send(station, type, name, SendSetup.USUAL);
    }

    SendPort send(Station station, PortType type, String name, SendSetup setup) {
        return SendPort.open(station, type, name, setup.waiting(WaitPolicy.ADAPTIVE));
    }

    @Override
    public void close() {
        here.close();
        there.close();
        threads.close();
    }
}
