package org.ibidem.lab.net;

import java.time.Duration;
import java.util.List;
import org.ibidem.hub.Hub;
import org.ibidem.port.PortType;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.SendPort;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;

/// Does what nearly all processes of the laboratory do: a hub, two nodes, and a message over each
/// network.
final class Training {
    private Training() {}

    public static void main(String[] args) {
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0))) {
            var join = Join.pool("training").hub("localhost:" + hub.port());
            try (var one = Node.join(join);
                    var other = Node.join(join)) {
                for (var stack : List.of("shm", "tcp")) {
                    message(one, other, PortType.oneToOne().stack(stack));
                }
            }
        }
    }

    private static void message(Node one, Node other, PortType type) {
        try (var in = ReceivePort.open(one, type, "in " + type.stack());
                var out = SendPort.open(other, type, "out " + type.stack())) {
            out.connect(one.id(), in.name());
            try (var message = out.newMessage()) {
                message.writeLong(1).finish();
            }
            try (var message = in.receive(Duration.ofSeconds(30))) {
                if (message == null || message.readLong() != 1) {
                    throw new IllegalStateException("no message came over " + type.stack());
                }
            }
        }
    }
}
