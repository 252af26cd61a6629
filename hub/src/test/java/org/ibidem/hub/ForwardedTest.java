package org.ibidem.hub;

import static org.assertj.core.api.Assertions.assertThat;

import org.ibidem.Forwarder;
import org.ibidem.registry.Join;
import org.ibidem.registry.Membership;
import org.ibidem.registry.Node;
import org.ibidem.registry.PoolEvent;
import org.ibidem.registry.access.Runtimes;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Members whose connection to the hub something else carries.
class ForwardedTest {
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_forwarder_that_ends_makes_its_members_suspected_and_kills_none(boolean open)
            throws Exception {
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0));
                var between = new Forwarder("between", hub.port());
                var two = Node.join(to(hub.port()));
                var one = Node.join(to(between.port()).open(open))) {
            var heard = Heard.by(two);
            two.awaitMembers(2, Heard.LONG);
            between.end();
            heard.await(PoolEvent.Suspected.class);
            heard.await(PoolEvent.Restored.class);
            assertThat(one.sequences().next("row")).isZero();
            assertThat(two.members()).hasSize(2);
            assertThat(heard.all()).noneMatch(PoolEvent.Died.class::isInstance);
        }
    }

    /// Nobody listens at its addresses here; but its own machine may be another one.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void nor_does_one_that_resets(boolean open) throws Exception {
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0));
                var between = new Forwarder("between", hub.port());
                var two = Node.join(to(hub.port()));
                var one = Node.join(to(between.port()).open(open))) {
            var heard = Heard.by(two);
            two.awaitMembers(2, Heard.LONG);
            Runtimes.of(one).listener().close();
            between.reset();
            two.maybeDead(one.id(), "it does not answer");
            heard.await(PoolEvent.Suspected.class);
            heard.await(PoolEvent.Restored.class);
            assertThat(one.sequences().next("row")).isZero();
            assertThat(heard.all()).noneMatch(PoolEvent.Died.class::isInstance);
        }
    }

    private static Join to(int port) {
        return Join.pool("forwarded").hub("127.0.0.1:" + port).membership(Membership.ORDERED);
    }
}
