package org.ibidem.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import org.ibidem.port.Origin;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.Test;

/// How long a server waits for whom.
class SlowCallersTest {
    private static final long USUAL = 2_000_000_000;
    private static final long PAUSE = 20_000_000_000L;

    private final SlowCallers slow = new SlowCallers();
    private final Origin one = new Origin(new NodeId(1, 2), "one");
    private final Origin other = new Origin(new NodeId(1, 2), "other");

    @Test
    void with_who_refused_nothing_is_waited_for_until_the_pause_is_over() {
        long now = Long.MAX_VALUE - 1; // clocks may begin anywhere
        assertThat(slow.patience(one, now)).isEqualTo(USUAL);
        slow.refused(one, now);
        assertThat(slow.patience(one, now)).isZero();
        assertThat(slow.patience(other, now)).isEqualTo(USUAL);
        assertThat(slow.patience(one, now + PAUSE - 1)).isZero();
        assertThat(slow.patience(one, now + PAUSE)).isEqualTo(USUAL);
    }

    /// Or it would never be waited for again, if it is asked for often enough.
    @Test
    void what_is_refused_meanwhile_makes_the_pause_no_longer() {
        slow.refused(one, 0);
        slow.refused(one, PAUSE - 1);
        assertThat(slow.patience(one, PAUSE)).isEqualTo(USUAL);
        slow.refused(one, PAUSE);
        assertThat(slow.patience(one, 2 * PAUSE - 1)).isZero();
    }

    @Test
    void who_takes_an_answer_is_waited_for_again() {
        slow.refused(one, 0);
        slow.refused(other, 0);
        slow.took(one);
        assertThat(slow.patience(one, 1)).isEqualTo(USUAL);
        assertThat(slow.patience(other, 1)).isZero();
        slow.left(other);
        assertThat(slow.patience(other, 1)).isEqualTo(USUAL);
    }
}
