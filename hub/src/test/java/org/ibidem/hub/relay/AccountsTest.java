package org.ibidem.hub.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.ibidem.arbitration.Threads;
import org.ibidem.connect.SocketPath;
import org.ibidem.handshake.Hello;
import org.ibidem.handshake.Proved;
import org.ibidem.identity.Identity;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What nodes of one pool leave of the relay to those of another.
@Timeout(60)
class AccountsTest {
    private static final int SHARE = Limits.DEFAULT.share();

    private final Threads threads = new Threads("test", () -> 0); // strangers may stay
    private final List<SocketChannel> lines = new ArrayList<>();
    private final Relay relay =
            new Relay(
                    Limits.DEFAULT.governed(Set.of("mine", "yours")),
                    threads,
                    Identity.create().id(),
                    (_, _) -> {});

    @AfterEach
    void close() throws IOException {
        relay.close();
        threads.close();
        for (var line : lines) {
            line.close();
        }
    }

    private Spoke stranger(String pool) throws IOException {
        return stranger(pool, Identity.create());
    }

    private Spoke stranger(String pool, Identity who) throws IOException {
        try (var server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            lines.add(SocketChannel.open(server.getLocalAddress()));
            var path = new SocketPath(server.accept());
            return relay.take(new Proved(path, who.key(), Hello.routed(pool, who.id()), 1, false));
        }
    }

    private Spoke member(String pool) throws IOException {
        var spoke = stranger(pool);
        relay.join(spoke);
        return spoke;
    }

    @Test
    void connections_are_counted_under_the_pool_that_has_an_authority() throws IOException {
        stranger("mine");
        stranger("any");
        member("other");
        assertThat(relay.trunks("mine")).isEqualTo(1);
        assertThat(relay.trunks("yours")).isZero();
        assertThat(relay.trunks("")).isEqualTo(2);
        assertThat(relay.trunks()).isEqualTo(3);
    }

    @Test
    void strangers_that_name_other_pools_push_out_none_of_mine() throws IOException {
        stranger("mine");
        var who = Identity.create();
        for (int i = 0; i < Relay.MOST_STRANGERS + 9; i++) {
            stranger("any" + i, who);
        }
        while (relay.trunks("") > Relay.MOST_STRANGERS) {
            Thread.onSpinWait(); // until those that were pushed out are gone
        }
        assertThat(relay.trunks("mine")).isEqualTo(1);
    }

    @Test
    void however_many_pools_strangers_name_they_share_the_memory_of_one() throws IOException {
        var limits = relay.limits();
        var mine = member("mine");
        assertThat(relay.credit(mine)).isEqualTo(limits.credit(1, 1, 0));
        var any = member("any");
        assertThat(relay.credit(any)).isEqualTo(limits.credit(2, 1, 0));
        for (int i = 0; i < 200; i++) {
            member("any" + i);
        }
        assertThat(relay.credit(mine)).isEqualTo(limits.credit(2, 1, 0));
        assertThat(relay.credit(any)).isEqualTo(limits.credit(2 * 201, 1, 0)).isLessThan(SHARE);
        member("yours");
        member("mine");
        mine.flows.clear();
        assertThat(relay.credit(mine)).isEqualTo(limits.credit(3, 2, 0));
    }

    @Test
    void a_pool_of_many_nodes_leaves_another_its_memory() {
        int crowd = 10_000;
        assertThat(Limits.DEFAULT.credit(2, crowd, 1)).isEqualTo(Limits.LEAST_CREDIT);
        assertThat(Limits.DEFAULT.credit(2, 2, 1)).isEqualTo(Limits.MOST_CREDIT);
    }
}
