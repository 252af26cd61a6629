package org.ibidem.authority;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.ibidem.arbitration.Clock;
import org.ibidem.arbitration.Threads;
import org.ibidem.hub.Hub;
import org.ibidem.identity.Identity;
import org.ibidem.port.PortType;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.SendPort;
import org.ibidem.registry.Events;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.ibidem.registry.PoolEvent;
import org.ibidem.trust.Role;
import org.ibidem.trust.Standing;
import org.ibidem.trust.Trust;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What somebody on the way sees of what a pool with an authority says to its hub, and has it
/// carry.
@Isolated // one test sets by which methods nodes connect
class GovernedTrafficTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration MONTH = Duration.ofDays(30);
    private static final String METHODS = "ibidem.methods";
    private static final int MUCH = 4 << 20;

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

    private Identity issued(String name, Role role) throws Exception {
        var file = folder.resolve(name);
        PoolAuthority.write(file, demo.issue(name, new Standing("demo", role, ""), MONTH));
        var root = folder.resolve("demo").resolve(PoolAuthority.CERTIFICATE);
        return Identity.stored(file)
                .trusting(Trust.read(List.of(root), List.of(file), Clock.TIME_OF_DAY));
    }

    private static Join through(Recorder way, String pool) {
        return Join.pool(pool).hub("127.0.0.1:" + way.port()).limit(LONG);
    }

    private static void speak(Node node, String word) {
        try (node) {
            node.elections().elect(word);
            assertThat(node.signals().sendAll(word)).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void what_a_member_says_to_its_hub_is_not_readable_on_the_way(boolean open) throws Exception {
        var member = issued("member", Role.NODE);
        var options = Hub.Options.DEFAULT.port(0).identity(issued("hub", Role.HUB));
        try (var hub = Hub.start(options);
                var way = new Recorder(hub.port())) {
            speak(Node.join(through(way, "demo").identity(member).open(open)), "a secret word");
            assertThat(way.heard("a secret word")).isFalse();
            assertThat(way.heard("demo")).as("the handshake itself").isTrue();
        }
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0));
                var way = new Recorder(hub.port())) {
            speak(Node.join(through(way, "free").open(open)), "a known word");
            assertThat(way.heard("a known word")).as("a pool without an authority").isTrue();
        }
    }

    /// Over a connection of its own, and over the trunk of a node that is open to others.
    @ParameterizedTest
    @CsvSource({"false, false", "false, true", "true, false", "true, true"})
    void what_is_altered_between_a_member_and_its_hub_is_no_reset_and_it_is_said_who_noticed(
            boolean open, boolean toHub) throws Exception {
        var member = issued("member", Role.NODE);
        var options = Hub.Options.DEFAULT.port(0).identity(issued("hub", Role.HUB));
        try (var hub = Hub.start(options);
                var way = new Recorder(hub.port());
                var node = Node.join(through(way, "demo").identity(member).open(open));
                var events = node.events()) {
            way.alter(toHub);
            node.elections().elect("all the same");
            var lost = lost(events);
            while (lost == null) { // it was another connection: a node has several
                way.alter(toHub);
                node.elections().elect("once more");
                lost = lost(events);
            }
            assertThat(lost.why())
                    .doesNotContainIgnoringCase("reset")
                    .contains(
                            toHub
                                    ? "the other end broke the session, as what came there is not"
                                    : "what came is not what the peer encrypted: a record was");
        }
    }

    private static PoolEvent.@Nullable HubLost lost(Events events) throws Exception {
        var event = events.next(Duration.ofSeconds(2));
        while (event.isPresent()) {
            if (event.get() instanceof PoolEvent.HubLost lost) {
                return lost;
            }
            event = events.next(Duration.ofSeconds(2));
        }
        return null;
    }

    @Test
    void what_a_hub_carries_comes_whole_and_the_names_of_its_ports_show_nowhere() throws Exception {
        var options = Hub.Options.DEFAULT.port(0).identity(issued("hub", Role.HUB));
        System.setProperty(METHODS, "routed");
        try (var hub = Hub.start(options);
                var way = new Recorder(hub.port());
                var one =
                        Node.join(
                                through(way, "demo").identity(issued("a", Role.NODE)).open(true));
                var other =
                        Node.join(
                                through(way, "demo").identity(issued("b", Role.NODE)).open(true));
                var in = ReceivePort.open(other, type(), "a secret port");
                var out = SendPort.open(one, type(), "out")) {
            one.awaitMembers(2, LONG);
            out.connect(other.id(), "a secret port");
            assertThat(out.way(out.connections().getFirst()).toString()).contains("routed");
            var much = new byte[MUCH];
            for (int i = 0; i < much.length; i++) {
                much[i] = (byte) (i * 31 + (i >> 8));
            }
            threads.start("send", () -> send(out, much));
            var got = new byte[MUCH];
            try (var message = in.receive(LONG)) {
                message.readArray(got);
            }
            assertThat(got).isEqualTo(much);
            assertThat(way.heard("a secret port")).isFalse();
            assertThat(way.size()).as("to the hub, and back").isGreaterThan(2 * MUCH);
        } finally {
            System.clearProperty(METHODS);
        }
    }

    private static void send(SendPort out, byte[] much) {
        try (var message = out.newMessage()) {
            message.writeArray(much);
            message.finish();
        }
    }

    private static PortType type() {
        return PortType.oneToOne().stack("tls > tcp");
    }
}
