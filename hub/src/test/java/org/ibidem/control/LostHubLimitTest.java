package org.ibidem.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.ibidem.hub.Hub;
import org.ibidem.registry.HubUnreachable;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.ibidem.registry.PoolEvent;
import org.ibidem.registry.access.Runtimes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class LostHubLimitTest {
    @Test
    @Tag("slow")
    void who_wants_to_reach_a_peer_while_the_hub_is_gone_waits_no_longer_than_it_said()
            throws Exception {
        var hub = Hub.start(Hub.Options.DEFAULT.port(0));
        try (var one = Node.join(Join.pool("demo").hub("localhost:" + hub.port()));
                var two = Node.join(Join.pool("demo").hub("localhost:" + hub.port()))) {
            var lost = new CountDownLatch(1);
            one.events(event -> {
                if (event instanceof PoolEvent.HubLost) {
                    lost.countDown();
                }
            });
            hub.close();
            lost.await();
            long begun = System.nanoTime();
            assertThatThrownBy(() ->
                            Runtimes.of(one)
                                    .peers()
                                    .request(
                                            two.id(),
                                            Peers.OPEN,
                                            Peers.NOTHING,
                                            Duration.ofSeconds(1)))
                    .isInstanceOf(HubUnreachable.class)
                    .hasMessageMatching(".* did not say in time .*");
            assertThat(Duration.ofNanos(System.nanoTime() - begun))
                    .isLessThan(Duration.ofSeconds(9)); // a node's own limit is 10 s
        }
    }
}
