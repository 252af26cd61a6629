package org.ibidem.lab.badday;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.Eventually.withinAMinute;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.ibidem.port.PortType;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.SendPort;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.ibidem.registry.PoolEvent;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Somebody sets the machine's clock while a hub and a node run.
@Tag("lab")
@Timeout(300)
@Tag("turn2")
class ClockSetTest {
    private static final List<Duration> AHEAD = List.of(Duration.ofDays(1), Duration.ofDays(-1));

    /// Differences that are far apart are told from each other by this.
    private static final Duration ABOUT = Duration.ofHours(1);

    private static final Duration SOON = Duration.ofSeconds(12);

    /// The other's time limit, within which it is set; in the long form beyond all limits for
    /// silence.
    private static final Duration LIMIT =
            Duration.ofSeconds(Boolean.getBoolean("ibidem.full") ? 40 : 3);

    private final Queue<PoolEvent> gone = new ConcurrentLinkedQueue<>();

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void a_clock_that_is_set_makes_nothing_late_early_or_lost(String stack, @TempDir Path folder)
            throws Exception {
        var clock = new FakeClock(folder);
        var type = PortType.oneToOne().stack(stack);
        try (var hub = Other.nodeWithin(clock.command(), "hub", 0)) {
            int port = Integer.parseInt(hub.said("ready"));
            try (var node = Node.join(Join.pool("demo").hub("localhost:" + port));
                    var in = ReceivePort.open(node, type, "in");
                    var out = SendPort.open(node, type, "out");
                    var other = Other.nodeWithin(clock.command(), "clocked", port, stack)) {
                out.connect(NodeId.parse(other.said("ready")), "in");
                node.events(this::noteWhoGoes);
                for (var ahead : AHEAD) {
                    setAndGoOn(clock, ahead, out, in);
                    var elected = node.elections().elect("at " + ahead);
                    assertThat(elected.winner().id()).isEqualTo(node.id());
                }
                assertThat(node.members()).hasSize(2);
                assertThat(gone).isEmpty();
            }
        }
    }

    private void noteWhoGoes(PoolEvent event) {
        switch (event) {
            case PoolEvent.Suspected _, PoolEvent.Died _, PoolEvent.Left _ -> gone.add(event);
            default -> {
                // elections
            }
        }
    }

    /// It is set while the other waits in vain, with a time limit that it looks at all the time.
    private static void setAndGoOn(FakeClock clock, Duration ahead, SendPort out, ReceivePort in)
            throws Exception {
        long begun = System.nanoTime();
        ask(out, LIMIT);
        clock.set(ahead);
        try (var message = in.receive(LIMIT.plus(SOON))) {
            assertThat(message).as("it has come to an end").isNotNull();
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThan(LIMIT);
        }
        withinAMinute(
                "its clock is " + ahead + " ahead",
                () -> difference(out, in).minus(ahead).abs().compareTo(ABOUT) < 0);
    }

    private static Duration difference(SendPort out, ReceivePort in) {
        ask(out, Duration.ZERO);
        try (var message = in.receive()) {
            return Duration.ofMillis(message.readLong() - System.currentTimeMillis());
        }
    }

    private static void ask(SendPort out, Duration limit) {
        try (var message = out.newMessage()) {
            message.writeLong(limit.toMillis()).finish();
        }
    }
}
