package org.ibidem.lab.net.wide;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import org.ibidem.lab.net.Lab;
import org.ibidem.lab.net.junit.Laboratory;
import org.ibidem.lab.net.plan.Kind;
import org.ibidem.lab.net.plan.Network;
import org.ibidem.lab.net.plan.Plan;
import org.ibidem.lab.net.plan.Site;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Much data over slow lines whose queues keep all of it, beside what has to be said soon.
@Laboratory(SlowLineTest.Sites.class)
class SlowLineTest {
    private static final int MESSAGES = 12;
    private static final int BYTES = 60_000;
    private static final Duration SOON = Duration.ofSeconds(4);

    private static Town town;

    /// Between the two that have slow lines there is only the relay. What there is takes 14 s out
    /// of the one and 29 s into the other.
    static final class Sites implements Plan {
        @Override
        public Network network() {
            return Network.of(
                            Site.of("hotel", Kind.NAT_SYMMETRIC).hosts(1),
                            Site.of("office", Kind.FIREWALL).hosts(1),
                            Site.of("hub", Kind.OPEN).hosts(1))
                    .line("hotel>", "rate=400kbit queue=1000k delay=20ms")
                    .line(">office", "rate=200kbit queue=1000k delay=20ms");
        }
    }

    /// Nine seconds without a sign of life are silence: longer than a busy machine stands still,
    /// and shorter than the data.
    @BeforeAll
    static void start(Lab lab) {
        town = new Town(lab).start("-Dibidem.heartbeat=3s", "hotel1", "office1");
    }

    @Test
    void what_node_and_hub_say_to_each_other_comes_soon_and_nobody_seems_gone() {
        var stream = town.stream("hotel1", "office1");
        assertThat(stream.open()).isEqualTo("routed");
        var carried =
                CompletableFuture.runAsync(
                        () -> stream.carry(MESSAGES, BYTES), Thread::startVirtualThread);
        var took = new ArrayList<Duration>();
        for (int asked = 0; !carried.isDone(); asked++) {
            for (var host : new String[] {"hotel1", "office1"}) {
                long begin = System.nanoTime();
                town.ask(host, "e" + asked, "elect " + asked);
                took.add(Duration.ofNanos(System.nanoTime() - begin));
            }
        }
        carried.join();
        assertThat(took).as("elections beside the data").hasSizeGreaterThan(4);
        // One may take longer on a machine that stands still; behind the data all would.
        assertThat(took.stream().sorted().toList().get(took.size() / 2))
                .as("half of %s", took)
                .isLessThan(SOON);
        for (var host : new String[] {"hotel1", "office1"}) {
            assertThat(town.program(host).lines())
                    .as(host)
                    .noneMatch(said -> said.matches("(hub back|dead|suspected|gone) ?.*"));
        }
    }
}
