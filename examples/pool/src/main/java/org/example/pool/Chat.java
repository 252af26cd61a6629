package org.example.pool;

import java.nio.file.Path;
import java.time.Duration;
import org.ibidem.hub.Hub;
import org.ibidem.messaging.Subject;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;

/// A pool without the launcher, whose members outlive their hub.
public final class Chat {
    static final Subject<String> LINES = Subject.of("lines", String.class);

    private Chat() {}

    /// `hub PORT FOLDER`, or `member HUB NAME COUNT`: says `NAME 0` to `NAME COUNT-1`, one each 10
    /// ms, and prints what it hears.
    public static void main(String[] args) throws InterruptedException {
        if (args[0].equals("hub")) {
            var options = Hub.Options.DEFAULT.port(Integer.parseInt(args[1]));
            try (var hub = Hub.start(options.state(Path.of(args[2])))) {
                System.out.println("hub at port " + hub.port());
                new java.util.concurrent.CountDownLatch(1).await(); // until it is killed
            }
        }
        try (var node = Node.join(Join.pool("chat").hub(args[1]));
                var lines = LINES.poolPort(node, System.out::println)) {
            node.awaitMembers(2, Duration.ofSeconds(20));
            for (int i = 0; i < Integer.parseInt(args[3]); i++) {
                lines.send(args[2] + " " + i); // whoever is there; the hub need not be
                Thread.sleep(10);
            }
            System.out.println(args[2] + " is done");
        }
    }
}
