package org.ibidem.authority;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.ibidem.arbitration.Clock;
import org.ibidem.arbitration.Threads;
import org.ibidem.buffer.ControlReader;
import org.ibidem.connect.AddressCoding;
import org.ibidem.connect.Declarations;
import org.ibidem.connect.Prelude;
import org.ibidem.connect.SocketPath;
import org.ibidem.control.ControlLink;
import org.ibidem.handshake.Handshake;
import org.ibidem.handshake.HandshakeRefused;
import org.ibidem.handshake.Hello;
import org.ibidem.handshake.Refusal;
import org.ibidem.handshake.Vetting;
import org.ibidem.hub.Bounds;
import org.ibidem.hub.ConnectionUse;
import org.ibidem.hub.Hub;
import org.ibidem.identity.Identity;
import org.ibidem.link.Catalog;
import org.ibidem.peer.Purpose;
import org.ibidem.registry.Join;
import org.ibidem.registry.JoinRefused;
import org.ibidem.registry.Node;
import org.ibidem.registry.Visitor;
import org.ibidem.registry.wire.Reply;
import org.ibidem.registry.wire.ReplyCoding;
import org.ibidem.registry.wire.Request;
import org.ibidem.registry.wire.RequestCoding;
import org.ibidem.topology.ProbeResult;
import org.ibidem.trust.Role;
import org.ibidem.trust.Standing;
import org.ibidem.trust.Trust;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A hub that has an authority for a pool, and strangers that name another one.
@Timeout(60)
class OtherPoolsTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration MONTH = Duration.ofDays(30);

    @TempDir Path folder;

    private final Threads threads = new Threads("test");
    private PoolAuthority authority;
    private Hub hub;

    @BeforeEach
    void begin() throws Exception {
        authority = PoolAuthority.create(folder.resolve("demo"), "demo", new char[0], MONTH);
        start(options -> options);
    }

    private void start(UnaryOperator<Hub.Options> as) throws IOException {
        if (hub != null) {
            hub.close();
        }
        var own = issued("hub" + System.identityHashCode(as), Role.HUB);
        hub = Hub.start(as.apply(Hub.Options.DEFAULT.port(0).identity(own)));
    }

    @AfterEach
    void end() {
        hub.close();
        threads.close();
    }

    private Identity issued(String name, Role role) throws IOException {
        var file = folder.resolve(name);
        PoolAuthority.write(file, authority.issue(name, new Standing("demo", role, ""), MONTH));
        var root = folder.resolve("demo").resolve(PoolAuthority.CERTIFICATE);
        return Identity.stored(file)
                .trusting(Trust.read(List.of(root), List.of(file), Clock.TIME_OF_DAY));
    }

    private Join to(String pool) {
        return Join.pool(pool).hub("localhost:" + hub.port()).limit(LONG);
    }

    private static InetSocketAddress at(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    private Refusal refusal(Purpose purpose, String pool, int port) throws IOException {
        var hello = new Hello(purpose, pool, hub.id(), "", "");
        var handshake = new Handshake(Identity.create(), threads, LONG);
        try (var channel = SocketChannel.open(at(port))) {
            handshake.initiate(new SocketPath(channel), hello);
            throw new AssertionError(purpose + " of pool '" + pool + "' was welcome at " + port);
        } catch (HandshakeRefused e) {
            return e.refusal();
        }
    }

    /// All that there are, so that one which is added is asked about here.
    @ParameterizedTest
    @EnumSource
    void a_stranger_is_refused_whatever_for_and_whatever_pool_it_names(Purpose purpose)
            throws Exception {
        var refusal =
                switch (purpose) {
                    case BOOTSTRAP, ROUTED, INVITATION -> Refusal.POOL;
                    case SERVICE, DATA, TRIAL, SHARED, DATAGRAMS -> Refusal.PURPOSE;
                };
        for (var pool : List.of("other", "Demo", "demo ", "dem", "demo2", "x".repeat(64))) {
            assertThat(refusal(purpose, pool, hub.port())).as(pool).isEqualTo(refusal);
            assertThat(refusal(purpose, pool, hub.observerPort()))
                    .as(pool)
                    .isEqualTo(Refusal.PURPOSE);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"BOOTSTRAP", "ROUTED"})
    void a_stranger_that_names_no_pool_is_refused(Purpose purpose) throws Exception {
        assertThat(refusal(purpose, "", hub.port())).isEqualTo(Refusal.POOL);
    }

    /// Who has been given a code names no pool: the code says whom it wants.
    @ParameterizedTest
    @ValueSource(bytes = {1, 2, 3, 4, 5, 6, 7, 8, 9})
    void a_stranger_with_a_code_says_nothing_but_a_call(byte first) throws Exception {
        var handshake = new Handshake(Identity.create(), threads, LONG);
        try (var channel = SocketChannel.open(at(hub.port()))) {
            var proved = handshake.initiate(new SocketPath(channel), Hello.invitation(""));
            try (var link = ControlLink.over(proved, threads, ControlLink.Limits.DEFAULT)) {
                link.send(new byte[] {first, 0, 0, 0});
                assertThat(link.receive()).isNull();
            }
        }
    }

    @Test
    void a_stranger_that_asks_is_told_its_own_address_and_no_more() throws Exception {
        for (int port : new int[] {hub.port(), hub.observerPort()}) {
            try (var socket = new Socket()) {
                socket.connect(at(port));
                socket.getOutputStream().write(new Prelude.Observe().encode());
                var address = (InetSocketAddress) socket.getLocalSocketAddress();
                var said = socket.getInputStream().readNBytes(2 + 1 + 4 + 2);
                var in = new ControlReader(said);
                assertThat(in.u16("other port"))
                        .isEqualTo(port == hub.port() ? hub.observerPort() : 0);
                assertThat(AddressCoding.read(in)).isEqualTo(address);
                socket.getOutputStream().write(7); // whatever it says next
                assertThat(socket.getInputStream().read()).isNegative();
            }
        }
    }

    @Test
    void the_refusal_says_what_to_do() {
        for (boolean open : new boolean[] {false, true}) {
            assertThatThrownBy(() -> Node.join(to("other").open(open)))
                    .isInstanceOf(JoinRefused.NoSuchPool.class)
                    .hasMessageContaining("this hub has no authority for pool 'other'")
                    .hasMessageContaining("correct the pool's name")
                    .hasMessageEndingWith("or with --other-pools")
                    .hasMessageNotContaining("demo");
        }
        assertThatThrownBy(() -> Visitor.of(to("x".repeat(64))))
                .isInstanceOf(JoinRefused.NoSuchPool.class)
                .hasMessageEndingWith("or with --other-pools");
    }

    @Test
    void a_hub_that_is_told_to_takes_other_pools_beside_its_own() throws Exception {
        start(options -> options.connecting(ConnectionUse.DEFAULT.otherPools(true)));
        try (var member = Node.join(to("demo").identity(issued("one", Role.NODE)));
                var other = Node.join(to("other"))) {
            assertThat(member.rank()).isZero();
            assertThat(other.rank()).isZero();
        }
        assertThatThrownBy(() -> Node.join(to("demo"))).isInstanceOf(JoinRefused.NotTrusted.class);
    }

    @Test
    void pools_that_strangers_fill_keep_no_member_out() throws Exception {
        start(options ->
                options.connecting(ConnectionUse.DEFAULT.otherPools(true))
                        .bounds(new Bounds(LONG, 2, 2, 8)));
        try (var _ = Node.join(to("any"));
                var _ = Node.join(to("other"))) {
            for (var pool : List.of("any", "third")) {
                assertThatThrownBy(() -> Node.join(to(pool)))
                        .isInstanceOf(JoinRefused.HubFull.class);
            }
            try (var one = Node.join(to("demo").identity(issued("one", Role.NODE)));
                    var two = Node.join(to("demo").identity(issued("two", Role.NODE)))) {
                assertThat(one.rank() + two.rank()).isEqualTo(1);
                var three = to("demo").identity(issued("three", Role.NODE));
                assertThatThrownBy(() -> Node.join(three)).isInstanceOf(JoinRefused.HubFull.class);
            }
        }
    }

    private ProbeResult probe(String pool, Identity as) throws IOException {
        var handshake =
                new Handshake(
                        as,
                        threads,
                        LONG,
                        new Vetting(as.trust(), Declarations.NONE, Catalog.NONE));
        try (var channel = SocketChannel.open(at(hub.port()))) {
            var proved =
                    handshake.initiate(new SocketPath(channel), Hello.bootstrap(pool, hub.id()));
            try (var link = ControlLink.over(proved, threads, ControlLink.Limits.DEFAULT)) {
                link.send(
                        RequestCoding.encode(new Request.Probe(7, hub.port(), UUID.randomUUID())));
                var told = (Reply.Probed) ReplyCoding.decode(link.receive());
                return told.passage();
            }
        }
    }

    /// From the same address, for which the hub counts.
    @Test
    void probes_that_strangers_ask_for_leave_a_member_its_own() throws Exception {
        start(options -> options.connecting(ConnectionUse.DEFAULT.otherPools(true)));
        int most = 12;
        for (int i = 0; i < most; i++) {
            assertThat(probe("any" + i, Identity.create())).isNotEqualTo(ProbeResult.UNTRIED);
        }
        assertThat(probe("other", Identity.create())).isEqualTo(ProbeResult.UNTRIED);
        assertThat(probe("demo", issued("one", Role.NODE))).isNotEqualTo(ProbeResult.UNTRIED);
    }
}
