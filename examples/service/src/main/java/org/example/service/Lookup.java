package org.example.service;

import java.time.Duration;
import org.ibidem.messaging.CallFailed;
import org.ibidem.messaging.Procedure;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;

/// A service: whoever wins the election serves, the others ask it.
public final class Lookup {
    static final Procedure<Integer, String> LOOKUP =
            Procedure.of("lookup", Integer.class, String.class);

    private Lookup() {}

    /// Started as often as wanted; each with how many questions it asks.
    public static void main(String[] args) throws InterruptedException {
        try (var node = Node.join(Join.fromEnvironment())) {
            var winner = node.elections().elect("lookup").winner();
            if (winner.id().equals(node.id())) {
                serve(node);
                return;
            }
            int answered = 0;
            int late = 0;
            try (var lookup = LOOKUP.caller(node, winner.id())) {
                for (int i = 0; i < Integer.parseInt(args[0]); i++) {
                    try {
                        lookup.call(i, Duration.ofMillis(i % 10 == 9 ? 5 : 2_000));
                        answered++;
                    } catch (CallFailed e) { // e.why() is TIME here; a dead server is GONE
                        late++;
                    }
                }
            }
            System.out.println(answered + " answered, " + late + " late");
        }
    }

    /// Four at a time; clients come, die and go. Until the pool is terminated.
    private static void serve(Node node) {
        try (var server = LOOKUP.server(node, 4, Lookup::answer)) {
            node.awaitTerminated(Duration.ofMinutes(10));
            System.out.println("served " + (server.answered() > 0));
        }
    }

    private static String answer(int question) throws InterruptedException {
        Thread.sleep(question % 10 == 9 ? 500 : 1); // some take long
        return "answer " + question;
    }
}
