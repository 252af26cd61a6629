package org.ibidem.authority;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.ibidem.IbidemException;
import org.ibidem.arbitration.Clock;
import org.ibidem.hub.Hub;
import org.ibidem.identity.Identity;
import org.ibidem.port.PortType;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.SendPort;
import org.ibidem.registry.Join;
import org.ibidem.registry.JoinRefused;
import org.ibidem.registry.Node;
import org.ibidem.trust.NotTrusted;
import org.ibidem.trust.Role;
import org.ibidem.trust.Standing;
import org.ibidem.trust.Trust;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Certificates and lists that are over soon are warned of, and others take their place while nodes
/// and hubs run, or are started again.
@Timeout(120)
@Tag("slow")
class RenewedTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration MONTH = Duration.ofDays(30);

    @TempDir Path folder;

    private PoolAuthority demo;

    @BeforeEach
    void make() {
        demo = PoolAuthority.create(folder.resolve("demo"), "demo", new char[0], MONTH);
    }

    private Trust trust(String name, InstantSource clock) {
        var root = folder.resolve("demo").resolve(PoolAuthority.CERTIFICATE);
        return Trust.read(List.of(root), List.of(folder.resolve(name)), clock);
    }

    private Identity issued(String name, Role role, Duration lasts, InstantSource clock)
            throws Exception {
        var file = folder.resolve(name);
        PoolAuthority.write(file, demo.issue(name, new Standing("demo", role, ""), lasts));
        return Identity.stored(file).trusting(trust(name, clock));
    }

    private Identity issued(String name, Role role) throws Exception {
        return issued(name, role, MONTH, Clock.TIME_OF_DAY);
    }

    private static Join to(Hub hub, Identity who) {
        return Join.pool("demo").hub("localhost:" + hub.port()).limit(LONG).identity(who);
    }

    /// Puts another certificate into a file, in one go.
    private void renew(String name, Role role, byte[] key) throws Exception {
        var file = folder.resolve(name);
        var fresh = folder.resolve(name + ".new");
        var text = demo.certify(name, new Standing("demo", role, ""), key, MONTH);
        PoolAuthority.write(fresh, text);
        Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING);
    }

    @Test
    void a_running_node_shows_the_certificate_that_was_put_in_the_place_of_its_own()
            throws Exception {
        var time = new AtomicReference<>(Instant.now());
        var who = issued("one", Role.NODE, DAY, Clock.TIME_OF_DAY);
        var options = Hub.Options.DEFAULT.port(0).identity(issued("hub", Role.HUB));
        try (var hub = Hub.start(options);
                var one = Node.join(to(hub, who));
                var other = Node.join(to(hub, issued("other", Role.NODE, MONTH, time::get)));
                var in = ReceivePort.open(other, type(), "in");
                var out = SendPort.open(one, type(), "out")) {
            one.awaitMembers(2, LONG);
            time.set(Instant.now().plus(DAY.multipliedBy(2)));
            assertThatThrownBy(() -> out.connect(other.id(), in.name()))
                    .isInstanceOf(IbidemException.class)
                    .hasMessageContaining("expired");
            var before = who.trust().shown("demo");
            renew("one", Role.NODE, who.key().encoded());
            while (who.trust().shown("demo").equals(before)) {
                Thread.onSpinWait(); // looked at every 2 s
            }
            out.connect(other.id(), in.name());
        }
    }

    private static PortType type() {
        return PortType.oneToOne().stack("tls > tcp");
    }

    @Test
    void what_is_for_something_else_is_not_taken() throws Exception {
        var who = issued("one", Role.NODE);
        var trust = who.trust();
        assertThat(trust.lookAgain()).as("the same").isEmpty();
        renew("one", Role.ADMIN, who.key().encoded());
        assertThat(trust.lookAgain().getFirst())
                .contains("is not taken, the one before remains valid");
        renew("one", Role.NODE, Identity.create().key().encoded());
        assertThat(trust.lookAgain().getFirst()).contains("it is for another key");
        assertThat(trust.lookAgain()).as("said once").isEmpty();
        renew("one", Role.NODE, who.key().encoded());
        assertThat(trust.lookAgain().getFirst()).contains("was renewed, until ");
        trust.requireOwn(who.key().encoded());
    }

    @Test
    void certificates_and_lists_that_are_over_soon_are_warned_of() throws Exception {
        var time = new AtomicReference<>(Instant.now());
        var trust = issued("one", Role.NODE, MONTH, time::get).trust();
        trust.accept(demo.revoke(List.of(), Duration.ofDays(20)));
        assertThat(trust.warnings()).isEmpty();
        time.set(Instant.now().plus(Duration.ofDays(14)));
        assertThat(trust.warnings()).hasSize(1);
        assertThat(trust.warnings().getFirst())
                .startsWith("pool 'demo' admits no node after ")
                .contains("ibidem pool revoke");
        time.set(Instant.now().plus(Duration.ofDays(24)));
        assertThat(trust.warnings().getFirst()).startsWith("this process's certificate expires at");
        assertThat(trust.warnings()).hasSize(2);
    }

    @Test
    void a_hub_that_is_started_again_knows_its_list_and_takes_no_older_one() throws Exception {
        var list = folder.resolve("demo").resolve(PoolAuthority.REVOKED);
        demo.revoke(List.of(), MONTH);
        var older = Files.copy(list, folder.resolve("older"));
        var identity = issued("hub", Role.HUB);
        var bad = issued("bad", Role.NODE);
        demo.revoke(demo.numbers("bad"), MONTH);
        var options = Hub.Options.DEFAULT.port(0).state(folder.resolve("state"));
        try (var hub = Hub.start(options.identity(identity))) {
            hub.revoked(list);
        }
        var again = Identity.stored(folder.resolve("hub"));
        var fresh = again.trusting(trust("hub", Clock.TIME_OF_DAY));
        try (var hub = Hub.start(options.identity(fresh))) {
            assertThatThrownBy(() -> Node.join(to(hub, bad)))
                    .isInstanceOf(JoinRefused.NotTrusted.class)
                    .hasMessageContaining("its certificate was revoked at ");
            assertThatThrownBy(() -> hub.revoked(older))
                    .isInstanceOf(NotTrusted.class)
                    .hasMessageContaining("is known");
        }
    }
}
