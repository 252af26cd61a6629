package org.ibidem.port;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.ibidem.arbitration.Threads;
import org.ibidem.arbitration.WaitPolicy;
import org.ibidem.serial.ObjectPolicy;
import org.ibidem.service.Identity;
import org.ibidem.service.Station;
import org.ibidem.topology.Contact;
import org.ibidem.topology.NodeId;

/// Two nodes without a hub: each knows where the other is.
final class Pair implements AutoCloseable {
    private final Map<NodeId, Contact> book = new ConcurrentHashMap<>();
    private final Threads threads = new Threads("test");
    final Station here = station();
    final Station there = station();

    Station station() {
        return station("test");
    }

    Station station(String pool) {
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
                            return contact;
                        },
                        threads);
        book.put(station.id(), station.contact());
        return station;
    }

    ReceivePort receive(Station station, PortType type, String name) {
        return ReceivePort.open(
                station,
                type,
                name,
                ObjectPolicy.NOTHING_BUT_VALUES.allow("org.ibidem.port.**"),
                WaitPolicy.ADAPTIVE);
    }

    SendPort send(Station station, PortType type, String name) {
        return SendPort.open(station, type, name, WaitPolicy.ADAPTIVE);
    }

    @Override
    public void close() {
        here.close();
        there.close();
        threads.close();
    }
}
