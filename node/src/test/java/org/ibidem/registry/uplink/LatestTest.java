package org.ibidem.registry.uplink;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.ibidem.topology.Egress;
import org.ibidem.topology.Location;
import org.ibidem.topology.NodeId;
import org.ibidem.topology.Surroundings;
import org.junit.jupiter.api.Test;

class LatestTest {
    private static final NodeId ONE = new NodeId(1, 1);
    private static final NodeId OTHER = new NodeId(2, 2);
    private static final long NOW = Long.MAX_VALUE - 5; // clocks may wrap

    private final Latest latest = new Latest();

    private static Surroundings said(Egress egress) {
        return new Surroundings(Location.parse("here"), List.of(), egress, "", "", List.of());
    }

    private static long in(Duration time) {
        return NOW + time.toNanos();
    }

    @Test
    void what_was_said_counts_for_a_minute_from_when_it_was_said() {
        latest.learn(ONE, said(Egress.PRESERVING), Duration.ofSeconds(20), NOW);
        assertThat(latest.of(ONE, in(Duration.ofMillis(39_999)))).contains(said(Egress.PRESERVING));
        assertThat(latest.of(ONE, in(Duration.ofSeconds(40)))).isEmpty();
        assertThat(latest.of(OTHER, NOW)).isEmpty();
    }

    @Test
    void what_was_said_last_counts() {
        latest.learn(ONE, said(Egress.PRESERVING), Duration.ZERO, NOW);
        latest.learn(ONE, said(Egress.SYMMETRIC), Duration.ZERO, in(Duration.ofSeconds(50)));
        assertThat(latest.of(ONE, in(Duration.ofSeconds(100)))).contains(said(Egress.SYMMETRIC));
    }

    @Test
    void one_who_is_gone_or_back_counts_no_more() {
        latest.learn(ONE, said(Egress.PRESERVING), Duration.ZERO, NOW);
        latest.learn(OTHER, said(Egress.PRESERVING), Duration.ZERO, NOW);
        latest.forget(ONE);
        assertThat(latest.of(ONE, NOW)).isEmpty();
        assertThat(latest.of(OTHER, NOW)).isPresent();
        latest.clear();
        assertThat(latest.of(OTHER, NOW)).isEmpty();
    }

    @Test
    void it_is_bounded_and_the_oldest_goes_first() {
        for (int i = 0; i <= Latest.MOST; i++) {
            latest.learn(new NodeId(7, i), said(Egress.PRESERVING), Duration.ZERO, NOW);
        }
        assertThat(latest.of(new NodeId(7, 0), NOW)).isEmpty();
        assertThat(latest.of(new NodeId(7, 1), NOW)).isPresent();
        assertThat(latest.of(new NodeId(7, Latest.MOST), NOW)).isPresent();
    }
}
