package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;

import org.ibidem.Stacks;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;

/// Messages that are held, and whether another is here.
@ParameterizedClass
@Stacks({"shm", "tcp", "multiplex > tcp"})
@Timeout(30)
class FollowedTest {
    private final PortType type;
    private final Pair pair = new Pair();

    FollowedTest(String stack) {
        this.type = PortType.oneToOne().stack(stack);
    }

    @AfterEach
    void close() {
        pair.close();
    }

    private SendPort connected(String port) {
        var out = pair.send(pair.here, type, "out");
        out.connect(pair.there.id(), port);
        return out;
    }

    private static int read(ReceivePort in) {
        try (var m = in.receive()) {
            return m.readInt();
        }
    }

    /// Where it is known: over a stream that was read into memory.
    @Test
    void a_message_says_whether_the_next_one_is_here() {
        try (var in = pair.receive(pair.there, type, "in");
                var out = connected("in")) {
            for (int i = 0; i < 3; i++) {
                try (var m = out.newMessage()) {
                    m.writeInt(i).finishHeld();
                }
            }
            assertThat(out.tryFlush()).isTrue();
            for (int i = 0; i < 3; i++) {
                try (var m = in.receive()) {
                    assertThat(m.isFollowed() || i == 2 || !type.stack().equals("tcp")).isTrue();
                    assertThat(m.isFollowed() && i == 2).isFalse();
                    assertThat(m.readInt()).isEqualTo(i);
                }
            }
        }
    }

    @Test
    void what_is_held_is_not_flushed_while_a_message_is_in_hand() {
        try (var in = pair.receive(pair.there, type, "in");
                var out = connected("in")) {
            try (var m = out.newMessage()) {
                m.writeInt(1).finishHeld();
            }
            try (var m = out.newMessage()) {
                assertThat(out.tryFlush()).isFalse();
                m.writeInt(2).finish();
            }
            assertThat(read(in)).isEqualTo(1);
            assertThat(read(in)).isEqualTo(2);
        }
    }
}
