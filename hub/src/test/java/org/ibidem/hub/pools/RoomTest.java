package org.ibidem.hub.pools;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.ibidem.registry.wire.JoinRefusal;
import org.junit.jupiter.api.Test;

/// No pool takes the room of another, whatever name it has.
class RoomTest {
    private static final long SUSPICION = Driven.LIMITS.suspicion();

    private final Driven driven = new Driven("demo", Driven.LIMITS);
    private int lastNode;

    private void begin(Limits limits) {
        driven.pools = new Pools(Driven.EPOCH, limits);
    }

    private Answer join(String pool) {
        var one = new Driven(pool, Driven.LIMITS);
        one.pools = driven.pools;
        return one.join(++lastNode);
    }

    /// Joins until no more may.
    ///
    /// @return how many did
    private int fill(String pool) {
        int joined = 0;
        while (join(pool) instanceof Answer.Accepted) {
            joined++;
        }
        return joined;
    }

    @Test
    void a_pool_that_is_full_leaves_the_others_room_for_a_few() {
        begin(new Limits(SUSPICION, 4, 32, 8));
        assertThat(fill("large")).isEqualTo(32 + 2);
        assertThat(fill("small")).isEqualTo(2);
        assertThat(fill("late")).isEqualTo(2);
        assertThat(join("large"))
                .isInstanceOfSatisfying(
                        Answer.Refused.class,
                        no -> assertThat(no.code()).isEqualTo(JoinRefusal.HUB_FULL));
        assertThat(driven.pools.members()).isEqualTo(38);
    }

    @Test
    void pools_with_an_authority_have_room_whatever_strangers_fill() {
        begin(new Limits(SUSPICION, 2, 3, 8, Set.of("mine", "yours")));
        assertThat(fill("any") + fill("other")).isEqualTo(3);
        assertThat(fill("third")).isZero();
        assertThat(fill("mine")).isEqualTo(3);
        assertThat(fill("yours")).isEqualTo(3);
    }

    @Test
    void strangers_have_room_whatever_pools_with_an_authority_fill() {
        begin(new Limits(SUSPICION, 1, 3, 8, Set.of("mine", "yours")));
        assertThat(fill("mine") + fill("yours")).isEqualTo(6);
        assertThat(fill("any")).isEqualTo(3);
    }
}
