package org.ibidem.registry.uplink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.ibidem.Background;
import org.ibidem.accept.HubPlace;
import org.ibidem.arbitration.Threads;
import org.ibidem.connect.SocketPath;
import org.ibidem.connect.Unreachable;
import org.ibidem.handshake.Handshake;
import org.ibidem.handshake.HandshakeBroken;
import org.ibidem.handshake.Hello;
import org.ibidem.identity.Identity;
import org.ibidem.registry.Departed;
import org.ibidem.registry.HubUnreachable;
import org.ibidem.registry.JoinRefused;
import org.ibidem.registry.Membership;
import org.ibidem.registry.wire.JoinRefusal;
import org.ibidem.registry.wire.Protocol;
import org.ibidem.registry.wire.Reply;
import org.ibidem.registry.wire.Request;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Through which of several hubs a node joins, and what it does about those that do not answer.
@Timeout(60)
class AttacherTest {
    private static final Duration LONG = Duration.ofMinutes(2);
    private static final Duration SHORT = Duration.ofMillis(300);

    private final Threads threads = new Threads("test");
    private final PlayedHub hub = new PlayedHub(threads);

    /// Where it tried, in order.
    private final List<String> tried = new CopyOnWriteArrayList<>();

    private final List<Duration> limits = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        hub.close();
    }

    private interface Fails {
        void at(String host, int tries) throws IOException;
    }

    private void fails(Fails fails) {
        hub.way =
                (HubPlace place, Duration limit) -> {
                    tried.add(place.host());
                    limits.add(limit);
                    fails.at(place.host(), tried.size());
                };
    }

    private Uplink to(Duration limit, String... hubs) {
        return hub.uplink(Membership.ORDERED, limit, hubs);
    }

    private static Unreachable unreachable(Exception cause) {
        var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
        return new Unreachable(
                "hub was not reached", List.of(new Unreachable.Attempt(address, "why", cause)));
    }

    @Test
    void a_hub_that_is_silent_leaves_time_for_the_next() throws Exception {
        fails((host, _) -> {
            if (!host.equals("good")) {
                throw unreachable(null);
            }
        });
        var uplink = to(LONG, "one:1", "two:1", "good:1");
        var joining = Background.run(uplink::join);
        hub.takesIn(hub.me);
        joining.get();
        assertThat(tried).containsExactly("one", "two", "good");
        assertThat(limits.get(0)).isBetween(LONG.dividedBy(4), LONG.dividedBy(3));
        assertThat(limits.get(1)).isBetween(LONG.dividedBy(3), LONG.dividedBy(2));
        assertThat(limits.get(2)).isBetween(LONG.dividedBy(2), LONG);
        assertThat(uplink.hubAddress()).isEqualTo("good:1");
    }

    @Test
    void one_where_nobody_listens_is_tried_once() {
        fails((_, _) -> {
            throw unreachable(new IOException("refused"));
        });
        assertThatThrownBy(() -> to(LONG, "one:1", "two:1").join())
                .isInstanceOf(HubUnreachable.class)
                .hasMessageContaining("no hub could be reached")
                .hasMessageContaining("start one with 'ibidem hub'");
        assertThat(tried).containsExactly("one", "two");
    }

    /// It has more to do than it can.
    @Test
    void one_that_drops_connections_is_tried_again() throws Exception {
        var broken = broken();
        fails((_, tries) -> {
            if (tries == 1) {
                throw new IOException("dropped");
            } else if (tries == 2) {
                throw unreachable(broken);
            }
        });
        var joining = Background.run(to(LONG, "hub:1")::join);
        hub.takesIn(hub.me);
        joining.get();
        assertThat(tried).hasSize(3);
    }

    /// What a handshake says of a connection that has ended.
    private HandshakeBroken broken() throws IOException {
        try (var server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            var near = SocketChannel.open(server.getLocalAddress());
            server.accept().close();
            var handshake = new Handshake(Identity.create(), threads, LONG);
            return catchThrowableOfType(
                    HandshakeBroken.class,
                    () -> handshake.initiate(new SocketPath(near), Hello.bootstrap("test", null)));
        }
    }

    @Test
    void but_no_longer_than_the_limit() {
        fails((_, _) -> {
            throw new IOException("dropped");
        });
        assertThatThrownBy(() -> to(SHORT, "hub:1").join())
                .isInstanceOf(HubUnreachable.class)
                .hasMessageContaining("dropped");
        assertThat(tried).hasSizeGreaterThan(1);
    }

    /// To be a member there, unheard, and of another hub's pool would be one too many.
    @Test
    void one_that_may_have_taken_the_node_in_is_asked_before_all_others_by_the_same_join()
            throws Exception {
        fails((host, tries) -> {
            if (host.equals("other")) {
                throw unreachable(null);
            }
        });
        var joining = Background.run(to(LONG, "other:1", "hub:1")::join);
        hub.connected();
        var first = (Request.Attach) hub.heard();
        hub.breaks();
        hub.connected();
        var second = (Request.Attach) hub.heard();
        assertThat(second.arrival().join()).isEqualTo(first.arrival().join()).isPositive();
        hub.welcome(PlayedHub.EPOCH);
        hub.tell(hub.me);
        joining.get();
        assertThat(tried).containsExactly("other", "hub", "hub");
    }

    @Test
    void one_that_says_no_is_believed() throws Exception {
        fails((_, _) -> {});
        var joining = Background.run(to(LONG, "hub:1", "other:1")::join);
        hub.connected();
        hub.heard();
        hub.say(new Reply.Refused(JoinRefusal.POOL_CLOSED, "it is closed"));
        hub.hangsUp();
        assertThatThrownBy(joining::get).hasCauseInstanceOf(JoinRefused.PoolClosed.class);
        assertThat(tried).containsExactly("hub");
    }

    @Test
    void one_of_another_version_says_so_if_no_other_answers() throws Exception {
        fails((host, _) -> {
            if (host.equals("other")) {
                throw unreachable(null);
            }
        });
        var joining = Background.run(to(LONG, "hub:1", "other:1")::join);
        hub.connected();
        hub.heard();
        hub.say(new Reply.Refused(JoinRefusal.VERSION, "it speaks version 99"));
        hub.hangsUp();
        assertThatThrownBy(joining::get)
                .hasCauseInstanceOf(JoinRefused.VersionDiffers.class)
                .hasMessageContaining("it speaks version 99");
        assertThat(tried).containsExactly("hub", "other");
    }

    @Test
    void one_that_gives_another_rank_when_the_node_is_back_takes_it_for_another() throws Exception {
        fails((_, _) -> {});
        var uplink = to(LONG, "hub:1");
        var joining = Background.run(uplink::join);
        hub.takesIn(hub.me);
        joining.get();
        hub.breaks();
        hub.connected();
        hub.heard();
        hub.say(new Reply.Welcome(Protocol.VERSION, PlayedHub.EPOCH, 1, 5, 0, ""));
        hub.hangsUp();
        assertThatThrownBy(() -> uplink.await(_ -> false, LONG))
                .isInstanceOf(Departed.class)
                .hasMessageContaining("gave rank 0 to another node");
    }

    @Test
    void one_that_has_no_room_now_when_the_node_is_back_is_asked_again() throws Exception {
        fails((_, _) -> {});
        var uplink = to(LONG, "hub:1");
        var joining = Background.run(uplink::join);
        hub.takesIn(hub.me);
        joining.get();
        hub.breaks();
        refuses(JoinRefusal.CANNOT_WRITE, "the disk is full");
        refuses(JoinRefusal.HUB_FULL, "it is full");
        hub.takesIn(hub.me);
        assertThat(uplink.await(_ -> uplink.whyLost().isEmpty(), LONG)).isTrue();
    }

    private void refuses(JoinRefusal code, String text) throws InterruptedException {
        hub.connected();
        hub.heard();
        hub.say(new Reply.Refused(code, text));
        hub.hangsUp();
    }

    @Test
    void of_one_that_has_no_room_it_says_what_to_do() throws Exception {
        fails((_, _) -> {});
        var uplink = to(LONG, "hub:1");
        var joining = Background.run(uplink::join);
        hub.takesIn(hub.me);
        joining.get();
        hub.breaks();
        refuses(JoinRefusal.CANNOT_WRITE, "the disk is full");
        hub.connected(); // it has heard that by now
        assertThat(uplink.whyLost())
                .endsWith("the disk is full; make room on the hub's disk, or use another hub");
        hub.breaks();
        refuses(JoinRefusal.HUB_FULL, "it is full");
        hub.connected();
        assertThat(uplink.whyLost())
                .endsWith("it is full; use another hub, or one with larger bounds");
    }
}
