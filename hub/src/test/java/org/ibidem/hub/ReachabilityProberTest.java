package org.ibidem.hub;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.ibidem.arbitration.Threads;
import org.ibidem.connect.Prelude;
import org.ibidem.registry.wire.Reply;
import org.ibidem.registry.wire.Request;
import org.ibidem.topology.ProbeResult;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReachabilityProberTest {
    private static final UUID TOKEN = new UUID(0x0001020304050607L, 0x08090a0b0c0d0e0fL);
    private static final InetSocketAddress FROM =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 5);

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);
    private final Threads threads = new Threads("test", now::get);
    private final ReachabilityProber reachability = new ReachabilityProber(threads);
    private final LinkedBlockingQueue<Reply.Probed> told = new LinkedBlockingQueue<>();

    @AfterEach
    void end() {
        threads.close();
    }

    private Reply.Probed probe(int port, InetSocketAddress from) throws InterruptedException {
        reachability.probe(new Request.Probe(7, port, TOKEN), from, told::add);
        var answer = told.poll(30, TimeUnit.SECONDS);
        assertThat(answer).isNotNull();
        return answer;
    }

    @Test
    void it_connects_to_the_address_of_who_asks_and_says_the_token() throws Exception {
        try (var listener = new ServerSocket(0, 9, InetAddress.getLoopbackAddress())) {
            int port = listener.getLocalPort();
            assertThat(probe(port, FROM))
                    .isEqualTo(new Reply.Probed(7, ProbeResult.OPEN, "127.0.0.1:" + port, ""));
            try (var caller = listener.accept()) {
                var said = caller.getInputStream().readAllBytes();
                var token = new byte[16];
                for (int i = 0; i < token.length; i++) {
                    token[i] = (byte) i;
                }
                assertThat(said).isEqualTo(new Prelude.Turn(token).encode());
            }
        }
    }

    @Test
    void a_refusal_is_told() throws Exception {
        int free;
        try (var listener = new ServerSocket(0, 9, InetAddress.getLoopbackAddress())) {
            free = listener.getLocalPort();
        }
        var answer = probe(free, FROM);
        assertThat(answer.passage()).isEqualTo(ProbeResult.REFUSED);
        assertThat(answer.why()).contains("refused");
    }

    @Test
    void one_address_is_probed_a_few_times_a_minute() throws Exception {
        try (var listener = new ServerSocket(0, 99, InetAddress.getLoopbackAddress())) {
            int port = listener.getLocalPort();
            for (int i = 0; i < ReachabilityProber.MOST_A_MINUTE; i++) {
                assertThat(probe(port, FROM).passage()).isEqualTo(ProbeResult.OPEN);
            }
            var refused = probe(port, new InetSocketAddress(FROM.getAddress(), 6));
            assertThat(refused.passage()).isEqualTo(ProbeResult.UNTRIED);
            assertThat(refused.why()).contains("at most 12 times a minute");
            var other = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.2"), 5);
            assertThat(probe(port, other).passage()).isNotEqualTo(ProbeResult.UNTRIED);
            now.addAndGet(Duration.ofMinutes(1).toNanos());
            assertThat(probe(port, FROM).passage()).isEqualTo(ProbeResult.OPEN);
        }
    }
}
