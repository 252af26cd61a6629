package org.ibidem.lab.net.wide;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.ibidem.lab.net.Lab;
import org.ibidem.lab.net.junit.Laboratory;
import org.ibidem.lab.net.plan.Kind;
import org.ibidem.lab.net.plan.Network;
import org.ibidem.lab.net.plan.Plan;
import org.ibidem.lab.net.plan.Site;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Much data over slow lines whose queues keep all of it, beside what has to be said soon.
@Laboratory(SlowLineTest.Sites.class)
class SlowLineTest {
    private static final int MESSAGES = 6;
    private static final int BYTES = 100_000;

    /// 600 kB take 12 s.
    private static final String SLOW = "rate=400kbit queue=1000k delay=20ms";

    private static Town town;

    /// Between the two that have slow lines there is only the relay.
    static final class Sites implements Plan {
        @Override
        public Network network() {
            return Network.of(
                    Site.of("hotel", Kind.NAT_SYMMETRIC).hosts(1),
                    Site.of("office", Kind.FIREWALL).hosts(1),
                    Site.of("hub", Kind.OPEN).hosts(1));
        }
    }

    /// Three seconds without a sign of life are silence.
    @BeforeAll
    static void start(Lab lab) {
        town = new Town(lab).start("-Dibidem.heartbeat=1s", "hotel1", "office1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"hotel>", ">office"})
    void what_node_and_hub_say_to_each_other_comes_soon_and_nobody_seems_gone(
            String line, Lab lab) {
        var stream = town.stream("hotel1", "office1");
        assertThat(stream.open()).isEqualTo("routed");
        stream.carry(1, 1000);
        lab.set(line, SLOW);
        var busy = line.startsWith("hotel") ? "hotel1" : "office1";
        try {
            var carried =
                    CompletableFuture.runAsync(
                            () -> stream.carry(MESSAGES, BYTES), Thread::startVirtualThread);
            int asked = 0;
            for (; !carried.isDone(); asked++) {
                long begin = System.nanoTime();
                town.ask(busy, line + asked, "elect " + line + asked);
                assertThat(Duration.ofNanos(System.nanoTime() - begin))
                        .as("election %s", asked)
                        .isLessThan(Duration.ofSeconds(4));
            }
            carried.join();
            assertThat(asked).as("elections beside the data").isGreaterThan(3);
        } finally {
            lab.set(line, "rate=none delay=0ms");
        }
        for (var host : new String[] {"hotel1", "office1"}) {
            assertThat(town.program(host).lines())
                    .as(host)
                    .noneMatch(said -> said.matches("(hub back|dead|suspected|gone) ?.*"));
        }
    }
}
