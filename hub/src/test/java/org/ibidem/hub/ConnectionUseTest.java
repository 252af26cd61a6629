package org.ibidem.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.eventually;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.ibidem.hub.relay.Limits;
import org.ibidem.identity.Identity;
import org.ibidem.registry.Join;
import org.ibidem.registry.JoinRefused.HubFull;
import org.ibidem.registry.Node;
import org.ibidem.registry.wire.JoinRefusal;
import org.ibidem.registry.wire.Reply;
import org.ibidem.registry.wire.ReplyCoding;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// How many connections a hub takes, and that who wants more is told so.
class ConnectionUseTest {
    private final List<AutoCloseable> opened = new ArrayList<>();

    @AfterEach
    void end() throws Exception {
        for (var each : opened.reversed()) {
            each.close();
        }
    }

    private Hub hub(ConnectionUse use) {
        var hub = Hub.start(Hub.Options.DEFAULT.port(0).connecting(use));
        opened.add(hub);
        return hub;
    }

    private Node join(Hub hub, String pool, Identity identity) {
        var node = Node.join(Join.pool(pool).hub("localhost:" + hub.port()).identity(identity));
        opened.add(node);
        return node;
    }

    private Node join(Hub hub, String pool) {
        return join(hub, pool, Identity.create());
    }

    private boolean joins(Hub hub, String pool) {
        try {
            join(hub, pool);
            return true;
        } catch (HubFull _) {
            return false;
        }
    }

    @Test
    void a_pool_that_has_as_many_as_it_may_refuses_more_until_one_goes() {
        var hub = hub(new ConnectionUse(2, 64, 0));
        join(hub, "demo");
        var second = join(hub, "demo");
        assertThatThrownBy(() -> join(hub, "demo"))
                .isInstanceOf(HubFull.class)
                .hasMessageContaining("pool 'demo' has 2 connections to this hub already");
        join(hub, "other");
        second.close();
        eventually("there is room", () -> joins(hub, "demo"));
    }

    @Test
    @Tag("slow")
    void a_node_that_has_as_many_as_it_may_is_refused_more() {
        var hub = hub(new ConnectionUse(100, 2, 0));
        var identity = Identity.create();
        join(hub, "one", identity);
        join(hub, "two", identity);
        assertThatThrownBy(() -> join(hub, "three", identity))
                .isInstanceOf(HubFull.class)
                .hasMessageContaining(
                        "node " + identity.id().brief() + " has 2 connections to this hub already");
        join(hub, "three");
    }

    @Test
    void an_address_that_has_as_many_strangers_as_it_may_is_refused_more() throws Exception {
        var hub = hub(new ConnectionUse(100, 100, 2));
        another(hub);
        another(hub);
        // Each is counted a moment after it has proved itself: one that comes later may be before
        // it, and it is refused itself, and gone.
        eventually("one more is refused", () -> isRefused(hub) || another(hub));
        // Only the hub knows which two it has counted.
        for (var stranger : opened.subList(1, opened.size())) {
            stranger.close();
        }
        eventually("there is room", () -> joins(hub, "demo"));
    }

    private boolean another(Hub hub) {
        try {
            opened.add(new Stranger(hub, "demo"));
            return false;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static boolean isRefused(Hub hub) {
        try (var third = new Stranger(hub, "demo")) {
            third.visit();
            var reply = ReplyCoding.decode(third.link.receive());
            return reply.equals(
                    new Reply.Refused(
                            JoinRefusal.HUB_FULL,
                            "2 connections from this address have joined nothing yet"));
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void what_may_be_used_of_the_relay_reaches_it() {
        var use = new RelayUse(123_456, 7_654_321, Duration.ofSeconds(77));
        var options =
                Hub.Options.DEFAULT.port(0).relaying(use).connecting(new ConnectionUse(50, 64, 0));
        try (var hub = Hub.start(options)) {
            assertThat(hub.relayLimits())
                    .isEqualTo(
                            Limits.DEFAULT
                                    .use(123_456, 7_654_321, Duration.ofSeconds(77))
                                    .spokes(50));
            assertThat(hub.relayLimits().spokes()).isEqualTo(50);
        }
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0))) {
            assertThat(hub.relayLimits()).isEqualTo(Limits.DEFAULT);
        }
    }

    @Test
    void limits_that_are_none_are_refused() {
        assertThatThrownBy(() -> new ConnectionUse(0, 64, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1 connection or more", "0, 64 and 0");
    }
}
