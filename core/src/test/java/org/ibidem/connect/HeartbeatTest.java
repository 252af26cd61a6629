package org.ibidem.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Map;
import jdk.net.ExtendedSocketOptions;
import org.ibidem.config.SettingException;
import org.ibidem.config.Settings;
import org.junit.jupiter.api.Test;

class HeartbeatTest {
    private static Heartbeat of(String value) {
        return Heartbeat.of(Settings.of(Map.of("ibidem.heartbeat", value)));
    }

    @Test
    void is_what_it_is_set_to_and_silence_is_three_of_them() {
        assertThat(of("2s").interval()).isEqualTo(Duration.ofSeconds(2));
        assertThat(of("2s").silence()).isEqualTo(Duration.ofSeconds(6));
        assertThat(Heartbeat.of(Settings.of(Map.of())).silence()).isEqualTo(Duration.ofSeconds(15));
    }

    @Test
    void what_cannot_be_is_refused() {
        for (var wrong : new String[] {"0s", "1500ms", "2h", "often"}) {
            assertThatThrownBy(() -> of(wrong))
                    .as(wrong)
                    .isInstanceOf(SettingException.class)
                    .hasMessageContaining("ibidem.heartbeat");
        }
    }

    @Test
    void the_kernel_asks_other_machines_and_not_this_one() throws IOException {
        var here = InetAddress.getLoopbackAddress();
        try (var server = ServerSocketChannel.open().bind(new InetSocketAddress(here, 0));
                var client = SocketChannel.open(server.getLocalAddress())) {
            of("2s").keep(client);
            assertThat(client.getOption(StandardSocketOptions.SO_KEEPALIVE)).isFalse();
        }
        // From another of this machine's addresses it looks like another machine.
        assumeFalse(LocalAddresses.usable().isEmpty(), "this machine has loopback addresses only");
        var mine = LocalAddresses.usable().getFirst();
        try (var server = ServerSocketChannel.open().bind(new InetSocketAddress(mine, 0));
                var client = SocketChannel.open()) {
            client.bind(new InetSocketAddress(here, 0));
            try {
                client.connect(server.getLocalAddress());
            } catch (IOException e) {
                assumeFalse(true, "from loopback nothing else is reached: " + e);
            }
            of("2s").keep(client);
            assertThat(client.getOption(StandardSocketOptions.SO_KEEPALIVE)).isTrue();
            assertThat(client.getOption(ExtendedSocketOptions.TCP_KEEPIDLE)).isEqualTo(2);
        }
    }
}
