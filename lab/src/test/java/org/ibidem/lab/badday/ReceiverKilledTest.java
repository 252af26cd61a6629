package org.ibidem.lab.badday;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.Eventually.withinAMinute;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.ibidem.hub.Hub;
import org.ibidem.port.ConnectionLost;
import org.ibidem.port.PortType;
import org.ibidem.port.SendPort;
import org.ibidem.port.WriteMessage;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// One of several receivers of each message is killed at a random moment. One that fails is run
/// again with `-Dtest.seed=N`.
@Tag("lab")
class ReceiverKilledTest {
    private static final int ROUNDS = Boolean.getBoolean("ibidem.full") ? 50 : 3;
    private static final int RECEIVERS = 3;
    private static final long FEW_MILLIS = 5_000_000;

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "shm"})
    void it_alone_is_lost_and_the_others_get_every_message(String stack) throws Exception {
        long first = Long.getLong("test.seed", System.nanoTime());
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0))) {
            for (long seed = first; seed < first + ROUNDS; seed++) {
                try (var round = new Round(seed, hub, stack)) {
                    round.play();
                } catch (Exception | AssertionError e) {
                    throw new AssertionError(
                            "fails with -Dtest.seed=" + seed + ": " + e.getMessage(), e);
                }
            }
        }
    }

    private static final class Round implements AutoCloseable {
        private final RandomGenerator random;
        private final Node node;
        private final SendPort out;
        private final List<Other> receivers = new ArrayList<>();
        private final List<NodeId> ids = new ArrayList<>();
        private final List<String> losses = new ArrayList<>();
        private int sent;

        Round(long seed, Hub hub, String stack) throws Exception {
            random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
            node = Node.join(Join.pool("demo").hub("localhost:" + hub.port()));
            out = SendPort.open(node, PortType.oneToMany().stack(stack), "out");
            for (int i = 0; i < RECEIVERS; i++) {
                receivers.add(Other.node("listener", hub.port(), stack));
            }
            for (var receiver : receivers) {
                ids.add(NodeId.parse(receiver.said("ready")));
                out.connect(ids.getLast(), "in");
            }
        }

        void play() throws Exception {
            int victim = random.nextInt(RECEIVERS);
            int after = random.nextInt(100);
            long more = random.nextLong(FEW_MILLIS);
            Callable<Void> sending =
                    () -> {
                        while (losses.isEmpty()) {
                            send(1 + random.nextInt(1 + random.nextInt(Role.LARGEST)));
                        }
                        send(1);
                        send(0);
                        return null;
                    };
            var sender = new FutureTask<>(sending);
            Thread.ofPlatform().start(sender);
            withinAMinute("so many messages are sent", () -> out.messages() >= after);
            for (long end = System.nanoTime() + more; System.nanoTime() < end; ) {
                Thread.onSpinWait(); // any moment of a message
            }
            receivers.get(victim).kill();
            sender.get(Other.LONG.toSeconds(), TimeUnit.SECONDS);
            verify(victim);
        }

        private void verify(int victim) throws InterruptedException {
            assertThat(losses).singleElement().asString().contains(ids.get(victim).brief());
            for (int i = 0; i < RECEIVERS; i++) {
                if (i == victim) {
                    continue;
                }
                assertThat(losses.getFirst()).doesNotContain(ids.get(i).brief());
                assertThat(receivers.get(i).said("read")).isEqualTo(String.valueOf(sent));
            }
            assertThat(out.connections()).hasSize(RECEIVERS - 1);
        }

        private void send(int bytes) {
            try (var message = begin()) {
                message.writeInt(bytes);
                Role.write(message, sent++, bytes);
            } catch (ConnectionLost e) {
                losses.add(String.valueOf(e.getMessage()));
            }
        }

        /// A loss told before the message began leaves it to be sent.
        private WriteMessage begin() {
            try {
                return out.newMessage();
            } catch (ConnectionLost e) {
                losses.add(String.valueOf(e.getMessage()));
                return out.newMessage();
            }
        }

        @Override
        public void close() {
            node.close();
            receivers.forEach(Other::close);
        }
    }
}
