package org.ibidem.handshake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.ibidem.arbitration.Clock;
import org.ibidem.arbitration.Threads;
import org.ibidem.authority.PoolAuthority;
import org.ibidem.config.Settings;
import org.ibidem.connect.Declarations;
import org.ibidem.connect.SocketPath;
import org.ibidem.handshake.Vetting.Ends;
import org.ibidem.identity.Identity;
import org.ibidem.identity.Shown;
import org.ibidem.link.Catalog;
import org.ibidem.peer.Purpose;
import org.ibidem.trust.Role;
import org.ibidem.trust.Standing;
import org.ibidem.trust.Trust;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What two ends demand of each other in a pool that has an authority.
class VettingTest {
    private static final Duration MONTH = Duration.ofDays(30);

    @TempDir Path folder;

    private final Threads threads = new Threads("test");
    private PoolAuthority demo;

    @BeforeEach
    void make() {
        demo = PoolAuthority.create(folder.resolve("demo"), "demo", new char[0], MONTH);
    }

    @AfterEach
    void close() {
        threads.close();
    }

    private Identity member(String name, String site) throws Exception {
        var file = folder.resolve(name);
        PoolAuthority.write(file, demo.issue(name, new Standing("demo", Role.NODE, site), MONTH));
        var root = folder.resolve("demo").resolve(PoolAuthority.CERTIFICATE);
        return Identity.stored(file)
                .trusting(Trust.read(List.of(root), List.of(file), Clock.TIME_OF_DAY));
    }

    /// Lyon has two subnets.
    private static Vetting vetting(Identity who) {
        var set = Map.of("ibidem.site.lyon", "10.1.0.0/16, 10.2.0.0/16");
        var sites = new Declarations(Settings.of(set), List.of());
        return new Vetting(who.trust(), sites, Catalog.found());
    }

    private Handshake of(Identity who) {
        return new Handshake(who, threads, Duration.ofMinutes(2), vetting(who));
    }

    record Outcome(Object client, Object server) {}

    private CompletableFuture<Object> run(Supplier<Proved> end) {
        var result = new CompletableFuture<Object>();
        threads.start(
                "end",
                () -> {
                    try {
                        result.complete(end.get());
                    } catch (RuntimeException e) {
                        result.complete(e);
                    }
                });
        return result;
    }

    private Outcome shake(Identity client, Hello hello, Identity server) throws Exception {
        try (var listening = ServerSocketChannel.open()) {
            listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            var near = new SocketPath(SocketChannel.open(listening.getLocalAddress()));
            var far = new SocketPath(listening.accept());
            var there = run(() -> of(server).respond(far, Admission.ALL));
            var here = run(() -> of(client).initiate(near, hello));
            var outcome = new Outcome(here.join(), there.join());
            near.close();
            far.close();
            return outcome;
        }
    }

    private static void refused(Object outcome, Refusal code, String why) {
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        HandshakeRefused.class,
                        e -> {
                            assertThat(e.refusal()).isEqualTo(code);
                            assertThat(e.reason()).contains(why);
                        });
    }

    @Test
    void a_member_lets_in_no_stranger() throws Exception {
        var member = member("member", "");
        var stranger = Identity.create();
        for (var purpose : List.of(Purpose.SERVICE, Purpose.TRIAL, Purpose.SHARED)) {
            var hello = new Hello(purpose, "demo", member.id(), "", "");
            var outcome = shake(stranger, hello, member);
            refused(outcome.client, Refusal.CERTIFICATE, "it shows no certificate");
            refused(outcome.server, Refusal.CERTIFICATE, "it shows no certificate");
        }
        var outcome = shake(member, Hello.service("demo", stranger.id()), stranger);
        assertThat(outcome.client)
                .isInstanceOf(Untrusted.class)
                .asString()
                .contains("node " + stranger.id().brief() + " is not trusted");
        assertThat(outcome.server).isInstanceOf(HandshakeFailed.class);
        assertThat(shake(stranger, Hello.service("free", member.id()), member).client)
                .as("a pool without an authority")
                .isInstanceOf(Proved.class);
    }

    @Test
    void both_ends_know_who_can_read_the_data() throws Exception {
        var one = member("one", "");
        var other = member("other", "");
        for (var stacks :
                Map.of(
                                "tcp", "clear: same machine",
                                "tls > tcp", "tls 1.3 aes-256-gcm",
                                "compress > tls > parallel > tcp", "tls 1.3 aes-256-gcm",
                                "shm", "")
                        .entrySet()) {
            var hello = Hello.data("demo", other.id(), stacks.getKey(), "key");
            var outcome = shake(one, hello, other);
            assertThat(((Proved) outcome.client).secrecy()).isEqualTo(stacks.getValue());
            assertThat(((Proved) outcome.server).secrecy()).isEqualTo(stacks.getValue());
        }
    }

    private static InetAddress address(String text) throws Exception {
        return InetAddress.getByName(text);
    }

    private static String clear(Identity who, String site, String shown, String... ends)
            throws Exception {
        var them = new Standing("demo", Role.NODE, site);
        var theirs = new Shown(shown, new byte[0]);
        var both = new Ends(address(ends[0]), address(ends[1]));
        return vetting(who).clear("demo", them, theirs, both);
    }

    @Test
    @Tag("slow")
    void data_in_clear_leave_the_machine_only_within_a_site() throws Exception {
        var lyon = member("lyon", "lyon");
        var nowhere = member("nowhere", "");
        assertThat(clear(lyon, "lyon", "10.2.0.9", "10.1.0.1", "10.2.0.9"))
                .isEqualTo("clear: same site lyon");
        assertThat(clear(nowhere, "", "10.2.0.9", "10.2.0.9", "10.2.0.9"))
                .isEqualTo("clear: same machine");
        var why = "not in clear, as ";
        assertThatThrownBy(() -> clear(lyon, "nice", "10.2.0.9", "10.1.0.1", "10.2.0.9"))
                .isInstanceOf(Untrusted.class)
                .hasMessageContaining(why + "the certificates name the sites 'lyon' and 'nice'");
        assertThatThrownBy(() -> clear(nowhere, "lyon", "10.2.0.9", "10.1.0.1", "10.2.0.9"))
                .hasMessageContaining(why + "not both certificates name a site");
        assertThatThrownBy(() -> clear(lyon, "lyon", "10.3.0.9", "10.1.0.1", "10.3.0.9"))
                .hasMessageContaining("address 10.3.0.9 is not declared for site 'lyon'")
                .hasMessageContaining("put 'tls >' above the driver");
        var hello = Hello.data("demo", lyon.id(), "tcp", "key");
        var them = new Standing("demo", Role.NODE, "lyon");
        var carried = catchThrowable(() -> vetting(lyon).secrecy(hello, them, Shown.NOTHING, null));
        assertThat(carried).hasMessageContaining(why + "the path is not direct");
    }

    @Test
    void who_is_in_between_has_an_address_of_his_own() throws Exception {
        var lyon = member("lyon", "lyon");
        assertThatThrownBy(() -> clear(lyon, "lyon", "10.2.0.9", "10.1.0.1", "10.2.0.66"))
                .isInstanceOf(Untrusted.class)
                .hasMessageContaining("the other end has the address 10.2.0.9")
                .hasMessageContaining("is seen at 10.2.0.66");
        assertThatThrownBy(() -> clear(lyon, "lyon", "10.2.0.9", "127.0.0.1", "127.0.0.1"))
                .hasMessageContaining("is seen at 127.0.0.1");
    }
}
