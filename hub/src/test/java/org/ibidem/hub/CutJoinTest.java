package org.ibidem.hub;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.ibidem.Forwarder;
import org.ibidem.registry.Join;
import org.ibidem.registry.Membership;
import org.ibidem.registry.Node;
import org.ibidem.registry.PoolEvent;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// A join whose connection is cut once, after each number of bytes that the hub can have said by
/// then: it is one join all the same.
@Tag("slow")
class CutJoinTest {
    private static final int FARTHEST = 2048;
    private static final int AT_ONCE = 16;

    /// One that lives through more connections than that goes round and round.
    private static final int MOST_CONNECTIONS = 4;

    /// It also fills its pool, which nobody may join any more then.
    @Test
    void a_join_that_is_cut_anywhere_is_one_join() throws Exception {
        var reached = new AtomicLong(FARTHEST);
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0));
                var many = Executors.newFixedThreadPool(AT_ONCE, Thread.ofVirtual().factory())) {
            var all = new ArrayList<Future<?>>();
            for (int bytes = 1; bytes <= FARTHEST; bytes++) {
                long cut = bytes;
                all.add(
                        many.submit(() -> {
                            if (cut < reached.get() && !joins(hub, cut)) {
                                reached.accumulateAndGet(cut, Math::min);
                            }
                            return null;
                        }));
            }
            for (var one : all) {
                one.get();
            }
        }
        assertThat(reached.get())
                .as("bytes that a hub says to one who joins")
                .isBetween(200L, 2047L);
    }

    /// Whether so much was said that the connection was cut.
    private static boolean joins(Hub hub, long cut) throws Exception {
        try (var between = new Forwarder("between", hub.port())) {
            between.cutAfter(cut);
            var join =
                    Join.pool("cut after " + cut)
                            .hub("127.0.0.1:" + between.port())
                            .membership(Membership.ORDERED)
                            .size(1)
                            .limit(Duration.ofSeconds(20));
            try (var node = Node.join(join)) {
                var heard = Heard.by(node);
                assertThat(node.rank()).isZero();
                assertThat(node.members()).hasSize(1);
                assertThat(node.elections().elect("master").term()).isEqualTo(1);
                assertThat(heard.all()).noneMatch(PoolEvent.Died.class::isInstance);
                assertThat(between.taken()).isLessThanOrEqualTo(MOST_CONNECTIONS);
                return between.hasCut();
            }
        } catch (RuntimeException e) {
            throw new AssertionError("cut after " + cut + " bytes", e);
        }
    }
}
