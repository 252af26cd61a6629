package org.ibidem.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.ibidem.IbidemException;
import org.ibidem.accept.ProbePort;
import org.ibidem.accept.ReachabilityProbe;
import org.ibidem.arbitration.Threads;
import org.ibidem.connect.LocalAddresses;
import org.ibidem.peer.Purpose;
import org.ibidem.registry.Join;
import org.ibidem.registry.Membership;
import org.ibidem.registry.Node;
import org.ibidem.registry.Outlook;
import org.ibidem.registry.PoolEvent;
import org.ibidem.registry.access.Runtimes;
import org.ibidem.registry.operation.Diagnosis;
import org.ibidem.registry.wire.Reply;
import org.ibidem.registry.wire.ReplyCoding;
import org.ibidem.registry.wire.Request;
import org.ibidem.registry.wire.RequestCoding;
import org.ibidem.topology.Egress;
import org.ibidem.topology.Location;
import org.ibidem.topology.NodeId;
import org.ibidem.topology.ProbeResult;
import org.ibidem.topology.Surroundings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/// What members know of their networks, told on through the hub; and what the hub finds out for
/// them.
@Isolated("sets what the whole JVM sees")
class SurroundingsTest {
    private static final Duration LONG = Heard.LONG;
    private static final List<Egress> ANSWERS = List.of(Egress.SYMMETRIC, Egress.PRESERVING);

    private final Hub hub = Hub.start(Hub.Options.DEFAULT.port(0));
    private final List<Node> nodes = new ArrayList<>();
    private final Threads threads = new Threads("test");
    private final Semaphore asked = new Semaphore(0);

    @AfterEach
    void end() {
        nodes.forEach(Node::close);
        hub.close();
        threads.close();
    }

    private Node join(Join join) {
        var node = Node.join(join.hub("localhost:" + hub.port()).membership(Membership.ORDERED));
        nodes.add(node);
        return node;
    }

    private static Surroundings said(Egress egress) {
        return new Surroundings(Location.parse("there"), List.of(), egress, "", "", List.of());
    }

    /// Joins and answers each question with another way out.
    private AtomicInteger attach(Stranger stranger) {
        stranger.attach(new InetSocketAddress(InetAddress.getLoopbackAddress(), 5));
        var questions = new AtomicInteger();
        threads.start(
                "stranger",
                () -> {
                    for (var message = stranger.link.receive();
                            message != null;
                            message = stranger.link.receive()) {
                        if (ReplyCoding.decode(message) instanceof Reply.Describe) {
                            var egress = ANSWERS.get(questions.getAndIncrement());
                            stranger.link.send(
                                    RequestCoding.encode(new Request.Described(said(egress))));
                            asked.release();
                        }
                    }
                });
        return questions;
    }

    @Test
    void a_member_hears_what_another_knows_of_its_network() {
        var one = join(Join.pool("demo").location(Location.parse("a@x")));
        var two = join(Join.pool("demo").location(Location.parse("b@y")));
        var heard = one.surroundings(two.id()).orElseThrow();
        assertThat(heard).isEqualTo(two.surroundings());
        assertThat(heard.location()).isEqualTo(Location.parse("b@y"));
        assertThat(heard.seen()).isEqualTo(two.observedAddress());
        assertThat(one.surroundings(one.id())).contains(one.surroundings());
        assertThat(one.surroundings(new NodeId(1, 2))).isEmpty();
    }

    @Test
    void nobody_is_asked_before_somebody_wants_to_know_and_once_for_all_who_do() throws Exception {
        var one = join(Join.pool("demo"));
        var two = join(Join.pool("demo"));
        try (var stranger = new Stranger(hub, "demo")) {
            var questions = attach(stranger);
            one.awaitMembers(3, LONG);
            assertThat(questions).hasValue(0);
            assertThat(one.surroundings(stranger.id())).contains(said(ANSWERS.getFirst()));
            assertThat(one.surroundings(stranger.id())).contains(said(ANSWERS.getFirst()));
            assertThat(two.surroundings(stranger.id())).contains(said(ANSWERS.getFirst()));
            assertThat(questions).hasValue(1);
        }
    }

    @Test
    void what_one_said_who_is_gone_is_forgotten() throws Exception {
        var one = join(Join.pool("demo"));
        var heard = Heard.by(one);
        try (var stranger = new Stranger(hub, "demo")) {
            attach(stranger);
            one.awaitMembers(2, LONG);
            assertThat(one.surroundings(stranger.id())).isPresent();
            stranger.link.send(RequestCoding.encode(new Request.Leave()));
            heard.await(PoolEvent.Left.class);
            assertThat(one.surroundings(stranger.id())).isEmpty();
        }
    }

    @Test
    void a_member_of_another_pool_hears_nothing() {
        var one = join(Join.pool("one"));
        var other = join(Join.pool("other"));
        assertThat(one.surroundings(other.id())).isEmpty();
    }

    @Test
    void what_was_learnt_of_a_peer_by_dealing_with_it_can_be_asked_for() {
        var one = join(Join.pool("demo"));
        var two = join(Join.pool("demo"));
        assertThat(one.acquaintances()).isEmpty();
        assertThat(one.acquaintance(two.id()).roundTrip()).isEmpty();
        Diagnosis.of(one).ping(two.id(), LONG);
        var known = one.acquaintance(two.id());
        assertThat(known.roundTrip().orElseThrow()).isPositive();
        assertThat(known.worked()).hasSize(1);
        assertThat(known.worked().getFirst().method()).isEqualTo("direct");
        assertThat(known.worked().getFirst().purpose()).isEqualTo(Purpose.SERVICE);
        assertThat(one.acquaintances()).extracting(each -> each.peer()).containsExactly(two.id());
        Runtimes.of(one).gone(two.id(), "no more");
        assertThat(one.acquaintances()).isEmpty();
    }

    @Test
    @Tag("slow")
    void one_who_cannot_be_connected_to_at_once_is_asked_for_the_next_time() throws Exception {
        var one = join(Join.pool("demo").open(true));
        try (var stranger = new Stranger(hub, "demo")) {
            var questions = attach(stranger);
            one.awaitMembers(2, LONG);
            assertThatThrownBy(() -> Diagnosis.of(one).ping(stranger.id(), Duration.ofSeconds(10)))
                    .isInstanceOf(IbidemException.class);
            assertThat(asked.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
            assertThat(one.surroundings(stranger.id())).isPresent();
            assertThat(questions).hasValue(1);
        }
    }

    @Test
    void declared_costs_decide_which_method_is_begun_first() {
        System.setProperty("ibidem.costs", "direct=1min, routed=0ms");
        try {
            var one = join(Join.pool("demo").open(true));
            var two = join(Join.pool("demo").open(true));
            Diagnosis.of(one).ping(two.id(), LONG);
            assertThat(one.acquaintance(two.id()).worked().getFirst().method()).isEqualTo("routed");
        } finally {
            System.clearProperty("ibidem.costs");
        }
    }

    @Test
    void the_hub_probes_a_nodes_port_and_from_the_same_machine_that_says_nothing_of_others()
            throws Exception {
        var node = join(Join.pool("demo").open(true));
        var outlook = node.outlook();
        assertThat(outlook.out()).isNotEmpty();
        assertThat(outlook.out()).anyMatch(out -> out.passage() == ProbeResult.OPEN);
        assertThat(outlook.in())
                .isNotEmpty()
                .allSatisfy(in -> {
                    assertThat(in.port()).isEqualTo(Outlook.Port.LISTENER);
                    assertThat(in.passage()).isEqualTo(ProbeResult.WITHIN);
                    assertThat(in.why()).isEqualTo("the hub is on this machine, too");
                    assertThat(in.at()).endsWith(":" + Runtimes.of(node).listener().port());
                });
        assertThat(outlook.summary())
                .contains("not known from here: the hub is on this machine")
                .doesNotContain("others can connect to this node (");
        assertThat(outlook.egress()).isEqualTo(Egress.UNKNOWN);
        assertThat(node.members()).hasSize(1);
    }

    @Test
    @Tag("slow")
    void a_hub_at_an_address_of_this_machine_says_nothing_of_others_either() throws Exception {
        var mine = LocalAddresses.usable();
        assumeThat(mine).as("an address that is not loopback's").isNotEmpty();
        try (var open = Hub.start(Hub.Options.DEFAULT.port(0).open(true));
                var node =
                        Node.join(Join.pool("demo").hub(text(mine.getFirst(), open)).open(true))) {
            var outlook = node.outlook();
            assertThat(outlook.in())
                    .singleElement()
                    .satisfies(in -> {
                        assertThat(in.passage()).isEqualTo(ProbeResult.WITHIN);
                        assertThat(in.at()).doesNotStartWith("127.");
                    });
            assertThat(outlook.isWithin()).isTrue();
        }
    }

    private static String text(InetAddress address, Hub hub) {
        return Request.Arrival.text(new InetSocketAddress(address, hub.port()));
    }

    @Test
    void one_probe_from_another_machine_says_more_than_those_from_this_one() {
        var here = new Outlook.In(Outlook.Port.LISTENER, true, "[::1]:5", ProbeResult.WITHIN, "");
        var there =
                new Outlook.In(Outlook.Port.LISTENER, false, "10.0.0.1:5", ProbeResult.OPEN, "");
        var outlook = new Outlook(Egress.UNTRANSLATED, List.of(), List.of(here, there));
        assertThat(outlook.isWithin()).isFalse();
        assertThat(outlook.summary()).contains("others can connect to this node (direct)");
    }

    @Test
    void a_door_opens_to_who_says_its_token_and_to_nobody_else() throws Exception {
        var observer = hub.addresses().getFirst();
        try (var door = ProbePort.mapped(observer, LONG, threads)) {
            var at = new InetSocketAddress(observer.getAddress(), door.port());
            var other = ProbePort.bytes(new UUID(1, 2));
            assertThat(ReachabilityProbe.at(at, other, LONG, threads).passage())
                    .isEqualTo(ProbeResult.OPEN);
            assertThat(door.opened(Duration.ofMillis(20))).isFalse();
            var token = ProbePort.bytes(door.token());
            assertThat(ReachabilityProbe.at(at, token, LONG, threads).passage())
                    .isEqualTo(ProbeResult.OPEN);
            assertThat(door.opened(LONG)).isTrue();
        }
    }

    @Test
    void what_becomes_of_connections_is_known_without_a_hub_too() throws Exception {
        var gone = Hub.start(Hub.Options.DEFAULT.port(0));
        gone.close();
        assertThat(Node.outlook(List.of("127.0.0.1:" + gone.port())))
                .singleElement()
                .satisfies(out -> {
                    assertThat(out.passage()).isEqualTo(ProbeResult.REFUSED);
                    assertThat(out.why()).contains("refused");
                });
    }
}
