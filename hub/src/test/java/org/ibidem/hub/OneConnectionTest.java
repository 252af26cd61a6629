package org.ibidem.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.eventually;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.ibidem.arbitration.Threads;
import org.ibidem.connect.SocketPath;
import org.ibidem.connect.routed.Trunk;
import org.ibidem.control.ControlLink;
import org.ibidem.handshake.Handshake;
import org.ibidem.handshake.Hello;
import org.ibidem.handshake.Proved;
import org.ibidem.identity.Identity;
import org.ibidem.port.PortType;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.SendPort;
import org.ibidem.registry.Join;
import org.ibidem.registry.JoinRefused;
import org.ibidem.registry.Membership;
import org.ibidem.registry.Node;
import org.ibidem.registry.PoolEvent;
import org.ibidem.registry.PoolEvent.Died;
import org.ibidem.registry.PoolEvent.Joined;
import org.ibidem.registry.PoolEvent.Restored;
import org.ibidem.registry.PoolEvent.Suspected;
import org.ibidem.registry.access.Runtimes;
import org.ibidem.registry.operation.Diagnosis;
import org.ibidem.registry.wire.Reply;
import org.ibidem.registry.wire.ReplyCoding;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What nodes that are open to others say to their hub over the connection that carries their
/// streams, and what the hub takes the end of that connection for.
@Timeout(90)
@Isolated("sets what the whole JVM sees")
class OneConnectionTest {
    private static final Duration LONG = Heard.LONG;
    private static final InetSocketAddress NOWHERE = new InetSocketAddress("192.0.2.1", 9);

    private final Threads tasks = new Threads("test");
    private final Hub hub = Hub.start(Hub.Options.DEFAULT.port(0));
    private final List<Node> nodes = new ArrayList<>();

    @AfterEach
    void end() {
        System.clearProperty("ibidem.methods");
        nodes.forEach(Node::close);
        hub.close();
        tasks.close();
    }

    private Join to() {
        return Join.pool("demo")
                .hub("localhost:" + hub.port())
                .open(true)
                .membership(Membership.ORDERED);
    }

    private Node join(Join as) {
        var node = Node.join(as);
        nodes.add(node);
        return node;
    }

    private static Predicate<PoolEvent> about(NodeId id, Class<? extends PoolEvent> kind) {
        return event -> kind.isInstance(event) && event.toString().contains(id.brief());
    }

    /// A node that says what it likes. Where it listens, the hub sees that it does not.
    private final class Raw implements AutoCloseable {
        final Identity identity;
        final SocketChannel socket;
        final Trunk trunk;
        final Proved proved;

        Raw(Identity identity) throws IOException {
            this.identity = identity;
            this.socket = SocketChannel.open(hub.addresses().getFirst());
            var handshake = new Handshake(identity, tasks, LONG);
            this.proved =
                    handshake.initiate(new SocketPath(socket), Hello.routed("demo", hub.id()));
            this.trunk = new Trunk(new SocketPath(socket), id(), tasks, _ -> {});
            tasks.start("raw", trunk::run);
        }

        NodeId id() {
            return identity.id();
        }

        /// Begins to speak with the hub.
        ControlLink speak() throws Exception {
            var channel = trunk.openToHub(hub.id(), LONG);
            return ControlLink.over(
                    new Proved(channel, proved.key(), proved.hello(), proved.version(), true),
                    tasks,
                    ControlLink.Limits.DEFAULT);
        }

        ControlLink attach() throws Exception {
            var link = speak();
            link.send(Stranger.wish(id(), NOWHERE, new SocketPath(socket)));
            return link;
        }

        void reset() throws IOException {
            socket.setOption(StandardSocketOptions.SO_LINGER, 0);
            socket.close();
        }

        @Override
        public void close() {
            trunk.close();
        }
    }

    @Test
    void all_that_a_node_needs_of_its_hub_goes_over_one_connection() {
        System.setProperty("ibidem.methods", "routed");
        var one = join(to());
        var two = join(to());
        var three = join(to());
        three.awaitMembers(3, LONG);
        var winner = one.elections().elect("master").winner();
        assertThat(two.elections().elect("master").winner()).isEqualTo(winner);
        Diagnosis.of(one).ping(two.id(), LONG);
        var type = PortType.manyToOne().stack("tcp");
        try (var in = ReceivePort.open(two, type, "in");
                var out = SendPort.open(one, type, "out")) {
            out.connect(two.id(), "in", LONG);
            try (var message = out.newMessage()) {
                message.writeLong(7).finish();
            }
            try (var message = in.receive()) {
                assertThat(message.readLong()).isEqualTo(7);
            }
        }
        assertThat(one.acquaintance(two.id()).worked())
                .isNotEmpty()
                .allSatisfy(worked -> assertThat(worked.method()).isEqualTo("routed"));
        assertThat(hub.tally().proved()).isEqualTo(3); // others only ask whence they come
        assertThat(one.observedAddress()).startsWith("127.0.0.1:");
    }

    /// What has been asked of the peer is routed over the connection that is replaced.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_connect_outlives_the_replacement_of_either_ends_connection(boolean mine) {
        System.setProperty("ibidem.methods", "routed");
        var one = join(to());
        var two = join(to());
        var type = PortType.manyToOne().stack("tcp");
        var replaced = Heard.by(mine ? one : two);
        try (var out = SendPort.open(one, type, "out")) {
            var connecting =
                    CompletableFuture.runAsync(
                            () -> out.connect(two.id(), "in", LONG), Thread::startVirtualThread);
            eventually("it has asked", () -> Runtimes.of(one).peers().connected(two.id()));
            Links.reset(mine ? one : two);
            replaced.await(PoolEvent.HubLost.class);
            replaced.await(PoolEvent.HubBack.class);
            try (var in = ReceivePort.open(two, type, "in")) {
                connecting.join();
                try (var message = out.newMessage()) {
                    message.writeLong(7).finish();
                }
                try (var message = in.receive()) {
                    assertThat(message.readLong()).isEqualTo(7);
                }
            }
        }
    }

    @Test
    void the_end_of_the_connection_proves_that_its_node_is_gone() throws Exception {
        var heard = Heard.by(join(to()));
        var raw = new Raw(Identity.create());
        raw.attach();
        heard.await(about(raw.id(), Joined.class), "the raw one");
        raw.socket.shutdownOutput(); // as the system does when the process ends
        var died = (Died) heard.await(about(raw.id(), Died.class), "its death");
        assertThat(died.why()).contains("ended without a leave").contains("process is gone");
    }

    @Test
    void a_reset_a_trunk_given_up_or_the_end_of_the_stream_alone_prove_nothing() throws Exception {
        var heard = Heard.by(join(to()));
        var reset = new Raw(Identity.create());
        reset.attach();
        heard.await(about(reset.id(), Joined.class), "the first");
        reset.reset();
        heard.await(about(reset.id(), Suspected.class), "the suspicion");
        try (var ended = new Raw(Identity.create())) {
            var link = ended.attach();
            heard.await(about(ended.id(), Joined.class), "the second");
            link.proved().path().close();
            heard.await(about(ended.id(), Suspected.class), "the suspicion");
        }
        var givenUp = new Raw(Identity.create());
        givenUp.attach();
        heard.await(about(givenUp.id(), Joined.class), "the third");
        givenUp.trunk.giveUp();
        heard.await(about(givenUp.id(), Suspected.class), "the suspicion");
        assertThat(heard.all()).noneMatch(Died.class::isInstance);
    }

    @Test
    void a_node_whose_connection_was_reset_comes_back_and_is_carried_again() {
        System.setProperty("ibidem.methods", "routed");
        var one = join(to());
        var two = join(to());
        var heard = Heard.by(one);
        Diagnosis.of(one).ping(two.id(), LONG);
        Links.reset(two);
        heard.await(about(two.id(), Restored.class), "its return");
        Diagnosis.of(one).ping(two.id(), LONG);
        assertThat(heard.all()).noneMatch(Died.class::isInstance);
        assertThat(hub.tally().proved()).isEqualTo(3);
    }

    @Test
    void another_process_with_the_same_key_takes_nothing_from_the_member() throws Exception {
        System.setProperty("ibidem.methods", "routed");
        var identity = Identity.create();
        var one = join(to());
        var two = join(to().identity(identity));
        Diagnosis.of(one).ping(two.id(), LONG);
        assertThatThrownBy(() -> Node.join(to().identity(identity)))
                .isInstanceOf(JoinRefused.IdInUse.class);
        try (var raw = new Raw(identity)) {
            assertThatThrownBy(() -> raw.trunk.open(one.id(), LONG))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("carries for members of pool 'demo' only");
        }
        var heard = Heard.by(one);
        two.signals().send("alive", one.id());
        heard.await(PoolEvent.Signalled.class);
        Diagnosis.of(one).ping(two.id(), LONG);
        assertThat(heard.all()).noneMatch(Suspected.class::isInstance);
    }

    @Test
    @Tag("slow")
    void who_is_no_member_any_more_is_carried_nothing() throws Exception {
        var one = join(to());
        var heard = Heard.by(one);
        var raw = new Raw(Identity.create());
        raw.attach();
        heard.await(about(raw.id(), Joined.class), "the raw one");
        raw.trunk.open(one.id(), LONG).close();
        one.assumeDead(raw.id(), "for a test");
        raw.trunk.awaitEnd(LONG);
        assertThat(raw.trunk.ending()).isNotNull();
    }

    @Test
    void a_second_stream_to_the_hub_is_refused_and_the_first_goes_on() throws Exception {
        try (var raw = new Raw(Identity.create())) {
            var link = raw.attach();
            assertThatThrownBy(() -> raw.trunk.open(hub.id(), LONG))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("you speak with this hub already");
            assertThat(ReplyCoding.decode(link.receive())).isInstanceOf(Reply.Welcome.class);
        }
    }

    @Test
    @Tag("slow")
    void the_hubs_goodbye_is_heard_before_the_connection_ends() {
        var one = join(to());
        var heard = Heard.by(one);
        hub.close();
        assertThat(heard.await(PoolEvent.HubLost.class).why()).contains("the hub was ended");
    }
}
