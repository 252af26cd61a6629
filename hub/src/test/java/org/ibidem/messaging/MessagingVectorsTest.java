package org.ibidem.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.Eventually.eventually;
import static org.ibidem.messaging.Members.LIMIT;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.function.Supplier;
import org.ibidem.Vectors;
import org.ibidem.port.PortType;
import org.ibidem.port.Raw;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.SendPort;
import org.ibidem.registry.Node;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The messages of objects, calls and subscriptions stay what the vectors say.
@Timeout(60)
class MessagingVectorsTest {
    /// Where the time of a question lies, which no two have in common.
    private static final int TIME = 4 + Byte.BYTES + Long.BYTES;

    private final Vectors vectors = Vectors.read("messaging");
    private final Members members = new Members(2);
    private final Node here = members.get(0);
    private final Node there = members.get(1);

    MessagingVectorsTest() throws IOException {}

    @BeforeEach
    void little() {
        assumeTrue(
                ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN,
                "the vectors are what a little-endian machine writes");
    }

    @AfterEach
    void leave() {
        members.close();
    }

    private void comes(String name, ReceivePort in) {
        comes(name, in, 0, 0);
    }

    /// @param masked bytes that may be anything, and count as 0
    private void comes(String name, ReceivePort in, int from, int masked) {
        try (var message = in.receive()) {
            var bytes = Raw.bytes(message);
            Arrays.fill(bytes, from, from + masked, (byte) 0);
            assertThat(HexFormat.of().formatHex(bytes))
                    .as(name)
                    .isEqualTo(HexFormat.of().formatHex(vectors.get(name)));
        }
    }

    private ReceivePort plain(PortType type, String name) {
        return ReceivePort.open(there, type, name);
    }

    @Test
    void what_senders_callers_and_subscribers_write() {
        var numbers = Subject.of("numbers", Integer.class);
        try (var in = plain(numbers.type(), "numbers");
                var out = numbers.sender(here, there.id())) {
            out.send(7);
            comes("object", in);
        }
        var half = Procedure.of("half", Integer.class, Integer.class);
        try (var in = plain(half.questions(), "half");
                var caller = half.caller(here, there.id())) {
            var call = caller.start(7, LIMIT);
            comes("question", in, TIME, Long.BYTES);
            call.cancel();
            comes("cancellation", in);
        }
        try (var in = plain(Publisher.credits(), "numbers");
                var subscriber = numbers.subscriber(here, there.id());
                var out = SendPort.open(there, Publisher.data(numbers), "numbers")) {
            out.connect(here.id(), in.connections().getFirst().port());
            try (var message = out.newMessage()) {
                message.writeObject(7).finish();
            }
            assertThat(subscriber.receive()).isEqualTo(7);
            assertThat(subscriber.poll()).isNull();
            comes("credit", in);
        }
    }

    @Test
    void what_servers_and_publishers_write() {
        var numbers = Subject.of("numbers", Integer.class);
        try (var publisher = numbers.publisher(here, Overflow.block());
                var in = plain(Publisher.data(numbers), "back");
                var out = SendPort.open(there, Publisher.credits(), "back")) {
            out.connect(here.id(), "numbers");
            eventually("it is there", () -> publisher.deliveries().size() == 1);
            publisher.publish(7);
            comes("published", in);
        }
        var half = Procedure.of("half", Integer.class, Integer.class).failures((_, _, _) -> {});
        Supplier<Server<Integer, Integer>> server = () -> half.server(here, each -> 10 / each);
        try (var _ = server.get();
                var in = plain(half.answers(), "back");
                var out = SendPort.open(there, half.questions(), "back")) {
            out.connect(here.id(), "half");
            for (int question : new int[] {5, 0}) {
                try (var message = out.newMessage()) {
                    message.writeByte((byte) 0).writeLong(3).writeLong(LIMIT.toNanos());
                    message.writeObject(question).finish();
                }
                comes(question == 0 ? "failure" : "answer", in);
            }
        }
    }
}
