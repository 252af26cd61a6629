package org.ibidem.link.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.StandardSocketOptions;
import org.ibidem.link.TestLower;
import org.junit.jupiter.api.Test;

class TcpDriverTest {
    /// Whatever method the connection came by, and whoever asked for it: the driver has the last
    /// word.
    @Test
    void small_writes_are_sent_at_once_at_both_ends() throws Exception {
        for (var end : TestLower.pair()) {
            try (var socket = end.socket()) {
                socket.setOption(StandardSocketOptions.TCP_NODELAY, false);
                new TcpDriver().open(end, new Tcp());
                assertThat(socket.getOption(StandardSocketOptions.TCP_NODELAY)).isTrue();
            }
        }
    }
}
