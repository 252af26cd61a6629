package org.ibidem.hub;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.ibidem.handshake.Admission;
import org.ibidem.handshake.Hello;
import org.ibidem.handshake.Refusal;
import org.ibidem.identity.Identity;
import org.ibidem.identity.NodeKey;
import org.junit.jupiter.api.Test;

/// Which pools a hub serves, by what it was started with.
class ServedPoolsTest {
    private static final Identity PEER = Identity.create();
    private static final NodeKey KEY = PEER.key();

    private static Admission.Verdict judged(ServedPools served, String pool) {
        return served.before(Admission.ALL).judge(KEY, Hello.service(pool, PEER.id()));
    }

    private static void serves(ServedPools served, String... pools) {
        for (var pool : pools) {
            assertThat(judged(served, pool)).as(pool).isInstanceOf(Admission.Welcome.class);
        }
    }

    @Test
    void a_hub_without_an_authority_serves_all_and_counts_them_together() {
        for (var others : List.of(false, true)) {
            var served = new ServedPools(Set.of(), others);
            serves(served, "any", "other", "");
            assertThat(served.account("any")).isEmpty();
        }
    }

    @Test
    void one_with_an_authority_serves_the_pools_that_have_one_and_those_that_name_none() {
        var served = new ServedPools(Set.of("mine", "ours"), false);
        serves(served, "mine", "ours", "");
        assertThat(judged(served, "others"))
                .isInstanceOfSatisfying(
                        Admission.Refused.class,
                        refused -> {
                            assertThat(refused.code()).isEqualTo(Refusal.POOL);
                            assertThat(refused.why())
                                    .contains("'others'", "--authority", "--other-pools")
                                    .doesNotContain("mine", "ours'");
                        });
    }

    @Test
    void with_other_pools_it_serves_all_and_each_governed_pool_has_an_account_of_its_own() {
        var served = new ServedPools(Set.of("mine", "ours"), true);
        serves(served, "mine", "ours", "others");
        assertThat(served.account("mine")).isEqualTo("mine");
        assertThat(served.account("ours")).isEqualTo("ours");
        assertThat(served.account("others")).isEqualTo(served.account("more")).isEmpty();
    }

    @Test
    void what_comes_next_is_asked_about_the_pools_that_are_served() {
        var served = new ServedPools(Set.of("mine"), false);
        Admission.Verdict verdict = new Admission.Refused(Refusal.DEAD, "for this test");
        Admission next = (_, _) -> verdict;
        assertThat(served.before(next).judge(KEY, Hello.service("mine", PEER.id())))
                .isSameAs(verdict);
        assertThat(served.before(next).judge(KEY, Hello.service("other", PEER.id())))
                .isNotSameAs(verdict);
    }

    @Test
    void the_pools_are_those_of_the_beginning() {
        var governed = new HashSet<>(Set.of("mine"));
        var served = new ServedPools(governed, false);
        governed.add("late");
        assertThat(served.governed()).containsExactly("mine");
    }
}
