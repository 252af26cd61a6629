package org.ibidem.channel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.ibidem.Background;
import org.ibidem.link.Catalog;
import org.ibidem.stack.Stack;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class OutChannelsTest {
    private static final NodeId PEER = new NodeId(2, 2);
    private static final int ROUNDS = 50_000;

    private final OutChannels channels = new OutChannels();
    private final DataLink link =
            new DataLink("k", PEER, Stack.parse("tcp", Catalog.found()), true);

    private OutChannel channel(int number) {
        return new OutChannel(null, link, null, number);
    }

    @Test
    void one_that_is_in_use_is_closed() {
        var told = new AtomicInteger();
        var out = channel(1);
        out.whenClosed(told::incrementAndGet);
        channels.add(out);
        channels.close(PEER, 2, "another");
        assertThat(out.closedBecause()).isNull();
        channels.close(PEER, 1, "enough");
        assertThat(out.closedBecause()).isEqualTo("enough");
        assertThat(out.closedInOrder()).isTrue();
        assertThat(told).hasValue(1);
    }

    @Test
    void one_that_is_closed_before_it_is_in_use_is_told_then_and_once() {
        channels.close(PEER, 1, "enough");
        var out = channel(1);
        channels.add(out);
        assertThat(out.closedBecause()).isEqualTo("enough");
        channels.remove(out);
        var next = channel(1);
        channels.add(next);
        assertThat(next.closedBecause()).isNull();
    }

    @Test
    void of_those_closed_early_the_oldest_is_forgotten() {
        for (int i = 0; i <= OutChannels.MOST_EARLY; i++) {
            channels.close(PEER, i, "enough");
        }
        var forgotten = channel(0);
        channels.add(forgotten);
        assertThat(forgotten.closedBecause()).isNull();
        var kept = channel(1);
        channels.add(kept);
        assertThat(kept.closedBecause()).isEqualTo("enough");
    }

    @Test
    @Tag("slow")
    void one_that_is_closed_as_it_comes_into_use_is_told() {
        var begun = new AtomicInteger();
        var closing =
                Background.run(() -> {
                    for (int i = 1; i <= ROUNDS; i++) {
                        while (begun.get() < i) {
                            Thread.onSpinWait();
                        }
                        channels.close(PEER, i, "enough");
                        begun.set(-i);
                    }
                });
        for (int i = 1; i <= ROUNDS; i++) {
            var out = channel(i);
            begun.set(i);
            channels.add(out);
            while (begun.get() != -i && !closing.isDone()) {
                Thread.onSpinWait();
            }
            assertThat(out.closedBecause()).isEqualTo("enough");
            channels.remove(out);
        }
        closing.join();
    }
}
