package org.ibidem.authority;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.ibidem.Logged;
import org.ibidem.accept.HubPlace;
import org.ibidem.arbitration.Clock;
import org.ibidem.arbitration.Threads;
import org.ibidem.control.ControlLink;
import org.ibidem.handshake.Handshake;
import org.ibidem.handshake.Hello;
import org.ibidem.hub.Hub;
import org.ibidem.identity.Identity;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.ibidem.trust.InvitationMessage;
import org.ibidem.trust.Role;
import org.ibidem.trust.Standing;
import org.ibidem.trust.Trust;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Who has a code gets in, once; who has another one does not.
@Timeout(120)
@Tag("slow")
class InvitationTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration MONTH = Duration.ofDays(30);
    private static final int WRONG = 1000;
    private static final int SLOTS = 5;

    /// So many calls of one address may come to nothing within a minute, and the wrong codes.
    private static final int EARNEST = 50;

    private static final String UNHEARD = "calls from this address came to nothing within a minute";

    @TempDir Path folder;

    private final Threads threads = new Threads("test");
    private PoolAuthority demo;
    private Hub hub;

    @BeforeEach
    void begin() throws Exception {
        demo = PoolAuthority.create(folder.resolve("demo"), "demo", new char[0], MONTH);
        var file = folder.resolve("hub");
        PoolAuthority.write(file, demo.issue("hub", new Standing("demo", Role.HUB, ""), MONTH));
        var root = folder.resolve("demo").resolve(PoolAuthority.CERTIFICATE);
        var identity =
                Identity.stored(file)
                        .trusting(Trust.read(List.of(root), List.of(file), Clock.TIME_OF_DAY));
        hub = Hub.start(Hub.Options.DEFAULT.port(0).identity(identity));
    }

    @AfterEach
    void end() {
        hub.close();
        threads.close();
    }

    private String place() {
        return "127.0.0.1:" + hub.port();
    }

    private Invitation invitation(PoolAuthority authority, Duration open) {
        var standing = new Standing(authority.pool(), Role.NODE, "lyon");
        var guest = new Invitation.Guest("worker", standing, MONTH, open);
        return Invitation.offer(authority, place(), guest, threads);
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

    private Joining join(OneTimeCode code, Identity who) {
        return Joining.by(code, place(), who, threads, LONG);
    }

    /// One that is not that.
    private static OneTimeCode wrong(OneTimeCode code) {
        char last = code.secret().charAt(5) == '0' ? '1' : '0';
        return new OneTimeCode(code.slot(), code.secret().substring(0, 5) + last);
    }

    private void assertWrong(OneTimeCode code, String why) {
        assertThatThrownBy(() -> join(code, Identity.create()))
                .isInstanceOf(AuthorityFailed.class)
                .hasMessageContaining(why);
    }

    @Test
    void who_has_the_code_gets_a_certificate_with_which_it_joins() throws Exception {
        var file = folder.resolve("node.pem");
        var root = folder.resolve("authority.pem");
        try (var invitation = invitation(demo, LONG)) {
            var done = awaited(invitation);
            var who = Identity.stored(file);
            var typed =
                    OneTimeCode.parse(" " + invitation.code().toString().toUpperCase(Locale.ROOT));
            var got = join(typed, who);
            done.get(60, TimeUnit.SECONDS);
            assertThat(got.name()).isEqualTo("worker");
            assertThat(got.pool()).isEqualTo("demo");
            got.write(file, root);
            assertWrong(invitation.code(), "nobody invites with a code that begins with ");
        }
        var trust = Trust.read(List.of(root), List.of(file), Clock.TIME_OF_DAY);
        assertThat(trust.site("demo")).isEqualTo("lyon");
        var join = Join.pool("demo").hub("127.0.0.1:" + hub.port()).limit(LONG);
        try (var node = Node.join(join.identity(Identity.stored(file).trusting(trust)))) {
            assertThat(node.rank()).isZero();
        }
        assertThat(demo.numbers("worker")).as("it can be revoked").hasSize(1);
        assertThat(Files.getPosixFilePermissions(file).toString()).doesNotContain("GROUP");
    }

    @Test
    void three_wrong_codes_end_that_invitation_and_no_other() throws Exception {
        try (var one = invitation(demo, LONG);
                var other = invitation(demo, LONG)) {
            var burned = awaited(one);
            var done = awaited(other);
            assertWrong(wrong(one.code()), "attempts left: 2");
            assertWrong(wrong(one.code()), "attempts left: 1");
            assertWrong(wrong(one.code()), "it is no longer valid: ask for another code");
            assertThatThrownBy(() -> burned.get(60, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasMessageContaining("three wrong codes were tried");
            assertWrong(one.code(), "nobody invites with a code that begins with ");
            assertWrong(wrong(other.code()), "attempts left: 2");
            assertThat(join(other.code(), Identity.create()).name()).isEqualTo("worker");
            done.get(60, TimeUnit.SECONDS);
        }
    }

    /// What the hub says to a call that is not meant in earnest.
    private String call(int slot) {
        try (var link = caller(slot)) {
            assertThat(link.receive()).isNull();
            return String.valueOf(link.ending());
        }
    }

    /// Two of each slot are tried in earnest, which costs both ends something; of the others most
    /// are not heard at all.
    @Test
    void a_thousand_wrong_codes_over_many_slots_let_nobody_in_and_a_right_one_still_does()
            throws Exception {
        var open = new ArrayList<Invitation>();
        try (var log = new Logged("org.ibidem.hub.Invitations")) {
            for (int i = 0; i < SLOTS; i++) {
                open.add(invitation(demo, LONG));
            }
            var right = open.getFirst();
            var done = open.stream().map(this::awaited).toList();
            for (var each : open) {
                assertWrong(wrong(each.code()), "attempts left: 2");
                assertWrong(wrong(each.code()), "attempts left: 1");
            }
            int unheard = 0;
            for (int i = 2 * SLOTS; i < WRONG; i++) {
                // The right one's slot is spared: on a slow machine a minute passes meanwhile.
                int slot = i % 2 == 0 ? open.get(1 + i % (SLOTS - 1)).code().slot() : i;
                unheard += call(i < EARNEST ? unused(open, i) : slot).contains(UNHEARD) ? 1 : 0;
            }
            assertThat(unheard).isGreaterThan(WRONG * 3 / 4);
            assertThatThrownBy(() -> demo.numbers("worker"))
                    .as("nobody got in")
                    .hasMessageContaining("has issued nothing to that name");
            assertThat(log.lines()).anyMatch(line -> line.contains("too many calls from its"));
            assumeTrue(
                    hub.addresses().stream().anyMatch(each -> isOfSix(each.getAddress())),
                    "this machine has one loopback address");
            var elsewhere = "[::1]:" + hub.port();
            var got = Joining.by(right.code(), elsewhere, Identity.create(), threads, LONG);
            assertThat(got.name()).isEqualTo("worker");
            done.getFirst().get(60, TimeUnit.SECONDS);
        } finally {
            open.forEach(Invitation::close);
        }
    }

    private static boolean isOfSix(InetAddress address) {
        return address instanceof Inet6Address;
    }

    private static int unused(List<Invitation> open, int from) {
        int slot = from;
        while (isUsed(open, slot)) {
            slot++;
        }
        return slot;
    }

    private static boolean isUsed(List<Invitation> open, int slot) {
        return open.stream().anyMatch(each -> each.code().slot() == slot);
    }

    @Test
    void a_code_counts_for_its_time() throws Exception {
        try (var invitation = invitation(demo, Duration.ofSeconds(1))) {
            assertThatThrownBy(invitation::await)
                    .isInstanceOf(AuthorityFailed.class)
                    .hasMessageContaining("the time of this invitation is over");
            assertWrong(invitation.code(), "its time is over");
        }
    }

    @Test
    void only_the_pools_own_administrators_invite_at_a_hub_of_the_pool() throws Exception {
        var imposter = PoolAuthority.create(folder.resolve("false"), "demo", new char[0], MONTH);
        assertThatThrownBy(() -> invitation(imposter, LONG)).hasMessageContaining("not trusted");
        var free = PoolAuthority.create(folder.resolve("free"), "free", new char[0], MONTH);
        assertThatThrownBy(() -> invitation(free, LONG))
                .hasMessageContaining("this hub has no authority for pool 'free'");
        var member = new Standing("demo", Role.NODE, "");
        var file = folder.resolve("member");
        PoolAuthority.write(file, demo.issue("member", member, MONTH));
        var root = folder.resolve("demo").resolve(PoolAuthority.CERTIFICATE);
        var trust = Trust.read(List.of(root), List.of(file), Clock.TIME_OF_DAY);
        var who = Identity.stored(file).trusting(trust);
        assertThatThrownBy(() -> Line.to(place(), "demo", who, threads, LONG))
                .hasMessageContaining("and only 'admin'");
    }

    @Test
    void a_code_is_read_as_people_write_it() {
        var code = new OneTimeCode(47, "k7x01q");
        assertThat(code).hasToString("47-k7x-01q");
        for (var text : List.of("47-k7x-01q", "47-K7XOLQ", " 47 k7x oiq ", "47-k7x01q")) {
            assertThat(OneTimeCode.parse(text)).as(text).isEqualTo(code);
        }
        for (var text : List.of("", "47", "k7x-01q", "0-k7x-01q", "47-k7x-01", "47-k7x-01u")) {
            assertThatThrownBy(() -> OneTimeCode.parse(text))
                    .as(text)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("as in 4711-k7x-m2q");
        }
    }

    /// One that speaks for itself.
    private Line inviter() {
        var who = demo.issuer().speaker("by hand", LONG);
        var line = Line.to(place(), "demo", who, threads, LONG);
        line.say(new InvitationMessage.Offer(60));
        return line;
    }

    private static int slot(Line inviter) {
        return inviter.next() instanceof InvitationMessage.Slot(var slot) ? slot : 0;
    }

    private ControlLink caller(int slot) {
        var handshake = new Handshake(Identity.create(), threads, LONG);
        var proved = HubPlace.parse(place()).dial(handshake, Hello.invitation(""), threads, LONG);
        var link = ControlLink.over(proved, threads, ControlLink.Limits.DEFAULT);
        link.send(new InvitationMessage.Call(slot, new byte[9]).encode());
        return link;
    }

    private static void requireCalled(Line inviter, int call) {
        assertThat(inviter.next())
                .isInstanceOfSatisfying(
                        InvitationMessage.Called.class,
                        called -> assertThat(called.call()).isEqualTo(call));
    }

    @Test
    void who_invites_hears_once_that_a_call_is_over_and_gets_the_next() {
        try (var inviter = inviter()) {
            int slot = slot(inviter);
            try (var _ = caller(slot)) {
                requireCalled(inviter, 1);
            }
            assertThat(inviter.next()).isEqualTo(new InvitationMessage.Over(1, "it has gone"));
            try (var ended = caller(slot)) {
                requireCalled(inviter, 2);
                inviter.say(new InvitationMessage.Over(2, "not now"));
                assertThat(ended.receive()).isNull();
            }
            try (var _ = caller(slot)) {
                requireCalled(inviter, 3);
            }
        }
    }

    @Test
    void calls_that_got_what_they_came_for_do_not_count_against_their_address() {
        try (var inviter = inviter()) {
            int slot = slot(inviter);
            for (int call = 1; call <= 30; call++) {
                try (var ended = caller(slot)) {
                    requireCalled(inviter, call);
                    inviter.say(new InvitationMessage.Over(call, ""));
                    assertThat(ended.receive()).isNull();
                }
            }
            assertThat(call(slot + 1)).contains("nobody invites").doesNotContain(UNHEARD);
        }
    }
}
