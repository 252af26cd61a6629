package org.ibidem.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.ibidem.Eventually.eventually;
import static org.ibidem.messaging.Members.LIMIT;

import java.util.concurrent.CountDownLatch;
import org.ibidem.port.ConnectRefused;
import org.ibidem.port.PortType;
import org.ibidem.port.SendPort;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A third member gets no word into a conversation of two others, and ends none, though the names
/// of their ports can be guessed.
@Timeout(60)
class StrangersTest {
    private static Members members;

    @BeforeAll
    static void join() {
        members = new Members(3);
    }

    @AfterAll
    static void leave() {
        members.close();
    }

    /// The third one tries to connect to a port of the first.
    private static ConnectRefused refused(PortType type, String name) {
        try (var out = SendPort.open(members.get(2), type, "x")) {
            return catchThrowableOfType(
                    ConnectRefused.class, () -> out.connect(members.get(0).id(), name, LIMIT));
        }
    }

    @Test
    void a_stranger_answers_no_call_and_ends_none() {
        var lookup = Procedure.of("lookup", Integer.class, String.class);
        var go = new CountDownLatch(1);
        Answerer<Integer, String> answerer =
                _ -> {
                    go.await();
                    return "right";
                };
        try (var _ = lookup.server(members.get(1), 4, answerer);
                var caller = lookup.caller(members.get(0), members.get(1).id())) {
            var call = caller.start(7, LIMIT);
            var refusal = refused(lookup.answers(), caller.port().name());
            assertThat(refusal.why()).isEqualTo(ConnectRefused.Why.UNWANTED);
            assertThat(call.isOver()).isFalse();
            go.countDown();
            assertThat(call.await()).isEqualTo("right");
            assertThat(caller.call(8, LIMIT)).isEqualTo("right");
        }
    }

    @Test
    void a_stranger_publishes_nothing_to_a_subscriber() {
        var quotes = Subject.of("quotes", String.class);
        try (var publisher = quotes.publisher(members.get(1), Overflow.block());
                var subscriber = quotes.subscriber(members.get(0), members.get(1).id())) {
            var type = Publisher.data(quotes);
            var refusal = refused(type, subscriber.port().name());
            assertThat(refusal.why()).isEqualTo(ConnectRefused.Why.UNWANTED);
            eventually("it has subscribed", () -> publisher.deliveries().size() == 1);
            publisher.publish("right");
            assertThat(subscriber.receive(LIMIT)).isEqualTo("right");
        }
    }
}
