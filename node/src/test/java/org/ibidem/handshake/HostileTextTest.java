package org.ibidem.handshake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.ibidem.buffer.ControlWriter;
import org.ibidem.buffer.Malformed;
import org.ibidem.identity.Identity;
import org.ibidem.identity.NodeKey;
import org.ibidem.peer.Purpose;
import org.ibidem.registry.Join;
import org.ibidem.topology.Location;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.Test;

/// What a peer says is no command for a terminal, and no line of a log.
class HostileTextTest {
    private static final String RED = "\u001b[31m\nred";
    private static final NodeKey KEY = Identity.create().key();

    @Test
    void a_pool_or_location_with_control_characters_is_none() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Join.pool(RED))
                .withMessage(
                        "the name of a pool has no control characters, not:"
                                + " '\\u001b[31m\\nred'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Hello.bootstrap(RED, null))
                .withMessageContaining("the name of a pool");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Location(List.of(RED)))
                .withMessageContaining("a level of a location");
    }

    @Test
    void a_peer_that_names_such_a_pool_is_refused() {
        var hello =
                new ControlWriter(1000)
                        .u8(Purpose.BOOTSTRAP.code())
                        .raw(KEY.encoded())
                        .raw(new byte[HandshakeMessages.NONCE_BYTES]);
        new NodeId(0, 0).write(hello);
        var body = hello.text(RED, 64).text("", 1).text("", 1).toBytes();
        assertThatThrownBy(() -> HandshakeMessages.readHello(body))
                .isInstanceOf(Malformed.class)
                .hasMessageContaining("(pool): has control characters: '\\u001b[31m\\nred'");
    }

    @Test
    void the_reason_of_a_refusal_is_shown_without_control_characters() {
        var reply =
                new ControlWriter(1000)
                        .u8(1)
                        .raw(KEY.encoded())
                        .raw(new byte[HandshakeMessages.NONCE_BYTES])
                        .text(RED, 100)
                        .text("", 1)
                        .bytes(new byte[0], 1)
                        .raw(new byte[NodeKey.SIGNATURE_BYTES])
                        .toBytes();
        assertThat(HandshakeMessages.readReply(reply).reason()).isEqualTo("\\u001b[31m\\nred");
    }
}
