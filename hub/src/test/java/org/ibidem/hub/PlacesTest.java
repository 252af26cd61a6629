package org.ibidem.hub;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.ibidem.hub.Places.Place;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.Test;

class PlacesTest {
    private final List<String> sentAway = new ArrayList<>();

    private Place take(Places places, String pool, long node, String address) {
        var account = pool.equals("own") ? pool : "";
        var name = node + " from " + address;
        return places.take(
                new Places.Claim(
                        account,
                        pool,
                        new NodeId(node, 0),
                        address,
                        why -> sentAway.add(name + ": " + why)));
    }

    @Test
    void a_pool_has_so_many_that_have_joined_and_strangers_take_none_of_them() {
        var places = new Places(new ConnectionUse(2, 64, 0));
        for (int node = 100; node < 110; node++) {
            take(places, "demo", node, "a"); // none of them joins
        }
        var one = take(places, "demo", 1, "a");
        var two = take(places, "demo", 2, "a");
        var three = take(places, "demo", 3, "a");
        assertThat(one.settle()).isEmpty();
        assertThat(two.settle()).isEmpty();
        assertThat(three.settle()).isEqualTo("pool 'demo' has 2 connections to this hub already");
        assertThat(take(places, "other", 3, "a").settle()).isEmpty();
        three.close(); // had none
        assertThat(take(places, "demo", 4, "a").settle()).isNotEmpty();
        two.unsettle(); // was refused
        assertThat(take(places, "demo", 5, "a").settle()).isEmpty();
        assertThat(take(places, "demo", 6, "a").settle()).isNotEmpty();
        two.close();
        assertThat(take(places, "demo", 7, "a").settle()).isNotEmpty();
        one.close();
        assertThat(take(places, "demo", 8, "a").settle()).isEmpty();
    }

    @Test
    void a_node_has_so_many_in_all_its_pools() {
        var places = new Places(new ConnectionUse(100, 2, 0));
        var one = take(places, "one", 1, "a");
        assertThat(one.settle()).isEmpty();
        assertThat(take(places, "two", 1, "b").refusal()).isEmpty();
        var third = take(places, "three", 1, "c");
        assertThat(third.refusal())
                .isEqualTo(
                        "node "
                                + new NodeId(1, 0).brief()
                                + " has 2 connections to this hub already");
        third.close();
        assertThat(take(places, "three", 1, "c").refusal()).isNotEmpty();
        assertThat(take(places, "three", 2, "c").refusal()).isEmpty();
        one.close();
        assertThat(take(places, "three", 1, "c").refusal()).isEmpty();
    }

    @Test
    void an_address_has_so_many_that_have_joined_nothing() {
        var places = new Places(new ConnectionUse(100, 100, 2));
        var one = take(places, "demo", 1, "a");
        take(places, "demo", 2, "a");
        assertThat(take(places, "demo", 3, "a").refusal())
                .isEqualTo("2 connections from this address have joined nothing yet");
        assertThat(take(places, "demo", 3, "b").refusal()).isEmpty();
        assertThat(one.settle()).isEmpty();
        assertThat(take(places, "demo", 3, "a").refusal()).isEmpty();
        assertThat(take(places, "demo", 4, "a").refusal()).isNotEmpty();
    }

    @Test
    void the_address_with_the_most_strangers_makes_room_for_others() {
        var places = new Places(ConnectionUse.DEFAULT);
        var quiet = take(places, "demo", 1, "elsewhere");
        for (int node = 2; node <= Places.MOST_STRANGERS; node++) {
            take(places, "demo", node, "flood");
        }
        assertThat(sentAway).isEmpty();
        take(places, "demo", 5000, "flood");
        take(places, "demo", 5001, "third");
        assertThat(sentAway)
                .containsExactly(
                        "2 from flood: of the connections from its address, which has the most of"
                                + " them, it had joined nothing for longest, and newer ones needed"
                                + " its room",
                        sentAway.getLast())
                .last()
                .asString()
                .startsWith("3 from flood: ");
        assertThat(quiet.settle()).isEmpty();
        // One that joined cannot be sent away any more, one that failed to can.
        quiet.unsettle();
        assertThat(sentAway).hasSize(2);
        assertThat(quiet.settle()).isEmpty();
    }

    @Test
    void strangers_that_name_one_pool_push_out_none_of_another_account() {
        var places = new Places(new ConnectionUse(100, 64, 2 * Places.MOST_STRANGERS));
        var own = take(places, "own", 1, "a");
        for (int node = 2; node <= 2 * Places.MOST_STRANGERS; node++) {
            take(places, "any" + node, node, "a");
        }
        assertThat(sentAway).hasSize(Places.MOST_STRANGERS - 1);
        assertThat(own.settle()).isEmpty();
    }

    @Test
    void so_many_of_an_address_may_have_joined_nothing_in_each_account() {
        var places = new Places(new ConnectionUse(100, 100, 1));
        assertThat(take(places, "any", 1, "a").refusal()).isEmpty();
        assertThat(take(places, "other", 2, "a").refusal()).isNotEmpty();
        assertThat(take(places, "own", 3, "a").refusal()).isEmpty();
        assertThat(take(places, "own", 4, "a").refusal()).isNotEmpty();
    }

    @Test
    void who_settles_twice_has_one_place_and_gives_back_one() {
        var places = new Places(new ConnectionUse(1, 64, 0));
        var twice = take(places, "demo", 1, "a");
        assertThat(twice.settle()).isEmpty();
        assertThat(twice.settle()).isEmpty();
        assertThat(take(places, "demo", 2, "a").settle()).isNotEmpty();
        twice.close();
        assertThat(take(places, "demo", 2, "a").settle()).isEmpty();
    }

    @Test
    void a_node_that_comes_again_to_a_full_pool_takes_nobodys_place() {
        var places = new Places(new ConnectionUse(1, 64, 0));
        var before = take(places, "demo", 1, "a");
        var again = take(places, "demo", 1, "b");
        assertThat(before.settle()).isEmpty();
        assertThat(again.settle()).isEmpty();
        before.close();
        assertThat(take(places, "demo", 2, "a").settle()).isNotEmpty();
        again.close();
        assertThat(take(places, "demo", 2, "a").settle()).isEmpty();
    }

    /// Its link is about to be closed: a member that was let in and never heard of it would be in
    /// its own way when it tries again.
    @Test
    void who_was_sent_away_does_not_join_any_more() {
        var places = new Places(ConnectionUse.DEFAULT);
        var oldest = take(places, "demo", 0, "flood");
        for (int node = 1; node <= Places.MOST_STRANGERS; node++) {
            take(places, "demo", node, "flood");
        }
        assertThat(sentAway).hasSize(1);
        assertThat(oldest.settle()).isNull();
    }
}
