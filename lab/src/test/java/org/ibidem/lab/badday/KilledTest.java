package org.ibidem.lab.badday;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.ibidem.Eventually.withinAMinute;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.ibidem.hub.Bounds;
import org.ibidem.hub.Hub;
import org.ibidem.port.ConnectionLost;
import org.ibidem.port.PortType;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.SendPort;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/// Port connections between processes of which one is killed or stopped.
@Tag("lab")
@Tag("alone")
@ParameterizedClass
@ValueSource(strings = {"tcp", "shm", "multiplex > tcp", "multiplex > shm"})
class KilledTest {
    /// A second is promised; silence would be noticed after fifteen.
    private static final Duration SOON = Duration.ofSeconds(12);

    private static final Duration STOPPED =
            Boolean.getBoolean("ibidem.full") ? Duration.ofSeconds(60) : Duration.ofSeconds(3);

    /// Three heartbeats.
    private static final Duration SILENCE = Duration.ofSeconds(15);

    private static final Path SHARED = Path.of("/dev/shm");

    private final PortType type;
    private Set<Path> before = Set.of();

    KilledTest(String stack) {
        this.type = PortType.oneToOne().stack(stack);
    }

    @BeforeEach
    void look() {
        before = segments();
    }

    @AfterEach
    void nothing_is_left_in_shared_memory() throws Exception {
        withinAMinute(
                "no segment is left",
                () -> {
                    var left = segments();
                    left.removeAll(before);
                    return left.isEmpty();
                });
    }

    private static Set<Path> segments() {
        if (!Files.isDirectory(SHARED)) {
            return Set.of();
        }
        try (var files = Files.list(SHARED)) {
            return files.filter(file -> file.getFileName().toString().startsWith("ibidem-"))
                    .collect(Collectors.toSet());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Node join(int port) {
        return Node.join(Join.pool("demo").hub("localhost:" + port));
    }

    @Test
    void a_sender_killed_in_the_middle_of_a_message_is_lost_and_no_message_is_torn()
            throws Exception {
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0));
                var node = join(hub.port());
                var in = ReceivePort.open(node, type, "in")) {
            for (int round = 0; round < 3; round++) {
                try (var sender = Other.node("sender", hub.port(), type.stack())) {
                    for (int i = 0; i < 5; i++) {
                        try (var message = in.receive()) {
                            Role.verify(message, i, Role.BYTES);
                        }
                    }
                    long killed;
                    try (var message = in.receive()) {
                        assertThat(message.readInt()).isEqualTo(5);
                        sender.kill();
                        killed = System.nanoTime();
                        var rest = new byte[Role.BYTES];
                        assertThatThrownBy(() -> message.readArray(rest))
                                .isInstanceOf(ConnectionLost.class)
                                .hasMessageContaining("in the middle of a message");
                    }
                    assertThat(Duration.ofNanos(System.nanoTime() - killed)).isLessThan(SOON);
                    assertThat(in.connections()).isEmpty();
                    assertThat(in.poll()).as("a loss is told once").isNull();
                }
            }
        }
    }

    @Test
    void a_sender_killed_between_claim_and_commit_has_sent_nothing_of_that_message()
            throws Exception {
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0));
                var node = join(hub.port());
                var in = ReceivePort.open(node, type, "in");
                var claimer = Other.node("claimer", hub.port(), type.stack())) {
            claimer.said("ready");
            // Over a shared connection, what was finished may still be in the process.
            boolean shared = type.stack().startsWith("multiplex");
            if (!shared) {
                claimer.kill();
            }
            try (var message = in.receive()) {
                Role.verify(message, 0, Role.SMALL);
            }
            if (shared) {
                claimer.kill();
            }
            long killed = System.nanoTime();
            assertThatThrownBy(in::receive).isInstanceOf(ConnectionLost.class);
            assertThat(Duration.ofNanos(System.nanoTime() - killed)).isLessThan(SOON);
            assertThat(in.poll()).isNull();
        }
    }

    /// Longer than any time limit of a link; the hub is told to be patient. A connection that links
    /// share asks by itself whether its peer lives, and who is stopped says nothing: there its
    /// writer is told.
    @Test
    void a_reader_stopped_for_long_is_waited_for_and_loses_nothing() throws Exception {
        int count = 3_000;
        var patient =
                Hub.Options.DEFAULT.port(0).bounds(Bounds.DEFAULT.suspicion(Duration.ofMinutes(5)));
        try (var hub = Hub.start(patient);
                var node = join(hub.port());
                var out = SendPort.open(node, type, "out");
                var reader =
                        Other.node("reader", hub.port(), type.stack(), String.valueOf(count))) {
            out.connect(NodeId.parse(reader.said("ready")), "in");
            reader.signal("STOP");
            var writing =
                    CompletableFuture.runAsync(
                            () -> {
                                for (int i = 0; i < count; i++) {
                                    try (var message = out.newMessage()) {
                                        Role.write(message, i, Role.SMALL);
                                    }
                                }
                            },
                            Thread::startVirtualThread);
            Thread.sleep(STOPPED); // what is tested is that time passes
            if (type.stack().startsWith("multiplex") && writing.isDone()) {
                assertThat(STOPPED).isGreaterThan(SILENCE);
                assertThatThrownBy(writing::join)
                        .hasCauseInstanceOf(ConnectionLost.class)
                        .hasMessageContaining("was silent for");
                return;
            }
            assertThat(writing).isNotDone();
            reader.signal("CONT");
            writing.join();
            assertThat(reader.said("read")).isEqualTo(String.valueOf(count));
        }
    }

    @Test
    void a_reader_that_waits_for_a_killed_sender_is_told() throws Exception {
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0));
                var node = join(hub.port());
                var in = ReceivePort.open(node, type, "in");
                var sender = Other.node("sender", hub.port(), type.stack())) {
            sender.said("ready");
            sender.kill();
            long killed = System.nanoTime();
            assertThatThrownBy(
                            () -> {
                                for (int i = 0; ; i++) {
                                    try (var message = in.receive()) {
                                        Role.verify(message, i, Role.BYTES);
                                    }
                                }
                            })
                    .isInstanceOf(ConnectionLost.class);
            assertThat(Duration.ofNanos(System.nanoTime() - killed)).isLessThan(SOON);
        }
    }

    @Test
    void a_sender_blocked_by_a_killed_reader_is_told() throws Exception {
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0));
                var node = join(hub.port());
                var out = SendPort.open(node, type, "out");
                var idler = Other.node("idler", hub.port(), type.stack())) {
            out.connect(NodeId.parse(idler.said("ready")), "in");
            var writing =
                    CompletableFuture.supplyAsync(() -> failureOf(out), Thread::startVirtualThread);
            Standstill.await("the sender is blocked", out::messages);
            assertThat(writing).isNotDone();
            idler.kill();
            long killed = System.nanoTime();
            assertThat(writing.join()).isInstanceOf(ConnectionLost.class);
            assertThat(Duration.ofNanos(System.nanoTime() - killed)).isLessThan(SOON);
            assertThat(out.connections()).isEmpty();
        }
    }

    private static Throwable failureOf(SendPort out) {
        return catchThrowable(() -> {
            for (int i = 0; ; i++) {
                try (var message = out.newMessage()) {
                    Role.write(message, i, Role.SMALL);
                }
            }
        });
    }

    @Test
    void a_stopped_reader_blocks_its_writer_and_gets_everything_when_it_goes_on() throws Exception {
        int count = 3_000;
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0));
                var node = join(hub.port());
                var out = SendPort.open(node, type, "out");
                var reader =
                        Other.node("reader", hub.port(), type.stack(), String.valueOf(count))) {
            out.connect(NodeId.parse(reader.said("ready")), "in");
            var memory = new Memory();
            reader.signal("STOP");
            var writing =
                    CompletableFuture.runAsync(
                            () -> {
                                for (int i = 0; i < count; i++) {
                                    try (var message = out.newMessage()) {
                                        Role.write(message, i, Role.SMALL);
                                    }
                                }
                            },
                            Thread::startVirtualThread);
            Standstill.await("the writer is blocked", out::messages);
            assertThat(out.messages()).isLessThan(count);
            memory.requireFlat();
            reader.signal("CONT");
            writing.join();
            assertThat(reader.said("read")).isEqualTo(String.valueOf(count));
        }
    }

    /// No connection says so, only the hub does.
    @Test
    void whoever_waits_for_a_node_that_hangs_is_told_when_it_counts_as_dead() throws Exception {
        var bounds =
                Bounds.DEFAULT
                        .suspicion(Duration.ofSeconds(5))
                        .silence(Duration.ofMillis(500), Duration.ofSeconds(2));
        var options = Hub.Options.DEFAULT.port(0).bounds(bounds);
        try (var hub = Hub.start(options);
                var node = join(hub.port());
                var out = SendPort.open(node, type, "out");
                var in = ReceivePort.open(node, type, "in");
                var idler = Other.node("idler", hub.port(), type.stack());
                var sender = Other.node("sender", hub.port(), type.stack())) {
            out.connect(NodeId.parse(idler.said("ready")), "in");
            sender.said("ready");
            idler.signal("STOP");
            sender.signal("STOP");
            var writing =
                    CompletableFuture.supplyAsync(() -> failureOf(out), Thread::startVirtualThread);
            assertThatThrownBy(
                            () -> {
                                for (int i = 0; ; i++) {
                                    try (var message = in.receive()) {
                                        Role.verify(message, i, Role.BYTES);
                                    }
                                }
                            })
                    .isInstanceOf(ConnectionLost.class)
                    .hasMessageContaining("is dead");
            assertThat(writing.join())
                    .isInstanceOf(ConnectionLost.class)
                    .hasMessageContaining("is dead");
        }
    }
}
