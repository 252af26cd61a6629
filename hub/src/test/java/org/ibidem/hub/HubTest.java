package org.ibidem.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.eventually;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.ibidem.accept.CannotListen;
import org.ibidem.control.Ending;
import org.ibidem.identity.Identity;
import org.ibidem.registry.Departed;
import org.ibidem.registry.HubUnreachable;
import org.ibidem.registry.Join;
import org.ibidem.registry.JoinRefused.IdInUse;
import org.ibidem.registry.JoinRefused.PoolClosed;
import org.ibidem.registry.JoinRefused.PoolFull;
import org.ibidem.registry.JoinRefused.RankTaken;
import org.ibidem.registry.JoinRefused.SizeDiffers;
import org.ibidem.registry.Member;
import org.ibidem.registry.Membership;
import org.ibidem.registry.Node;
import org.ibidem.registry.NotAMember;
import org.ibidem.registry.PoolEvent;
import org.ibidem.registry.TooFewMembers;
import org.ibidem.registry.access.Runtimes;
import org.ibidem.registry.operation.Diagnosis;
import org.ibidem.topology.Location;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class HubTest {
    private static final Duration LONG = Heard.LONG;

    private final Hub hub = Hub.start(Hub.Options.DEFAULT.port(0));
    private final List<Node> nodes = new ArrayList<>();

    @AfterEach
    void end() {
        nodes.forEach(Node::close);
        hub.close();
    }

    @Test
    void its_second_port_is_the_one_that_was_chosen_or_it_says_why_not() throws Exception {
        int port = free();
        try (var taken = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            assertThat(taken.isBound()).isTrue();
            assertThatThrownBy(() -> Hub.start(Hub.Options.DEFAULT.port(0).observer(port)).close())
                    .isInstanceOf(CannotListen.class)
                    .hasMessageContaining("port " + port);
        }
        try (var other = Hub.start(Hub.Options.DEFAULT.port(0).observer(port))) {
            assertThat(other.observerPort()).isEqualTo(port).isNotEqualTo(other.port());
        }
    }

    @Test
    void nodes_that_join_see_each_other_with_ranks_and_locations() {
        var one = join(to("demo").location(Location.parse("a@x")));
        var two = join(to("demo").location(Location.parse("b@y")));
        var members = one.awaitMembers(2, LONG);
        assertThat(members)
                .containsExactly(
                        new Member(one.id(), 0, Location.parse("a@x")),
                        new Member(two.id(), 1, Location.parse("b@y")));
        assertThat(two.members()).isEqualTo(members);
        assertThat(two.member(0)).contains(members.getFirst());
        assertThat(two.rank()).isEqualTo(1);
        assertThat(one.observedAddress()).contains(":");
    }

    @Test
    void what_a_program_says_of_its_node_is_seen_by_the_others() {
        var said = new byte[] {1, -2, 0};
        var one = join(to("demo").tag(said));
        said[0] = 9;
        var two = join(to("demo"));
        assertThat(two.member(one.id()).orElseThrow().tag().bytes()).containsExactly(1, -2, 0);
        assertThat(one.awaitMembers(2, LONG).getLast().tag().size()).isZero();
        assertThatThrownBy(() -> to("demo").tag(new byte[257]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a tag has at most 256 bytes, not 257");
    }

    @Test
    @Tag("slow")
    void pools_do_not_see_each_other() {
        var one = join(to("one"));
        join(to("other"));
        assertThatThrownBy(() -> one.awaitMembers(2, Duration.ofMillis(50)))
                .isInstanceOf(TooFewMembers.class)
                .hasMessageContaining("has 1 members");
    }

    @Test
    @Tag("slow")
    void one_who_leaves_has_left_and_is_not_dead() {
        var one = join(to("demo"));
        var heard = Heard.by(one);
        var two = join(to("demo"));
        two.close();
        two.close();
        assertThat(heard.await(PoolEvent.Left.class).member().id()).isEqualTo(two.id());
        assertThat(one.members()).hasSize(1);
    }

    @Test
    void a_late_consumer_hears_of_present_members_first() {
        var one = join(to("demo"));
        var two = join(to("demo"));
        var heard = Heard.by(two);
        heard.await(
                event -> event.equals(new PoolEvent.Joined(one.members().getFirst())), "node one");
        join(to("demo"));
        heard.await(
                event -> event instanceof PoolEvent.Joined(var member) && member.rank() == 2,
                "node three");
        assertThat(heard.all()).hasSize(3);
    }

    @Test
    @Tag("slow")
    void each_refusal_has_its_own_exception() {
        var identity = Identity.create();
        var first = join(to("pair").size(2).rank(0).identity(identity));
        assertThatThrownBy(() -> join(to("pair").size(2).rank(0))).isInstanceOf(RankTaken.class);
        assertThatThrownBy(() -> join(to("pair").size(3))).isInstanceOf(SizeDiffers.class);
        assertThatThrownBy(() -> join(to("pair").size(2).identity(identity)))
                .isInstanceOf(IdInUse.class);
        var second = join(to("pair").size(2));
        assertThatThrownBy(() -> join(to("pair").size(2))).isInstanceOf(PoolFull.class);
        second.close();
        eventually("it has left", () -> first.members().size() == 1);
        assertThatThrownBy(() -> join(to("pair").size(2))).isInstanceOf(PoolClosed.class);
    }

    @Test
    void no_hub_there_says_what_was_tried_and_why_each_failed() throws Exception {
        try (var taken = SocketChannel.open()) { // by nobody who listens, nor can
            taken.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            var nobody = "127.0.0.1:" + taken.socket().getLocalPort();
            var join = Join.pool("demo").hub(nobody).hub("no-such-host.invalid:1");
            assertThatThrownBy(() -> join(join))
                    .isInstanceOf(HubUnreachable.class)
                    .hasMessageContaining(nobody)
                    .hasMessageContaining("refused")
                    .hasMessageContaining("no-such-host.invalid");
        }
    }

    @Test
    void a_hubs_name_that_nobody_has_is_said_to_be_that() {
        assertThatThrownBy(() -> join(Join.pool("demo").hub("no-such-host.invalid:1")))
                .isInstanceOf(HubUnreachable.class)
                .hasMessageContaining(
                        "hub no-such-host.invalid:1: no host is called 'no-such-host.invalid'");
    }

    @Test
    void a_node_that_is_no_member_is_said_to_be_none_also_when_it_is_one_of_another_pool() {
        var one = join(to("one"));
        var other = join(to("other"));
        for (var nobody : List.of(new NodeId(1, 2), other.id())) {
            assertThatThrownBy(() -> Diagnosis.of(one).ping(nobody, LONG))
                    .isInstanceOf(NotAMember.class)
                    .hasMessage(
                            "node "
                                    + nobody.brief()
                                    + " is no member of pool 'one' now, or has not been heard of"
                                    + " yet");
        }
    }

    @Test
    void the_second_hub_serves_when_the_first_does_not_answer() throws Exception {
        int free;
        try (var socket = new ServerSocket(0)) {
            free = socket.getLocalPort();
        }
        var node = join(Join.pool("demo").hub("localhost:" + free).hub("localhost:" + hub.port()));
        assertThat(node.rank()).isZero();
    }

    @Test
    void a_port_that_is_taken_is_said() {
        assertThatThrownBy(() -> Hub.start(Hub.Options.DEFAULT.port(hub.port())))
                .isInstanceOf(CannotListen.class)
                .hasMessageContaining(String.valueOf(hub.port()));
    }

    @Test
    @Tag("slow")
    void a_contact_is_looked_up_and_remembered_and_is_none_for_strangers() {
        var one = join(to("demo"));
        var two = join(to("demo"));
        one.awaitMembers(2, LONG);
        var contact = one.contact(two.id()).orElseThrow();
        assertThat(contact.addresses()).isEqualTo(Runtimes.of(two).listener().addresses());
        assertThat(one.contact(new NodeId(1, 2))).isEmpty();
        hub.close();
        Heard.by(one).await(PoolEvent.HubLost.class); // told at once when it is lost already
        assertThat(one.contact(two.id())).contains(contact);
    }

    @Test
    @Tag("slow")
    void what_needs_a_lost_hub_says_so_when_its_time_is_over() {
        var one = join(to("demo"));
        var heard = Heard.by(one);
        hub.close();
        heard.await(PoolEvent.HubLost.class);
        assertThatThrownBy(() -> one.contact(new NodeId(1, 2), Duration.ofMillis(100)))
                .isInstanceOf(HubUnreachable.class)
                .hasMessageContaining("lost");
    }

    @Test
    @Tag("slow")
    void a_connection_that_ends_without_a_leave_is_a_death_and_final() throws Exception {
        var watcher = join(to("demo"));
        var heard = Heard.by(watcher);
        var identity = Identity.create();
        var victim = join(to("demo").identity(identity));
        watcher.awaitMembers(2, LONG);
        Links.cut(victim);
        assertThat(heard.await(PoolEvent.Died.class).why()).contains("without a leave");
        assertThatThrownBy(() -> victim.awaitMembers(9, LONG))
                .isInstanceOf(Departed.class)
                .hasMessageContaining("without a leave");
        assertThatThrownBy(() -> join(to("demo").identity(identity))).isInstanceOf(Departed.class);
        assertThat(join(to("demo")).rank()).isEqualTo(1);
    }

    @Test
    void a_reset_while_the_listener_still_answers_is_no_death() {
        var watcher = join(to("demo"));
        var heard = Heard.by(watcher);
        var victim = join(to("demo"));
        watcher.awaitMembers(2, LONG);
        Links.reset(victim);
        heard.await(PoolEvent.Suspected.class);
        heard.await(PoolEvent.Restored.class);
        assertThat(watcher.members()).hasSize(2);
        assertThat(victim.rank()).isEqualTo(1);
    }

    @Test
    void a_reset_and_a_refused_connection_prove_a_death() throws Exception {
        var heard = Heard.by(join(to("demo")));
        int free;
        try (var socket = new ServerSocket(0)) {
            free = socket.getLocalPort();
        }
        try (var stranger = new Stranger(hub, "demo")) {
            stranger.attach(new InetSocketAddress(InetAddress.getLoopbackAddress(), free));
            heard.await(
                    event -> event instanceof PoolEvent.Joined(var member) && member.rank() == 1,
                    "the stranger");
            Links.reset(stranger.link);
            assertThat(heard.await(PoolEvent.Died.class).why()).contains("nobody listens");
        }
    }

    @Test
    void a_reset_before_the_listener_is_closed_proves_a_death_once_it_is() throws Exception {
        var heard = Heard.by(join(to("demo")));
        try (var stranger = new Stranger(hub, "demo")) {
            try (var listener = new ServerSocket(0, 9, InetAddress.getLoopbackAddress())) {
                stranger.attach(
                        new InetSocketAddress(
                                InetAddress.getLoopbackAddress(), listener.getLocalPort()));
                heard.await(
                        event -> event instanceof PoolEvent.Joined(var who) && who.rank() == 1,
                        "the stranger");
                Links.reset(stranger.link);
                heard.await(PoolEvent.Suspected.class);
                listener.setSoTimeout(10_000);
                listener.accept().close(); // the first probe
            }
            assertThat(heard.await(PoolEvent.Died.class).why()).contains("nobody listens");
        }
    }

    @Test
    void garbage_after_the_handshake_ends_that_connection_only() throws Exception {
        var one = join(to("demo"));
        try (var logged = new Logged(Hub.class);
                var stranger = new Stranger(hub, "demo")) {
            stranger.link.send(new byte[] {99, 1, 2, 3});
            assertThat(stranger.link.receive()).isNull();
            assertThat(stranger.link.ending()).isInstanceOf(Ending.EndOfStream.class);
            var line = logged.next();
            while (!line.contains(stranger.id().toString())) { // other hubs of this JVM speak, too
                line = logged.next();
            }
            assertThat(line)
                    .startsWith("WARNING connection of node " + stranger.id() + " of pool demo")
                    .contains("closed: ", "99");
        }
        join(to("demo"));
        assertThat(one.awaitMembers(2, LONG)).hasSize(2);
    }

    @Test
    void a_hub_that_was_ended_and_started_again_has_the_same_members_and_nobody_died() {
        var one = join(to("demo").size(3));
        var two = join(to("demo").size(3));
        var three = join(to("demo").size(3));
        var heard = List.of(Heard.by(one), Heard.by(two), Heard.by(three));
        one.awaitMembers(3, LONG);
        hub.close();
        heard.forEach(each -> each.await(PoolEvent.HubLost.class));
        try (var again = Hub.start(Hub.Options.DEFAULT.port(hub.port()))) {
            heard.forEach(each -> each.await(PoolEvent.HubBack.class));
            assertThatThrownBy(() -> join(to("demo"))).isInstanceOf(PoolFull.class);
            assertThat(three.contact(one.id())).isPresent();
            three.close();
            heard.getFirst().await(PoolEvent.Left.class);
            assertThat(heard.getFirst().all()).noneMatch(event -> event instanceof PoolEvent.Died);
            assertThat(again.port()).isEqualTo(hub.port());
            one.close();
            two.close();
        }
    }

    @Tag("slow")
    @Test
    void two_hundred_nodes_in_one_jvm_see_the_same_changes_in_the_same_order() throws Exception {
        var first = join(to("crowd"));
        var heard = new ArrayList<Heard>();
        heard.add(Heard.by(first));
        var joiners = new ArrayList<Thread>();
        for (int i = 1; i < 200; i++) {
            joiners.add(
                    Thread.ofVirtual()
                            .start(() -> {
                                var node = join(to("crowd").limit(LONG));
                                synchronized (heard) {
                                    heard.add(Heard.by(node));
                                }
                            }));
        }
        for (var joiner : joiners) {
            joiner.join();
        }
        var everybody = first.awaitMembers(200, LONG);
        for (var node : List.copyOf(nodes)) {
            assertThat(node.awaitMembers(200, LONG)).isEqualTo(everybody);
        }
        // From here on all of them hear everything.
        for (int i = 0; i < 5; i++) {
            join(to("crowd")).close();
        }
        var expected = changesAfter(heard.getFirst(), 5);
        for (var each : heard) {
            assertThat(changesAfter(each, 5)).isEqualTo(expected);
        }
    }

    private static List<PoolEvent> changesAfter(Heard heard, int leaves) {
        heard.await(
                _ ->
                        heard.all().stream()
                                        .filter(event -> event instanceof PoolEvent.Left)
                                        .count()
                                == leaves,
                leaves + " leaves");
        var all = heard.all();
        return all.subList(all.size() - 2 * leaves, all.size());
    }

    private Join to(String pool) {
        return Join.pool(pool).hub("localhost:" + hub.port()).membership(Membership.ORDERED);
    }

    private Node join(Join join) {
        var node = Node.join(join);
        synchronized (nodes) {
            nodes.add(node);
        }
        return node;
    }

    private static int free() throws IOException {
        try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }
}
