package org.ibidem.authority;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.ibidem.arbitration.Clock;
import org.ibidem.arbitration.Threads;
import org.ibidem.hub.Hub;
import org.ibidem.identity.Identity;
import org.ibidem.port.PortType;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.SendPort;
import org.ibidem.registry.Departed;
import org.ibidem.registry.Events;
import org.ibidem.registry.Join;
import org.ibidem.registry.JoinRefused;
import org.ibidem.registry.Node;
import org.ibidem.registry.PoolEvent;
import org.ibidem.trust.Role;
import org.ibidem.trust.Standing;
import org.ibidem.trust.Trust;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A delegate lets nodes in by codes, in the authority's place, until it is revoked: with it go
/// those whom it has let in.
@Timeout(120)
@Tag("slow")
class DelegatedTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration SOON = Duration.ofSeconds(5);
    private static final Duration MONTH = Duration.ofDays(30);

    @TempDir Path folder;

    private final Threads threads = new Threads("test");
    private PoolAuthority demo;
    private Path root;
    private Hub hub;

    @BeforeEach
    void begin() throws Exception {
        demo = PoolAuthority.create(folder.resolve("demo"), "demo", new char[0], MONTH);
        root = folder.resolve("demo").resolve(PoolAuthority.CERTIFICATE);
        demo.revoke(List.of(), MONTH);
        issue("hub", Role.HUB, MONTH);
        hub = Hub.start(Hub.Options.DEFAULT.port(0).identity(identity("hub")));
        hub.revoked(folder.resolve("demo").resolve(PoolAuthority.REVOKED));
    }

    @AfterEach
    void end() {
        hub.close();
        threads.close();
    }

    private Path file(String name) {
        return folder.resolve(name + ".pem");
    }

    private void issue(String name, Role role, Duration lasts) throws Exception {
        var standing = new Standing("demo", role, "");
        PoolAuthority.write(file(name), demo.issue(name, standing, lasts));
    }

    private Identity identity(String name) {
        var trust = Trust.read(List.of(root), List.of(file(name)), Clock.TIME_OF_DAY);
        return Identity.stored(file(name)).trusting(trust);
    }

    private Delegate delegate(String name) {
        return Delegate.open(file(name), file(name), root);
    }

    private String place() {
        return "127.0.0.1:" + hub.port();
    }

    private static Invitation.Guest guest(String name, Role role, String site) {
        return new Invitation.Guest(name, new Standing("demo", role, site), MONTH, LONG);
    }

    private CompletableFuture<Void> awaited(Invitation invitation) {
        var done = new CompletableFuture<Void>();
        threads.start(
                "who invites",
                () -> {
                    try {
                        invitation.await();
                        done.complete(null);
                    } catch (RuntimeException e) {
                        done.completeExceptionally(e);
                    }
                });
        return done;
    }

    /// By a code.
    private Joining joined(Invitation invitation, String name) throws Exception {
        try (invitation) {
            var done = awaited(invitation);
            var who = Identity.stored(file(name));
            var got = Joining.by(invitation.code(), place(), who, threads, LONG);
            got.write(file(name), folder.resolve(name + ".authority"));
            done.get(60, TimeUnit.SECONDS);
            return got;
        }
    }

    /// Without one, as a delegate does it in the end.
    private void admitted(Delegate by, String name) throws Exception {
        var guest = guest(name, Role.NODE, "");
        var key = Identity.stored(file(name)).key().encoded();
        new Joining(name, guest.standing(), demo.certificate(), by.issuer().issue(guest, key))
                .write(file(name), folder.resolve(name + ".authority"));
    }

    private Join as(String name) {
        return Join.pool("demo")
                .hub("127.0.0.1:" + hub.port())
                .limit(LONG)
                .identity(identity(name));
    }

    @Test
    void a_delegate_lets_in_a_node_in_the_authoritys_place_and_nobody_else() throws Exception {
        var guest = new Standing("demo", Role.DELEGATE, "lyon");
        var asked = new Invitation.Guest("front", guest, Delegate.LASTS, LONG);
        var front = joined(Invitation.offer(demo, place(), asked, threads), "front");
        assertThat(front.standing()).isEqualTo(guest);
        var by = delegate("front");
        assertThat(by.until()).isBefore(Instant.now().plus(Delegate.LASTS));

        var node = guest("worker", Role.NODE, "lyon");
        var got = joined(Invitation.offer(by, place(), node, threads), "worker");
        assertThat(got.own().certificates()).hasSize(2);
        assertThat(got.own().until()).as("no longer than the delegate").isEqualTo(by.until());
        assertThat(identity("worker").trust().site("demo")).isEqualTo("lyon");
        try (var one = Node.join(as("worker"))) {
            assertThat(one.rank()).isZero();
        }
        assertThat(Files.readString(folder.resolve("front.pem.issued"))).endsWith(" worker\n");

        assertThatThrownBy(() -> Node.join(as("front")))
                .isInstanceOf(JoinRefused.NotTrusted.class)
                .hasMessageContaining("role 'delegate', and here it would have to be 'node'");
        for (var no : List.of(guest("x", Role.HUB, "lyon"), guest("x", Role.NODE, "nice"))) {
            assertThatThrownBy(() -> Invitation.offer(by, place(), no, threads))
                    .isInstanceOf(AuthorityFailed.class)
                    .hasMessageContaining(" only, not ibidem:demo/");
        }
        assertThatThrownBy(() -> delegate("worker"))
                .isInstanceOf(AuthorityFailed.class)
                .hasMessageContaining("has the role 'node', and only a delegate can admit");
        assertThatThrownBy(() -> issue("long", Role.DELEGATE, MONTH))
                .isInstanceOf(AuthorityFailed.class)
                .hasMessageContaining("a delegate is valid for at most 7 days, not 30");
    }

    @Test
    void with_a_delegate_that_is_revoked_go_its_invitations_and_whom_it_has_let_in()
            throws Exception {
        issue("front", Role.DELEGATE, Delegate.LASTS);
        issue("member", Role.NODE, MONTH);
        var by = delegate("front");
        admitted(by, "worker");
        var type = PortType.oneToOne().stack("tls > tcp");
        try (var member = Node.join(as("member"));
                var worker = Node.join(as("worker"));
                var in = ReceivePort.open(member, type, "in");
                var out = SendPort.open(worker, type, "out");
                var open = Invitation.offer(by, place(), guest("next", Role.NODE, ""), threads)) {
            var invites = awaited(open);
            member.awaitMembers(2, LONG);
            worker.awaitMembers(2, LONG);
            out.connect(member.id(), in.name());
            var events = member.events();
            demo.revoke(demo.numbers("front"), MONTH);
            var died = died(events);
            assertThat(died.member().id()).isEqualTo(worker.id());
            assertThat(died.why()).isEqualTo("its certificate was revoked");
            assertThatThrownBy(() -> worker.awaitMembers(9, SOON)).isInstanceOf(Departed.class);
            assertThatThrownBy(() -> invites.get(SOON.toSeconds(), TimeUnit.SECONDS))
                    .hasMessageContaining("the certificate of the inviting command was revoked");
            assertThatThrownBy(() -> Node.join(as("worker")))
                    .isInstanceOf(JoinRefused.NotTrusted.class)
                    .hasMessageContaining(
                            "the certificate of the delegate that has let it in was revoked at ");
            admitted(by, "late");
            assertThatThrownBy(() -> Node.join(as("late"))).hasMessageContaining("was revoked at ");
            assertThat(member.members()).hasSize(1);
        }
    }

    private static PoolEvent.Died died(Events events) throws Exception {
        for (var event = events.next(SOON); ; event = events.next(SOON)) {
            if (event.orElseThrow() instanceof PoolEvent.Died died) {
                return died;
            }
        }
    }

    @Test
    void one_whom_a_delegate_has_let_in_is_revoked_alone_by_its_file_or_its_number()
            throws Exception {
        issue("front", Role.DELEGATE, Delegate.LASTS);
        var by = delegate("front");
        for (var name : List.of("one", "two", "three")) {
            admitted(by, name);
        }
        var numbers = Files.readAllLines(folder.resolve("front.pem.issued"));
        var second = numbers.get(1).split(" ", -1)[0];
        var trust = identity("three").trust();
        var list = demo.revoke(demo.numbers(file("one").toString()), MONTH);
        trust.accept(list);
        assertRevoked(trust, "one");
        check(trust, "two");
        trust.accept(demo.revoke(demo.numbers(second), MONTH));
        assertRevoked(trust, "two");
        check(trust, "three");
    }

    private void check(Trust trust, String name) {
        var shown = identity(name).trust().shown("demo");
        trust.check("demo", shown.key(), shown);
    }

    private void assertRevoked(Trust trust, String name) {
        assertThatThrownBy(() -> check(trust, name))
                .hasMessageContaining("its certificate was revoked at ");
    }
}
