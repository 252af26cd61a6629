package org.example.quotes;

import java.io.Serializable;
import java.time.Duration;
import org.ibidem.messaging.Overflow;
import org.ibidem.messaging.Subject;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;

/// One publishes; the others subscribe, and the last of them is slow.
public final class Quotes {
    record Quote(String symbol, int version) implements Serializable {}

    static final Subject<Quote> QUOTES = Subject.of("quotes", Quote.class).lossy();
    static final int COUNT = 10_000;

    private Quotes() {}

    /// Started three times.
    public static void main(String[] args) throws InterruptedException {
        try (var node = Node.join(Join.fromEnvironment())) {
            var members = node.awaitMembers(3, Duration.ofSeconds(20));
            if (node.rank() == 0) {
                publish(node);
                return;
            }
            int got = 0;
            int newest = 0;
            try (var quotes = QUOTES.subscriber(node, members.getFirst().id())) {
                for (var quote : quotes) { // until the publisher closes
                    got++;
                    newest = Math.max(newest, quote.version());
                    Thread.sleep(node.rank() == 2 ? 5 : 0);
                }
            }
            System.out.println(node.rank() + (got < COUNT ? " missed some" : " got all") + ", newest " + newest);
        }
    }

    private static void publish(Node node) throws InterruptedException {
        var newest = Overflow.<Quote>conflate(Quote::symbol).retain();
        try (var publisher = QUOTES.publisher(node, newest)) {
            while (publisher.deliveries().size() < 2) {
                Thread.sleep(1);
            }
            for (int i = 0; i < COUNT; i++) {
                publisher.publish(new Quote(i % 2 == 0 ? "IBD" : "NET", i));
                Thread.sleep(Duration.ofNanos(20_000));
            }
        }
    }
}
