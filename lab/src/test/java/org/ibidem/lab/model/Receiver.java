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
    boolean upcallsEnabled = true;

    /// Upcalls that there can be while they are disabled.
    long mostMade;

    /// Connections made and over of which the port has not told yet; with downcalls.
    final List<Origin> untoldNew = new ArrayList<>();

    final List<Origin> untoldLost = new ArrayList<>();

    /// Upcalls that were taken from the queue.
    long handled;

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

    boolean hasPolledUpcall() {
        return port.type().has(Capability.POLLED_UPCALLS);
    }

    /// Upcalls so far.
    long made() {
        return handled + upcalls.size();
    }

    /// Whether its end will be read, as nothing is owed: also where messages were lost. Of what may
    /// break, only the port knows.
    boolean mustEnd(Line line) {
        boolean lossy = line.doubtful && !Types.breaks(port.type());
        return line.ended && (lossy || line.waiting.isEmpty());
    }

    /// A sender of it died, of which it may not know yet.
    boolean mayBreak() {
        return Types.breaks(port.type()) || lines.stream().anyMatch(line -> line.broken);
    }

    /// Whether whoever wants its one place has to wait until what was sent before is received.
    boolean isLeft() {
        boolean one = !port.type().connections().toString().startsWith("many");
        return one && !lines.isEmpty() && lines.stream().allMatch(line -> line.ended);
    }

    boolean owed() {
        return lines.stream().anyMatch(Line::owes);
    }

    long linesOf(Origin origin) {
        return lines.stream().filter(line -> line.origin.equals(origin)).count();
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
            // An upcall may still be made with a message that was read before, or half of it.
            lines.removeIf(line ->
                    line.seen
                            && !there.contains(line.origin)
                            && (!hasUpcall() || line.waiting.isEmpty()));
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
