package org.ibidem.mpj.device;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What a sender may have at a receiver.
@Timeout(40)
class CreditTest {
    /// More than the window has room for.
    private static final int MANY = 400;

    private static final int CONTEXT = 1;

    /// There is no link yet, so none of them has begun to leave.
    @Test
    void a_message_that_was_cancelled_before_it_left_costs_no_credit() {
        try (var fleet = Fleet.Over.SHM.open(2)) {
            var zero = fleet.device(0);
            for (int i = 0; i < MANY; i++) {
                assertThat(zero.isend(new Pattern(1, 100), 1, 1, CONTEXT).cancel()).isTrue();
            }
            var sent = zero.isend(new Pattern(2, 100), 1, 1, CONTEXT);
            fleet.until(sent::isDone); // it leaves at once, though nobody receives it
            var into = new Taken(100);
            fleet.end(fleet.device(1).irecv(into, 0, 1, CONTEXT));
            into.requireOf(2, 100);
        }
    }
}
