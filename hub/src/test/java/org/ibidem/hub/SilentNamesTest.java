package org.ibidem.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.ibidem.config.Settings;
import org.ibidem.registry.HubUnreachable;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Time limits hold while name servers are silent ([SilentNames]).
class SilentNamesTest {
    private static final Duration LIMIT = Duration.ofMillis(300);
    private static final Duration SLACK = Duration.ofSeconds(15);

    private static void refused(String hub, String why) {
        long began = System.nanoTime();
        assertThatThrownBy(() -> Node.join(Join.pool("test").hub(hub).limit(LIMIT)))
                .isInstanceOf(HubUnreachable.class)
                .hasMessageContaining("hub " + hub + ": " + why);
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(LIMIT.plus(SLACK));
    }

    @Test
    @Tag("slow")
    void joining_says_within_its_limit_that_nobody_knows_the_hub_yet() {
        for (int i = 0; i < 3; i++) {
            refused("hub.silent:8888", "no name server says where 'hub.silent' is (asked for ");
        }
        assertThat(Thread.getAllStackTraces().keySet())
                .filteredOn(thread -> thread.getName().endsWith("look up hub.silent"))
                .as("threads that wait for the name server, however many ask")
                .hasSize(1);
        refused("hub.unknown:8888", "no host is called 'hub.unknown'");
    }

    @Test
    void the_own_name_is_not_looked_up_and_says_where_a_node_is() {
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0));
                var node = Node.join(Join.pool("test").hub("localhost:" + hub.port()))) {
            assertThat(node.location().levels().getFirst()).isEqualTo(Settings.hostName());
        }
    }
}
