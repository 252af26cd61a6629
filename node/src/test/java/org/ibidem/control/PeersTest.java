package org.ibidem.control;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.eventually;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.ibidem.accept.Listener;
import org.ibidem.arbitration.Threads;
import org.ibidem.handshake.Handshake;
import org.ibidem.identity.Identity;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.Test;

class PeersTest {
    private static final NodeId PEER = new NodeId(1, 2);

    @Test
    void who_finds_another_connecting_waits_no_longer_than_its_own_limit() throws Exception {
        var begun = new CountDownLatch(1);
        var end = new CountDownLatch(1);
        try (var threads = new Threads("test")) {
            var handshake = new Handshake(Identity.create(), threads, Handshake.LIMIT);
            var listener = Listener.open(0, false, handshake, threads);
            var peers =
                    new Peers(
                            "demo",
                            listener,
                            (_, _, _) -> {
                                begun.countDown();
                                try {
                                    end.await();
                                } catch (InterruptedException _) {
                                    Thread.currentThread().interrupt();
                                }
                                throw new ServiceFailed("it is not there");
                            },
                            threads);
            var first = ping(peers, Duration.ofMinutes(1));
            begun.await();
            var second = ping(peers, Duration.ofMillis(50));
            eventually("the second gives up", second::isDone);
            assertThatThrownBy(second::join).hasMessageContaining("was not in time");
            end.countDown();
            assertThatThrownBy(first::join).hasMessageContaining("not there");
            peers.close();
            listener.close();
        }
    }

    private static CompletableFuture<Duration> ping(Peers peers, Duration limit) {
        return CompletableFuture.supplyAsync(
                () -> peers.ping(PEER, limit), task -> Thread.ofVirtual().start(task));
    }
}
