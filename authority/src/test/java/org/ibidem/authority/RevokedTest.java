package org.ibidem.authority;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.ibidem.arbitration.Clock;
import org.ibidem.hub.Hub;
import org.ibidem.identity.Identity;
import org.ibidem.port.ConnectionLost;
import org.ibidem.port.PortType;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.SendPort;
import org.ibidem.registry.Departed;
import org.ibidem.registry.Events;
import org.ibidem.registry.Join;
import org.ibidem.registry.JoinRefused;
import org.ibidem.registry.Node;
import org.ibidem.registry.PoolEvent;
import org.ibidem.trust.Chain;
import org.ibidem.trust.NotTrusted;
import org.ibidem.trust.RevokedList;
import org.ibidem.trust.Role;
import org.ibidem.trust.Standing;
import org.ibidem.trust.Trust;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Certificates that count no more: who has one is cut off and stays out.
@Timeout(120)
@Tag("slow")
class RevokedTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration SOON = Duration.ofSeconds(5);
    private static final Duration MONTH = Duration.ofDays(30);

    @TempDir Path folder;

    private PoolAuthority demo;
    private Path list;

    @BeforeEach
    void make() {
        demo = PoolAuthority.create(folder.resolve("demo"), "demo", new char[0], MONTH);
        list = folder.resolve("demo").resolve(PoolAuthority.REVOKED);
        demo.revoke(List.of(), MONTH);
    }

    private Identity issued(String name, Role role, InstantSource clock) throws Exception {
        var file = folder.resolve(name);
        PoolAuthority.write(file, demo.issue(name, new Standing("demo", role, ""), MONTH));
        return Identity.stored(file).trusting(trust(name, clock));
    }

    private Trust trust(String name, InstantSource clock) {
        var root = folder.resolve("demo").resolve(PoolAuthority.CERTIFICATE);
        return Trust.read(List.of(root), List.of(folder.resolve(name)), clock);
    }

    private Hub hub() throws Exception {
        var identity = issued("hub", Role.HUB, Clock.TIME_OF_DAY);
        var hub = Hub.start(Hub.Options.DEFAULT.port(0).identity(identity));
        hub.revoked(list);
        return hub;
    }

    private static Join to(Hub hub, Identity who) {
        return Join.pool("demo").hub("localhost:" + hub.port()).limit(LONG).identity(who);
    }

    private Node member(Hub hub, String name) throws Exception {
        return Node.join(to(hub, issued(name, Role.NODE, Clock.TIME_OF_DAY)));
    }

    private static <E extends PoolEvent> E next(Events events, Class<E> kind, Duration limit)
            throws Exception {
        for (var event = events.next(limit); ; event = events.next(limit)) {
            if (kind.isInstance(event.orElseThrow())) {
                return kind.cast(event.get());
            }
        }
    }

    @Test
    void who_is_revoked_is_cut_off_at_once_and_refused_when_it_comes_again() throws Exception {
        var type = PortType.oneToOne().stack("tls > tcp");
        try (var hub = hub();
                var one = member(hub, "one");
                var other = member(hub, "other");
                var third = member(hub, "third");
                var in = ReceivePort.open(one, type, "in");
                var out = SendPort.open(other, type, "out")) {
            third.awaitMembers(3, LONG);
            other.awaitMembers(3, LONG);
            out.connect(one.id(), in.name());
            hello(out); // nobody has read it: a dead node's last words could still be read
            var events = third.events();
            demo.revoke(demo.numbers("other"), MONTH);
            var died = next(events, PoolEvent.Died.class, SOON);
            assertThat(died.member().id()).isEqualTo(other.id());
            assertThat(died.why()).isEqualTo("its certificate was revoked");
            assertThatThrownBy(() -> other.awaitMembers(9, SOON))
                    .isInstanceOf(Departed.class)
                    .hasMessageContaining("its certificate was revoked");
            assertThatThrownBy(() -> say(out)).isInstanceOf(ConnectionLost.class);
            var again = Identity.stored(folder.resolve("other"));
            var back = again.trusting(trust("other", Clock.TIME_OF_DAY));
            assertThatThrownBy(() -> Node.join(to(hub, back)))
                    .isInstanceOf(JoinRefused.NotTrusted.class)
                    .hasMessageContaining("its certificate was revoked at ");
            assertThat(third.signals().send("still here", one.id())).isEqualTo(1);
            assertThat(third.members()).hasSize(2);
        }
    }

    private static void say(SendPort out) {
        for (long end = System.nanoTime() + LONG.toNanos(); System.nanoTime() < end; ) {
            hello(out);
        }
    }

    private static void hello(SendPort out) {
        try (var message = out.newMessage()) {
            message.writeString("hello");
            message.finish();
        }
    }

    @Test
    void a_hub_that_is_revoked_is_left() throws Exception {
        try (var hub = hub();
                var node = member(hub, "node");
                var events = node.events()) {
            demo.revoke(demo.numbers("hub"), MONTH);
            assertThat(next(events, PoolEvent.HubLost.class, SOON).why())
                    .contains("the certificate of this hub was revoked");
        }
    }

    @Test
    void a_list_that_does_not_count_is_not_taken_and_the_one_before_goes_on() throws Exception {
        var empty = RevokedList.read(list);
        var mine = issued("mine", Role.NODE, Clock.TIME_OF_DAY).trust();
        var newer = demo.revoke(demo.numbers("mine"), MONTH);
        assertThat(newer.revoked()).isEqualTo(demo.numbers("mine"));
        assertThat(mine.accept(newer)).isTrue();
        assertThat(mine.accept(newer)).as("the same").isFalse();
        assertThatThrownBy(() -> mine.accept(empty))
                .isInstanceOf(NotTrusted.class)
                .hasMessageContaining("it has number " + empty.number());
        var altered = newer.bytes();
        altered[altered.length - 1] ^= 1;
        assertThatThrownBy(() -> mine.accept(RevokedList.of(altered)))
                .hasMessageContaining("no authority known here has signed it");
        var other = PoolAuthority.create(folder.resolve("other"), "demo", new char[0], MONTH);
        assertThatThrownBy(() -> mine.accept(other.revoke(List.of(), MONTH)))
                .hasMessageContaining("no authority known here has signed it");
        assertThatThrownBy(() -> mine.accept(demo.revoke(List.of(), Duration.ofSeconds(-1))))
                .hasMessageContaining("a newer one was due by");
        assertThat(mine.revokedList("demo").orElseThrow().number()).isEqualTo(newer.number());
        assertThat(mine.revoked("demo")).hasSize(1);
        assertThat(demo.revoke(List.of(), MONTH).revoked())
                .as("it goes on in the next one")
                .isEqualTo(newer.revoked());
    }

    @Test
    void members_ask_the_list_themselves_and_without_a_new_one_let_nobody_in() throws Exception {
        var time = new AtomicReference<>(Instant.now());
        var mine = issued("mine", Role.NODE, time::get).trust();
        issued("his", Role.NODE, Clock.TIME_OF_DAY);
        issued("hub", Role.HUB, Clock.TIME_OF_DAY);
        issued("hers", Role.NODE, Clock.TIME_OF_DAY);
        mine.accept(demo.revoke(demo.numbers("his"), Duration.ofDays(7)));
        assertThatThrownBy(() -> check(mine, "his"))
                .isInstanceOf(NotTrusted.class)
                .hasMessageContaining("its certificate was revoked at ");
        assertThat(check(mine, "hers").role()).isEqualTo(Role.NODE);
        time.set(Instant.now().plus(Duration.ofDays(8)));
        assertThatThrownBy(() -> check(mine, "hers"))
                .hasMessageContaining("has expired: a newer one was due by");
        assertThat(check(mine, "hub").role()).as("of it comes the next").isEqualTo(Role.HUB);
    }

    private Standing check(Trust who, String name) {
        var chain = Chain.read(folder.resolve(name));
        return who.check("demo", chain.key(), chain);
    }

    @Test
    void who_is_to_be_revoked_must_be_known() {
        assertThatThrownBy(() -> demo.numbers("nobody"))
                .isInstanceOf(AuthorityFailed.class)
                .hasMessageContaining("has issued nothing to that name");
        assertThatThrownBy(() -> RevokedList.of(new byte[] {1, 2, 3}))
                .isInstanceOf(NotTrusted.class)
                .hasMessageContaining("cannot be read");
    }
}
