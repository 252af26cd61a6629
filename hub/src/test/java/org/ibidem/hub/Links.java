package org.ibidem.hub;

import java.io.IOException;
import org.ibidem.arbitration.Threads;
import org.ibidem.control.ControlLink;
import org.ibidem.link.StreamPath;
import org.ibidem.registry.Node;
import org.ibidem.registry.access.Runtimes;

/// Breaks a node's connection to its hub the ways networks and dying processes do: under the feet
/// of both.
final class Links {
    private Links() {}

    /// As when the process ends: end of stream, without goodbye.
    static void cut(Node node) {
        with(node, StreamPath::end);
    }

    /// As when a firewall or a crashed system answers: reset.
    static void reset(Node node) {
        with(node, StreamPath::reset);
    }

    /// As when the process ends while its hub is away: it does not come back, and says nothing.
    static void silence(Node node) {
        try {
            ((Threads) field(node, "tasks")).close();
            Runtimes.of(node).close();
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("the test knows the product no more", e);
        }
    }

    /// A reset for any link.
    static void reset(ControlLink link) {
        link.proved().stream().reset();
    }

    private interface Act {
        void on(StreamPath path) throws IOException;
    }

    private static void with(Node node, Act act) {
        try {
            act.on(path(node));
        } catch (IOException | ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    // Nothing in the product hands a node's hub connection out, so the test takes it.
    private static StreamPath path(Node node) throws ReflectiveOperationException {
        var connection = field(node, "connection");
        if (connection != null) {
            return (StreamPath) field(field(connection, "trunk"), "path");
        }
        var uplink = field(node, "uplink");
        return ((ControlLink) field(uplink, "link")).proved().stream();
    }

    private static Object field(Object of, String name) throws ReflectiveOperationException {
        var field = of.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return field.get(of);
    }
}
