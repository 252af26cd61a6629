package org.ibidem.vlink;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.ibidem.arbitration.Threads;
import org.ibidem.service.Identity;
import org.ibidem.service.Station;
import org.ibidem.topology.Contact;
import org.ibidem.topology.NodeId;

/// Two nodes without a hub that know where each other is.
final class Pair implements AutoCloseable {
    private static final AtomicInteger PAIRS = new AtomicInteger();

    private final Map<NodeId, Contact> book = new ConcurrentHashMap<>();

    /// What the names of its threads begin with: other tests run at the same time.
    final String name = "pair " + PAIRS.incrementAndGet();

    private final Threads threads = new Threads(name);
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
