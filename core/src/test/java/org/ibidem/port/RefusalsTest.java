package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.ibidem.config.NotationException;
import org.ibidem.connect.Unreachable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What is refused before a message could be sent, and how it is said.
@Timeout(30)
class RefusalsTest {
    private final Pair pair = new Pair();

    @AfterEach
    void close() {
        pair.close();
    }

    @Test
    void a_stack_that_cannot_be_is_refused_when_a_port_is_opened() {
        for (var stack :
                List.of(
                        "fragmnt > tcp",
                        "fragment(sise=1k) > tcp",
                        "fragment(size=x) > tcp",
                        "fragment > auto >")) {
            var type = PortType.oneToOne().stack(stack);
            assertThatThrownBy(() -> pair.receive(pair.there, type, "in"))
                    .isInstanceOf(NotationException.class)
                    .hasMessageContaining("column ");
            assertThatThrownBy(() -> pair.send(pair.here, type, "out"))
                    .isInstanceOf(NotationException.class);
        }
        assertThatThrownBy(() ->
                        pair.receive(pair.there, PortType.oneToOne().stack("fragmnt > tcp"), "in"))
                .hasMessageContaining("column 1")
                .hasMessageContaining("fragmnt")
                .hasMessageContaining("fragment");
    }

    @Test
    void a_node_of_another_pool_is_refused() {
        var type = PortType.oneToOne().stack("tcp");
        var stranger = pair.runtime("other");
        try (var in = pair.receive(pair.there, type, "in");
                var out = pair.send(stranger, type, "out")) {
            assertThatThrownBy(() -> out.connect(pair.there.id(), "in"))
                    .isInstanceOf(Unreachable.class)
                    .hasMessageContaining("127.0.0.1")
                    .hasMessageContaining("this node is in pool 'test', not in 'other'");
            assertThat(in.connections()).isEmpty();
        } finally {
            stranger.close();
        }
    }

    @Test
    void two_pools_in_one_jvm_use_the_same_names_apart() {
        var type = PortType.oneToOne();
        var here = pair.runtime("other");
        var there = pair.runtime("other");
        try (var in = pair.receive(pair.there, type, "in");
                var otherIn = pair.receive(there, type, "in");
                var out = pair.send(pair.here, type, "out");
                var otherOut = pair.send(here, type, "out")) {
            out.connect(pair.there.id(), "in");
            otherOut.connect(there.id(), "in");
            send(out, 1);
            send(otherOut, 2);
            assertThat(receive(otherIn)).isEqualTo(2);
            assertThat(receive(in)).isEqualTo(1);
        } finally {
            here.close();
            there.close();
        }
    }

    private static void send(SendPort out, int value) {
        try (var m = out.newMessage()) {
            m.writeInt(value).finish();
        }
    }

    private static int receive(ReceivePort in) {
        try (var m = in.receive()) {
            return m.readInt();
        }
    }
}
