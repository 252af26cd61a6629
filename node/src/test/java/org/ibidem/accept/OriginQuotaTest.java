package org.ibidem.accept;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import org.ibidem.Eventually;
import org.ibidem.arbitration.Threads;
import org.ibidem.connect.SocketPath;
import org.ibidem.handshake.Admission;
import org.ibidem.handshake.Handshake;
import org.ibidem.handshake.Hello;
import org.ibidem.identity.Identity;
import org.ibidem.peer.Purpose;
import org.junit.jupiter.api.Test;

class OriginQuotaTest {
    @Test
    void one_origin_may_have_all_the_room_and_pushes_out_itself() {
        var fair = new OriginQuota<String>(2);
        assertThat(fair.enter("one", "a")).isNull();
        assertThat(fair.enter("two", "a")).isNull();
        assertThat(fair.enter("three", "a")).isEqualTo("one");
        assertThat(fair.all()).containsExactly("two", "three");
    }

    @Test
    void the_origin_with_the_most_gives_way_though_others_are_older() {
        var fair = new OriginQuota<String>(4);
        fair.enter("old", "a");
        fair.enter("one", "b");
        fair.enter("two", "b");
        fair.enter("three", "b");
        assertThat(fair.enter("new", "c")).isEqualTo("one");
        assertThat(fair.enter("newer", "c")).isEqualTo("two");
        assertThat(fair.enter("newest", "c")).isEqualTo("new"); // now c has the most
        assertThat(fair.all()).containsExactly("old", "three", "newer", "newest");
    }

    @Test
    void who_leaves_is_counted_no_more() {
        var fair = new OriginQuota<String>(3);
        fair.enter("one", "a");
        fair.enter("two", "a");
        assertThat(fair.of("a")).isEqualTo(2);
        assertThat(fair.leave("one")).isTrue();
        assertThat(fair.leave("one")).isFalse();
        assertThat(fair.of("a")).isEqualTo(1);
        assertThat(fair.leave("two")).isTrue();
        assertThat(fair.of("a")).isZero();
        assertThat(fair.size()).isZero();
        assertThat(fair.dropOldest()).isNull();
    }

    @Test
    void addresses_of_one_network_of_ipv6_are_one_origin() {
        assertThat(origin("2001:db8:1:2::3")).isEqualTo(origin("2001:db8:1:2:ffff::4"));
        assertThat(origin("2001:db8:1:2::3")).isNotEqualTo(origin("2001:db8:1:3::3"));
        assertThat(origin("192.0.2.1")).isNotEqualTo(origin("192.0.2.2"));
        assertThat(origin("192.0.2.1")).isEqualTo(origin("192.0.2.1"));
    }

    private static Object origin(String address) {
        return OriginQuota.origin(InetAddress.ofLiteral(address));
    }

    @Test
    void a_flood_from_one_address_pushes_out_nobody_who_comes_slowly_from_another()
            throws Exception {
        try (var threads = new Threads("test")) {
            var bob = Identity.create();
            // However long the machine takes for the flood.
            var handshake = new Handshake(bob, threads, Duration.ofMinutes(5));
            var flood = new ArrayList<SocketChannel>();
            try (var listener = Listener.open(0, false, handshake, threads)) {
                listener.serve(Purpose.SERVICE, Admission.ALL, _ -> {});
                var where =
                        new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), listener.port());
                var slow = SocketChannel.open();
                slow.bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.2"), 0));
                slow.connect(where);
                int more = Listener.MOST_UNPROVED + 50;
                for (int i = 0; i < more; i++) {
                    flood.add(SocketChannel.open(where));
                }
                Eventually.eventually("some went", () -> listener.tally().dropped() >= 51);
                var alice = new Handshake(Identity.create(), threads, Handshake.LIMIT);
                var proved = alice.initiate(new SocketPath(slow), Hello.service("demo", bob.id()));
                assertThat(proved.peer()).isEqualTo(bob.id());
                proved.path().close();
            } finally {
                for (var each : flood) {
                    each.close();
                }
            }
        }
    }
}
