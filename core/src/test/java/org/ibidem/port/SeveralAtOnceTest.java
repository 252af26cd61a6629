package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.Eventually.eventually;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.ibidem.Background;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// One send port that is to be connected to many.
class SeveralAtOnceTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final PortType type = PortType.oneToMany();
    private final Pair pair = new Pair();
    private final SendPort out = pair.send(pair.here, type, "out");

    @AfterEach
    void close() {
        out.close();
        pair.close();
    }

    private List<Target> targets(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new Target(pair.there.id(), "late" + i))
                .toList();
    }

    @Test
    void they_are_tried_side_by_side() {
        var targets = targets(8);
        var connecting = Background.call(() -> out.connect(targets, LIMIT));
        for (var target : targets.reversed()) {
            var in = pair.receive(pair.there, type, target.port());
            eventually(
                    "it is connected before the others are there",
                    () -> in.connections().size() == 1);
        }
        assertThat(connecting.join().reached()).containsExactlyInAnyOrderElementsOf(targets);
    }

    @Test
    void those_that_cannot_be_reached_share_one_limit() {
        var targets = targets(100);
        var limit = Duration.ofMillis(500);
        long began = System.nanoTime();
        assertThat(out.connect(targets, limit).failed()).hasSize(targets.size());
        assertThat(Duration.ofNanos(System.nanoTime() - began))
                .isBetween(limit, limit.multipliedBy(targets.size() / 2));
    }
}
