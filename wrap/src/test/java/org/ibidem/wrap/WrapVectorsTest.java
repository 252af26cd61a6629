package org.ibidem.wrap;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Objects;
import org.ibidem.Vectors;
import org.ibidem.wrap.Message.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The format of what launchers and the agent tell each other stays what the vectors say.
class WrapVectorsTest {
    private static final long CALL = 77;
    private static final int PROCESS = 4711;
    private static final Map<String, Message> MESSAGES =
            Map.ofEntries(
                    entry("hello", Message.to(Kind.HELLO, 0, PROCESS)),
                    entry(
                            "connects",
                            new Message(
                                    Kind.CONNECTS, true, PROCESS, CALL, at("127.80.0.3", 8080))),
                    entry(
                            "listens",
                            new Message(Kind.LISTENS, false, PROCESS, 0, at("0.0.0.0", 8080))),
                    entry(
                            "held",
                            new Message(Kind.HELD, false, 8080, CALL, at("127.0.0.1", 40_000))),
                    entry(
                            "sends",
                            new Message(Kind.SENDS, false, PROCESS, CALL, at("127.80.0.3", 53))),
                    entry("binds", new Message(Kind.BINDS, false, PROCESS, 0, at("0.0.0.0", 53))),
                    entry("continue", Message.to(Kind.CONTINUE, CALL, 0)),
                    entry("hold", new Message(Kind.HOLD, false, 2, CALL, at("127.80.0.3", 8080))),
                    entry("done", Message.to(Kind.DONE, CALL, Errors.REFUSED)),
                    entry(
                            "direct",
                            new Message(Kind.DIRECT, false, 2, CALL, at("127.0.0.1", 8080))));

    private final Vectors vectors = Vectors.read("wrap");

    WrapVectorsTest() throws IOException {}

    private static InetSocketAddress at(String address, int port) {
        return new InetSocketAddress(InetAddress.ofLiteral(address), port);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "hello",
                "connects",
                "listens",
                "held",
                "continue",
                "hold",
                "done",
                "direct",
                "sends",
                "binds"
            })
    void a_message_is_written_and_read_as_the_vector_says(String name) {
        var message = Objects.requireNonNull(MESSAGES.get(name));
        assertThat(message.encode().array()).isEqualTo(vectors.get(name));
        assertThat(Message.decode(ByteBuffer.wrap(vectors.get(name)))).isEqualTo(message);
    }

    @Test
    void an_address_of_ipv6_is_itself() {
        var message = new Message(Kind.LISTENS, false, 1, 0, at("2001:db8::7", 80));
        assertThat(Message.decode(message.encode())).isEqualTo(message);
    }

    @Test
    void a_kind_that_is_none_is_refused() {
        var bytes = vectors.get("done");
        bytes[0] = 9;
        assertThatThrownBy(() -> Message.decode(ByteBuffer.wrap(bytes)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a message of kind 9, which is none");
    }
}
