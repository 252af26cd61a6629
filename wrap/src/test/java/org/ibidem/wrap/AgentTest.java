package org.ibidem.wrap;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.ConnectException;
import java.nio.file.Path;
import java.time.Duration;
import org.ibidem.hub.Hub;
import org.ibidem.personality.vio.VioSocket;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.ibidem.vlink.VLinks;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
@EnabledOnOs(OS.LINUX)
class AgentTest {
    private static final Duration LONG = Duration.ofMinutes(2);

    @TempDir Path folder;

    /// No program of the other agent's has listened so far.
    @Test
    void who_connects_where_nothing_has_listened_yet_is_refused() throws Exception {
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0))) {
            var join = Join.pool("agents").hub("localhost:" + hub.port());
            try (var client = Node.join(join);
                    var server = Node.join(join);
                    var _ = Agent.start(server, "", "tcp", folder.resolve("s"))) {
                var posted =
                        VLinks.of(client)
                                .connect(server.id(), Incoming.WRAPPED + 80, "tcp", "0", LONG);
                assertThatThrownBy(() -> VioSocket.connected(posted, (int) LONG.toMillis()))
                        .isInstanceOf(ConnectException.class)
                        .hasMessage("Connection refused");
            }
        }
    }
}
