package org.ibidem.station;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.ibidem.arbitration.Threads;
import org.ibidem.identity.Identity;
import org.ibidem.topology.Contact;
import org.ibidem.topology.NodeId;

/// Nodes without a hub: each knows where the others are.
public final class Neighbourhood implements AutoCloseable {
    private final Map<NodeId, Contact> book = new ConcurrentHashMap<>();
    private final Threads threads;

    /// @param name what the names of its threads begin with
    public Neighbourhood(String name) {
        threads = new Threads(name);
    }

    /// One more, that sees the contacts of the others as they are.
    public NodeRuntime runtime() {
        return runtime("test", UnaryOperator.identity());
    }

    /// One more.
    ///
    /// @param seen as what it sees the contacts of the others
    public NodeRuntime runtime(String pool, UnaryOperator<Contact> seen) {
        var runtime =
                NodeRuntime.begun(
                        Identity.create(), pool, false, id -> seen.apply(where(id)), threads);
        book.put(runtime.id(), runtime.contact());
        return runtime;
    }

    private Contact where(NodeId id) {
        var contact = book.get(id);
        if (contact == null) {
            throw new IllegalStateException("nobody knows " + id);
        }
        return contact;
    }

    /// The same node for one that finds nothing in common with it but sockets, as if it were far
    /// away.
    public static Contact withoutPlaces(Contact contact) {
        return new Contact(contact.id(), contact.addresses(), Map.of());
    }

    /// Nobody knows where it is from now on.
    public void hide(NodeId id) {
        book.put(id, new Contact(id, List.of(), Map.of()));
    }

    /// The nodes are closed before.
    @Override
    public void close() {
        threads.close();
    }
}
