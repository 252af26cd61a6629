package org.ibidem.connect.routed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.ibidem.Vectors;
import org.ibidem.buffer.Malformed;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.Test;

/// The format of routed streams stays what the vectors say.
class RoutedVectorsTest {
    private final Vectors vectors = Vectors.read("routed");

    RoutedVectorsTest() throws IOException {}

    @Test
    void frames_are_written_so() {
        var node = NodeId.parse("00112233445566778899aabbccddeeff");
        assertThat(RoutedFrames.open(1, node, 1 << 20)).isEqualTo(vectors.get("open"));
        assertThat(RoutedFrames.open(2, node, 1 << 20)).isEqualTo(vectors.get("shared.open"));
        assertThat(RoutedFrames.grant(2, 256 << 10)).isEqualTo(vectors.get("grant"));
        assertThat(RoutedFrames.bare(RoutedFrames.END, 3)).isEqualTo(vectors.get("end"));
        assertThat(RoutedFrames.reset(3, "gone")).isEqualTo(vectors.get("reset"));
        assertThat(RoutedFrames.bare(RoutedFrames.PING, 0)).isEqualTo(vectors.get("ping"));
        assertThat(RoutedFrames.bare(RoutedFrames.PONG, 0)).isEqualTo(vectors.get("pong"));
    }

    @Test
    void the_stream_to_the_hub_itself_begins_so() {
        var hub = NodeId.parse("ffffffffffffffffffffffffffffffff");
        assertThat(RoutedFrames.open(5, hub, 1 << 20)).isEqualTo(vectors.get("hub.open"));
        assertThat(RoutedFrames.grant(5, HubStream.WINDOW)).isEqualTo(vectors.get("hub.grant"));
        check(vectors.get("hub.ping"));
    }

    @Test
    void headers_that_may_be_are_let_pass_and_others_refused() {
        for (var name : new String[] {"open", "grant", "end", "reset", "ping", "pong"}) {
            check(vectors.get(name));
        }
        assertThat(vectors.starting("bad."))
                .hasSize(10)
                .allSatisfy((name, bytes) ->
                        assertThatThrownBy(() -> check(bytes))
                                .as(name)
                                .isInstanceOf(Malformed.class));
    }

    private static void check(byte[] frame) {
        var header = ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN);
        RoutedFrames.check(header.getInt(), header.getInt());
    }

    @Test
    void no_grant_is_negative_or_beyond_bounds() {
        assertThat(RoutedFrames.credit(RoutedFrames.MOST_CREDIT))
                .isEqualTo(RoutedFrames.MOST_CREDIT);
        assertThatThrownBy(() -> RoutedFrames.credit(-1)).isInstanceOf(Malformed.class);
        assertThatThrownBy(() -> RoutedFrames.credit(RoutedFrames.MOST_CREDIT + 1))
                .isInstanceOf(Malformed.class);
    }
}
