package org.ibidem.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
    void the_kernel_asks_for_signs_of_life_but_not_of_this_machine() throws IOException {
        var here = InetAddress.getLoopbackAddress();
        try (var server = ServerSocketChannel.open().bind(new InetSocketAddress(here, 0));
                var client = SocketChannel.open(server.getLocalAddress())) {
            of("2s").keep(client);
            assertThat(client.getOption(StandardSocketOptions.SO_KEEPALIVE)).isFalse();
            of("2s").ask(client); // as of another machine
            assertThat(client.getOption(StandardSocketOptions.SO_KEEPALIVE)).isTrue();
            assertThat(client.getOption(ExtendedSocketOptions.TCP_KEEPIDLE)).isEqualTo(2);
            assertThat(client.getOption(ExtendedSocketOptions.TCP_KEEPINTERVAL)).isEqualTo(2);
            assertThat(client.getOption(ExtendedSocketOptions.TCP_KEEPCOUNT)).isEqualTo(3);
        }
    }
}
