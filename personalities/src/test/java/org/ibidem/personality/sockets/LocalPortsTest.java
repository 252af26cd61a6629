package org.ibidem.personality.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.BindException;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

/// Numbers that go round.
class LocalPortsTest {
    private final LocalPorts ports = new LocalPorts();

    /// A socket's end.
    private static final class Open implements LocalPorts.End {
        private boolean closed;

        @Override
        public boolean isOpen() {
            return !closed;
        }
    }

    @Test
    void one_that_is_in_use_is_passed_over_when_they_come_round() throws Exception {
        var first = new Open();
        assertThat(ports.of(first, 0)).isEqualTo(49_152);
        var bound = new Open();
        assertThat(ports.of(bound, 49_153)).isEqualTo(49_153);
        ports.goOnFrom(65_534);
        var ends = new ArrayList<Open>();
        for (int expected : new int[] {65_534, 65_535, 49_154}) {
            ends.add(new Open());
            assertThat(ports.of(ends.getLast(), 0)).isEqualTo(expected);
        }
        assertThat(first.isOpen() && bound.isOpen()).isTrue(); // and they are not collected
    }

    @Test
    void one_that_was_closed_is_given_again() throws Exception {
        var first = new Open();
        assertThat(ports.of(first, 0)).isEqualTo(49_152);
        first.closed = true;
        ports.goOnFrom(65_535);
        assertThat(ports.of(new Open(), 0)).isEqualTo(65_535);
        assertThat(ports.of(new Open(), 0)).isEqualTo(49_152);
    }

    @Test
    void a_socket_is_refused_while_all_are_in_use() throws Exception {
        var all = new ArrayList<Open>();
        for (int i = 49_152; i <= 65_535; i++) {
            all.add(new Open());
            ports.of(all.getLast(), 0);
        }
        assertThatThrownBy(() -> ports.of(new Open(), 0))
                .isInstanceOf(BindException.class)
                .hasMessageContaining("49152 to 65535")
                .hasMessageContaining("close some sockets first");
        all.get(100).closed = true;
        assertThat(ports.of(new Open(), 0)).isEqualTo(49_252);
    }
}
