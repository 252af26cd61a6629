package org.ibidem.lab.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import org.ibidem.port.Capability;
import org.ibidem.port.Origin;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.Target;
import org.ibidem.registry.Node;

/// A receive port, and what the model knows of it.
final class Receiver {
    final Node node;
    final ReceivePort port;
    final List<Line> lines = new ArrayList<>();
    final Map<Origin, Long> numbers = new HashMap<>();
    boolean accepting = true;

    /// What was handed to its upcall, already checked; or how that failed.
    final LinkedBlockingQueue<Object> upcalls;

    Receiver(Node node, ReceivePort port, LinkedBlockingQueue<Object> upcalls) {
        this.node = node;
        this.port = port;
        this.upcalls = upcalls;
    }

    Target target() {
        return new Target(node.id(), port.name());
    }

    boolean hasUpcall() {
        return port.type().has(Capability.UPCALLS);
    }

    boolean owed() {
        return lines.stream().anyMatch(Line::owes);
    }

    /// The connection over which this letter came.
    Line lineOf(Origin origin, long id) {
        return lines.stream()
                .filter(line -> line.origin.equals(origin) && line.has(id))
                .findFirst()
                .orElseThrow(() -> new AssertionError("message " + id + " from " + origin));
    }

    /// Forgets connections that may break and that the port had, but has not any more.
    void forgetGone() {
        if (Types.breaks(port.type())) {
            var there = port.connections();
            lines.removeIf(line -> line.seen && !there.contains(line.origin));
            lines.forEach(line -> line.seen |= there.contains(line.origin));
        }
    }

    /// Whether the port has as many connections as the model, apart from those that have ended.
    boolean knowsAll() {
        var there = new ArrayList<>(port.connections());
        return lines.stream().allMatch(line -> line.ended || there.remove(line.origin));
    }

    @Override
    public String toString() {
        return port + " of type " + port.type();
    }
}
