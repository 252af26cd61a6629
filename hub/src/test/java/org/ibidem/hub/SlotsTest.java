package org.ibidem.hub;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Objects;
import java.util.stream.IntStream;
import org.ibidem.trust.InvitationMessage;
import org.junit.jupiter.api.Test;

class SlotsTest {
    private static int take(Slots<Integer> slots, String pool) {
        return Objects.requireNonNullElse(slots.take(pool, slot -> slot), 0);
    }

    @Test
    void invitations_into_one_pool_keep_out_none_into_another() {
        var slots = new Slots<Integer>(2);
        for (int i = 0; i < Slots.MOST; i++) {
            assertThat(take(slots, "one")).isPositive();
        }
        assertThat(take(slots, "one")).isZero();
        int other = take(slots, "other");
        assertThat(slots.at(other)).isEqualTo(other);
        int some = slots.all().stream().filter(slot -> slot != other).findAny().orElseThrow();
        slots.free(some);
        assertThat(slots.at(some)).isNull();
        assertThat(take(slots, "one")).isPositive();
        assertThat(take(slots, "one")).isZero();
    }

    @Test
    void however_many_pools_there_are_each_has_numbers_of_its_own() {
        int pools = 1000;
        var slots = new Slots<Integer>(pools);
        assertThat(slots.most()).isEqualTo(InvitationMessage.LAST_SLOT / pools);
        var taken = new HashSet<Integer>();
        IntStream.range(0, pools)
                .forEach(pool -> {
                    for (int i = 0; i < slots.most(); i++) {
                        taken.add(take(slots, "pool" + pool));
                    }
                    assertThat(take(slots, "pool" + pool)).isZero();
                });
        assertThat(taken)
                .hasSize(pools * slots.most())
                .allMatch(slot -> slot >= 1 && slot <= InvitationMessage.LAST_SLOT);
    }
}
