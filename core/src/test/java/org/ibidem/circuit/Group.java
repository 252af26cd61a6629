package org.ibidem.circuit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.ibidem.arbitration.Threads;
import org.ibidem.service.Identity;
import org.ibidem.service.Station;
import org.ibidem.topology.Contact;
import org.ibidem.topology.NodeId;

/// Nodes without a hub that know where each of them is.
final class Group implements AutoCloseable {
    private final Map<NodeId, Contact> book = new ConcurrentHashMap<>();
    private final Threads threads = new Threads("test");
    final List<Station> stations = new ArrayList<>();

    Group(int size) {
        for (int i = 0; i < size; i++) {
            add(false);
        }
    }

    /// @param far it finds nothing in common with the others but sockets
    Station add(boolean far) {
        var station = new Station(Identity.create(), "test", false, id -> seen(id, far), threads);
        book.put(station.id(), station.contact());
        stations.add(station);
        return station;
    }

    private Contact seen(NodeId id, boolean far) {
        var contact = book.get(id);
        if (contact == null) {
            throw new IllegalStateException("nobody knows " + id);
        }
        return far ? new Contact(contact.id(), contact.addresses(), Map.of()) : contact;
    }

    List<NodeId> ids() {
        return stations.stream().map(Station::id).toList();
    }

    @Override
    public void close() {
        stations.forEach(Station::close);
        threads.close();
    }
}
