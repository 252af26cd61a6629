package org.example.hello;

import java.time.Duration;
import org.ibidem.messaging.Subject;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;

/// Two processes, one message each way.
public final class Hello {
    static final Subject<String> GREETINGS = Subject.of("greetings", String.class);

    private Hello() {}

    /// Started twice.
    public static void main(String[] args) {
        try (var node = Node.join(Join.fromEnvironment())) {
            var peer = node.awaitMembers(2, Duration.ofSeconds(20)).get(1 - node.rank());
            try (var in = GREETINGS.receiver(node);
                    var out = GREETINGS.sender(node, peer.id())) {
                out.send("hello from " + node.rank());
                System.out.println(in.receive());
            }
        }
    }
}
