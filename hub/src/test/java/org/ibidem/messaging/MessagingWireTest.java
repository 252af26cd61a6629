package org.ibidem.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.eventually;
import static org.ibidem.messaging.Members.LIMIT;

import java.time.Duration;
import org.ibidem.Background;
import org.ibidem.port.Capability;
import org.ibidem.port.Data;
import org.ibidem.port.PortType;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.SendPort;
import org.ibidem.registry.Node;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The other end of each conversation of `docs/wire/messaging.md`, with plain ports.
@Timeout(60)
class MessagingWireTest {
    private static final PortType OBJECTS =
            PortType.manyToOne()
                    .with(Capability.UPCALLS, Capability.CONNECTION_UPCALLS)
                    .data(Data.OBJECT);
    private static final PortType QUESTIONS = OBJECTS.named("questions");
    private static final PortType ANSWERS = OBJECTS.without(Capability.UPCALLS).named("answers");
    private static final PortType CREDITS = OBJECTS.data(Data.DATA).named("credits");
    private static final long SECOND = 1_000_000_000L;

    private final Members members = new Members(2);
    private final Node here = members.get(0);
    private final Node there = members.get(1);

    @AfterEach
    void leave() {
        members.close();
    }

    private static void ask(SendPort out, long id, long time, Object what) {
        try (var message = out.newMessage()) {
            message.writeByte((byte) 0).writeLong(id).writeLong(time).writeObject(what).finish();
        }
    }

    @Test
    void a_server_answers_in_these_words() {
        var half = Procedure.of("half", Integer.class, Integer.class).failures((_, _, _) -> {});
        try (var _ = half.server(there, question -> 10 / question);
                var in = ReceivePort.open(here, ANSWERS, "half/7");
                var out = SendPort.open(here, QUESTIONS, "half/7")) {
            out.connect(there.id(), "half");
            ask(out, 3, 0, 1);
            ask(out, 4, 10 * SECOND, 5);
            try (var message = in.receive()) {
                assertThat(message.readLong()).as("3 was late").isEqualTo(4);
                assertThat(message.readByte()).isZero();
                assertThat(message.readObject()).isEqualTo(2);
                assertThat(message.remaining()).isZero();
            }
            ask(out, 5, 10 * SECOND, 0);
            ask(out, 6, 10 * SECOND, "text");
            for (int why = 1; why <= 2; why++) {
                try (var message = in.receive()) {
                    assertThat(message.readLong()).isEqualTo(4 + why);
                    assertThat(message.readByte()).isEqualTo((byte) why);
                    assertThat(message.readString()).contains(why == 1 ? "by zero" : "String");
                }
            }
        }
    }

    @Test
    void a_caller_asks_and_cancels_in_these_words() {
        var half = Procedure.of("half", Integer.class, Integer.class);
        try (var in = ReceivePort.open(there, QUESTIONS, "half");
                var out = SendPort.open(there, ANSWERS, "half");
                var caller = half.caller(here, there.id())) {
            var call = caller.start(7, LIMIT);
            try (var message = in.receive()) {
                assertThat(message.readByte()).isZero();
                long id = message.readLong();
                assertThat(message.readLong()).isBetween(1L, LIMIT.toNanos());
                assertThat(message.readObject()).isEqualTo(7);
                assertThat(message.remaining()).isZero();
                out.connect(here.id(), message.origin().port());
                for (long each : new long[] {id + 100, id}) {
                    try (var answer = out.newMessage()) {
                        answer.writeLong(each).writeByte((byte) 0).writeObject(3).finish();
                    }
                }
                assertThat(call.await()).isEqualTo(3);
            }
            var cancelled = caller.start(8, LIMIT);
            cancelled.cancel();
            in.receive().close();
            try (var message = in.receive()) {
                assertThat(message.readByte()).isOne();
                assertThat(message.readLong()).isEqualTo(cancelled.id);
            }
        }
    }

    @Test
    void a_server_that_stops_in_the_middle_of_an_answer_costs_the_deadline() {
        var half = Procedure.of("half", Integer.class, Integer.class);
        try (var in = ReceivePort.open(there, QUESTIONS, "half");
                var out = SendPort.open(there, ANSWERS, "half");
                var caller = half.caller(here, there.id())) {
            var stops =
                    Background.call(() -> {
                        try (var message = in.receive()) {
                            message.readByte();
                            out.connect(here.id(), message.origin().port());
                            return out.newMessage().writeLong(message.readLong()).flush();
                        }
                    });
            assertThatThrownBy(() -> caller.call(1, Duration.ofMillis(500)))
                    .isInstanceOfSatisfying(
                            CallFailed.class,
                            e -> assertThat(e.why()).isEqualTo(CallFailed.Why.TIME));
            assertThat(Thread.interrupted()).isFalse();
            assertThat(stops).succeedsWithin(LIMIT);
            out.close(Duration.ZERO); // with its message in hand
        }
    }

    @Test
    void a_publisher_and_a_subscriber_speak_in_these_words() {
        var numbers = Subject.of("numbers", Integer.class).lossy();
        var data = OBJECTS.without(Capability.RELIABLE).with(Capability.NUMBERED);
        try (var publisher = numbers.publisher(there, Overflow.dropOldest());
                var in = ReceivePort.open(here, data, "numbers/9");
                var out = SendPort.open(here, CREDITS, "numbers/9")) {
            out.connect(there.id(), "numbers");
            eventually("it is there", () -> publisher.deliveries().size() == 1);
            for (int i = 0; i < 40; i++) {
                publisher.publish(i);
            }
            for (int i = 0; i < 40; i++) {
                try (var message = in.receive()) {
                    assertThat(message.sequenceNumber()).isEqualTo(i);
                    assertThat(message.readObject()).isEqualTo(i);
                }
                try (var credit = out.newMessage()) {
                    credit.writeLong(i).finish();
                }
            }
        }
        try (var in = ReceivePort.open(there, CREDITS, "numbers");
                var subscriber = numbers.subscriber(here, there.id());
                var out = SendPort.open(there, data, "numbers")) {
            eventually("it has come", () -> !in.connections().isEmpty());
            out.connect(here.id(), in.connections().getFirst().port());
            for (int i = 0; i < 4; i++) {
                try (var message = out.newMessage()) {
                    message.writeObject(i).finish();
                }
                assertThat(subscriber.receive()).isEqualTo(i);
            }
            try (var credit = in.receive()) {
                assertThat(credit.readLong()).isBetween(-1L, 3L);
            }
        }
    }
}
