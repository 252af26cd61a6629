package org.ibidem.authority;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.ibidem.arbitration.Clock;
import org.ibidem.hub.Hub;
import org.ibidem.identity.Identity;
import org.ibidem.port.PortType;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.SendPort;
import org.ibidem.registry.Join;
import org.ibidem.registry.JoinRefused;
import org.ibidem.registry.Node;
import org.ibidem.registry.Visitor;
import org.ibidem.trust.NotTrusted;
import org.ibidem.trust.Role;
import org.ibidem.trust.Standing;
import org.ibidem.trust.Trust;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A pool with an authority: who gets in, who does not and why, and how data travel.
@Tag("slow")
class GovernedPoolTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration MONTH = Duration.ofDays(30);

    @TempDir Path folder;

    private PoolAuthority demo;
    private Identity hubs;

    @BeforeEach
    void make() throws Exception {
        demo = PoolAuthority.create(folder.resolve("demo"), "demo", new char[0], MONTH);
        hubs = issued(demo, "hub", new Standing("demo", Role.HUB, ""));
    }

    private Path file(String name, String text) throws Exception {
        var file = folder.resolve(name);
        PoolAuthority.write(file, text);
        return file;
    }

    private Path roots(PoolAuthority authority) {
        return folder.resolve(authority == demo ? "demo" : "other").resolve("authority.pem");
    }

    private Identity issued(PoolAuthority by, String name, Standing standing) throws Exception {
        return trusting(by, file(name, by.issue(name, standing, MONTH)), Clock.TIME_OF_DAY);
    }

    private Identity trusting(PoolAuthority by, Path file, InstantSource clock) {
        return Identity.stored(file).trusting(Trust.read(List.of(roots(by)), List.of(file), clock));
    }

    private Hub hub() {
        return Hub.start(Hub.Options.DEFAULT.port(0).identity(hubs));
    }

    private static Join to(Hub hub, String pool) {
        return Join.pool(pool).hub("localhost:" + hub.port()).limit(LONG);
    }

    private Node member(Hub hub, String name, String site) throws Exception {
        return Node.join(
                to(hub, "demo")
                        .identity(issued(demo, name, new Standing("demo", Role.NODE, site))));
    }

    private static String way(Node from, Node to, String stack) {
        var type = PortType.oneToOne().stack(stack);
        try (var in = ReceivePort.open(to, type, "in");
                var out = SendPort.open(from, type, "out")) {
            out.connect(to.id(), "in");
            try (var message = out.newMessage()) {
                message.writeString("hello");
                message.finish();
            }
            try (var message = in.receive(LONG)) {
                assertThat(message.readString()).isEqualTo("hello");
            }
            return out.way(out.connections().getFirst()).toString();
        }
    }

    @Test
    void members_reach_each_other_and_say_how() throws Exception {
        try (var hub = hub();
                var one = member(hub, "one", "lyon");
                var other = member(hub, "other", "lyon")) {
            assertThat(one.awaitMembers(2, LONG)).hasSize(2);
            assertThat(way(one, other, "multi(tcp)"))
                    .startsWith("tcp by direct to ")
                    .endsWith(", clear: same machine");
            assertThat(way(one, other, "tls > tcp"))
                    .startsWith("tls > tcp by direct to ")
                    .endsWith(", tls 1.3 aes-256-gcm");
            assertThat(way(one, other, "auto")).startsWith("loopback");
        }
    }

    @Test
    @Tag("slow")
    void nobody_joins_or_looks_in_without_a_certificate() {
        try (var hub = hub()) {
            for (boolean open : new boolean[] {false, true}) {
                assertThatThrownBy(() -> Node.join(to(hub, "demo").open(open)))
                        .isInstanceOf(JoinRefused.NotTrusted.class)
                        .hasMessageContaining("CERTIFICATE")
                        .hasMessageContaining(
                                "pool 'demo' has an authority, and it shows no certificate");
            }
            assertThatThrownBy(() -> Visitor.of(to(hub, "demo")))
                    .hasMessageContaining("shows no certificate");
        }
    }

    @Test
    void a_pools_name_that_is_mistaken_leads_nowhere() throws Exception {
        var mine = issued(demo, "mine", new Standing("demo", Role.NODE, ""));
        try (var hub = hub()) {
            assertThatThrownBy(() -> Node.join(to(hub, "dema").identity(mine)))
                    .isInstanceOf(JoinRefused.NotTrusted.class)
                    .hasMessageContaining("is for pool 'demo', and it is to join pool 'dema'");
        }
    }

    @Test
    void whom_another_authority_vouches_for_is_refused() throws Exception {
        var other = PoolAuthority.create(folder.resolve("other"), "demo", new char[0], MONTH);
        var stranger = issued(other, "stranger", new Standing("demo", Role.NODE, ""));
        try (var hub = hub()) {
            assertThatThrownBy(() -> Node.join(to(hub, "demo").identity(stranger)))
                    .hasMessageContaining("unknown authority");
        }
        // and a hub that it vouches for is none of ours
        var hubsOfOther = issued(other, "hub2", new Standing("demo", Role.HUB, ""));
        var mine = issued(demo, "mine", new Standing("demo", Role.NODE, ""));
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0).identity(hubsOfOther))) {
            assertThatThrownBy(() -> Node.join(to(hub, "demo").identity(mine)))
                    .hasMessageContaining("unknown authority");
        }
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0))) {
            assertThatThrownBy(() -> Node.join(to(hub, "demo").identity(mine)))
                    .hasMessageContaining("is not trusted")
                    .hasMessageContaining("shows no certificate");
        }
    }

    @Test
    void roles_are_not_each_others() throws Exception {
        var node = issued(demo, "node", new Standing("demo", Role.NODE, ""));
        try (var hub = hub()) {
            assertThatThrownBy(() -> Node.join(to(hub, "demo").identity(hubs)))
                    .hasMessageContaining("leads back to this very node");
            var another = issued(demo, "hub2", new Standing("demo", Role.HUB, ""));
            assertThatThrownBy(() -> Node.join(to(hub, "demo").identity(another)))
                    .hasMessageContaining("role 'hub', and here it would have to be 'node'");
        }
        try (var passing = Hub.start(Hub.Options.DEFAULT.port(0).identity(node))) {
            var member = issued(demo, "member", new Standing("demo", Role.NODE, ""));
            assertThatThrownBy(() -> Node.join(to(passing, "demo").identity(member)))
                    .hasMessageContaining("role 'node', and here it would have to be 'hub'");
        }
    }

    @Test
    void clocks_and_dates_are_told() throws Exception {
        var file = file("soon", demo.issue("soon", new Standing("demo", Role.NODE, ""), MONTH));
        var late = Instant.now().plus(Duration.ofDays(33));
        assertThatThrownBy(() -> trusting(demo, file, () -> late))
                .isInstanceOf(NotTrusted.class)
                .hasMessageContaining("cannot take part in pool 'demo'")
                .hasMessageContaining("has expired: it was valid until");
        var early = Instant.now().minus(Duration.ofHours(3));
        assertThatThrownBy(() -> trusting(demo, file, () -> early))
                .hasMessageContaining("is not yet valid")
                .hasMessageContaining("earlier; is a clock wrong?");
        var brief =
                demo.issue("brief", new Standing("demo", Role.NODE, ""), Duration.ofSeconds(-1));
        var before = Instant.now().minus(Duration.ofMinutes(2));
        var expired = trusting(demo, file("brief", brief), () -> before);
        try (var hub = hub()) {
            assertThatThrownBy(() -> Node.join(to(hub, "demo").identity(expired)))
                    .hasMessageContaining("its certificate has expired");
        }
    }

    private Node aging(Hub hub, String name, InstantSource clock) throws Exception {
        var file = file(name, demo.issue(name, new Standing("demo", Role.NODE, ""), MONTH));
        return Node.join(to(hub, "demo").identity(trusting(demo, file, clock)));
    }

    private static void carries(SendPort out, ReceivePort in) {
        for (int i = 0; i < 100; i++) {
            try (var message = out.newMessage()) {
                message.writeInt(i);
                message.finish();
            }
            try (var message = in.receive(LONG)) {
                assertThat(message.readInt()).isEqualTo(i);
            }
        }
    }

    @Test
    void what_runs_goes_on_when_certificates_expire_and_the_next_connection_is_refused()
            throws Exception {
        var time = new AtomicReference<>(Instant.now());
        var type = PortType.manyToOne().stack("tls > tcp");
        try (var hub = hub();
                var one = aging(hub, "one", time::get);
                var other = aging(hub, "other", time::get);
                var in = ReceivePort.open(other, type, "in");
                var out = SendPort.open(one, type, "out");
                var late = SendPort.open(one, type, "late")) {
            out.connect(other.id(), "in");
            carries(out, in);
            time.set(Instant.now().plus(Duration.ofDays(33)));
            carries(out, in);
            assertThatThrownBy(() -> late.connect(other.id(), "in"))
                    .hasMessageContaining("has expired: it was valid until");
            carries(out, in);
        }
    }

    @Test
    void a_certificate_is_for_its_pool_and_its_key() throws Exception {
        var other = PoolAuthority.create(folder.resolve("other"), "other", new char[0], MONTH);
        assertThatThrownBy(() -> other.issue("x", new Standing("demo", Role.NODE, ""), MONTH))
                .hasMessageContaining("authority of pool 'other', not of 'demo'");
        var text = demo.issue("a", new Standing("demo", Role.NODE, ""), MONTH);
        var mine = file("a", text);
        var key = file("key", demo.issue("b", new Standing("demo", Role.NODE, ""), MONTH));
        assertThatThrownBy(() ->
                        Identity.stored(key)
                                .trusting(
                                        Trust.read(
                                                List.of(roots(demo)),
                                                List.of(mine),
                                                Clock.TIME_OF_DAY)))
                .hasMessageContaining("its certificate is another's");
    }

    @Test
    void an_authority_is_its_owners_alone() throws Exception {
        var where = folder.resolve("demo");
        assertThat(mode(where)).isEqualTo("rwx------");
        assertThat(mode(where.resolve("authority.key"))).isEqualTo("rw-------");
        Files.setPosixFilePermissions(where, PosixFilePermissions.fromString("rwxr-xr-x"));
        assertThatThrownBy(() -> PoolAuthority.open(where, new char[0]))
                .hasMessageContaining("chmod 700");
    }

    private static String mode(Path file) throws Exception {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    @Test
    @Tag("slow")
    void an_authority_stays_closed_without_its_passphrase() throws Exception {
        var where = folder.resolve("sealed");
        PoolAuthority.create(where, "sealed", "open sesame".toCharArray(), MONTH);
        assertThat(PoolAuthority.needsPassphrase(where)).isTrue();
        assertThat(Files.readString(where.resolve("authority.key"))).contains("ENCRYPTED");
        assertThatThrownBy(() -> PoolAuthority.open(where, "wrong".toCharArray()))
                .hasMessageContaining("the passphrase is wrong");
        var opened = PoolAuthority.open(where, "open sesame".toCharArray());
        assertThat(opened.pool()).isEqualTo("sealed");
        assertThatThrownBy(() -> PoolAuthority.create(where, "sealed", new char[0], MONTH))
                .hasMessageContaining("there is an authority in");
    }
}
