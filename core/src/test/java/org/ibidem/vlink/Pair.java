package org.ibidem.vlink;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.ibidem.arbitration.Threads;
import org.ibidem.service.Identity;
import org.ibidem.service.Station;
import org.ibidem.topology.Contact;
import org.ibidem.topology.NodeId;

/// Two nodes without a hub that know where each other is.
final class Pair implements AutoCloseable {
    private final Map<NodeId, Contact> book = new ConcurrentHashMap<>();
    private final Threads threads = new Threads("test");
    final Station one = station();
    final Station two = station();
    final VLinks from = VLinks.of(one);
    final VLinks to = VLinks.of(two);

    private Station station() {
        var station = new Station(Identity.create(), "test", false, this::where, threads);
        book.put(station.id(), station.contact());
        return station;
    }

    private Contact where(NodeId id) {
        var contact = book.get(id);
        if (contact == null) {
            throw new IllegalStateException("nobody knows " + id);
        }
        return contact;
    }

    @Override
    public void close() {
        one.close();
        two.close();
        threads.close();
    }
}
