package org.ibidem.lab.model;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.ibidem.port.Origin;
import org.ibidem.port.SendPort;
import org.ibidem.port.Target;
import org.ibidem.registry.Node;

/// A send port, and what the model knows of it.
final class Sender {
    final Node node;
    final SendPort port;
    final Map<Target, Line> lines = new LinkedHashMap<>();

    /// Connections that are over, of which the next message must tell.
    final Set<Target> untold = new HashSet<>();

    Sender(Node node, SendPort port) {
        this.node = node;
        this.port = port;
    }

    Origin origin() {
        return new Origin(node.id(), port.name());
    }

    boolean doubtful() {
        return lines.values().stream().anyMatch(line -> line.doubtful);
    }

    int mostWaiting() {
        return lines.values().stream().mapToInt(Line::bytes).max().orElse(0);
    }

    @Override
    public String toString() {
        return port + " of type " + port.type();
    }
}
