package org.ibidem.lab.badday;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.Eventually.withinAMinute;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.ibidem.arbitration.WaitPolicy;
import org.ibidem.hub.Hub;
import org.ibidem.port.ConnectionLost;
import org.ibidem.port.PortType;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.ReceiveSetup;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// One of several senders into a port is killed at a random moment. One that fails is run again
/// with `-Dtest.seed=N`.
@Tag("lab")
class SenderKilledTest {
    private static final int ROUNDS = Boolean.getBoolean("ibidem.full") ? 50 : 2;
    private static final int SENDERS = 3;
    private static final long FEW_MILLIS = 5_000_000;

    @ParameterizedTest
    @CsvSource({"tcp, adaptive", "tcp, sleep", "shm, adaptive", "shm, sleep"})
    void it_alone_is_lost_after_whole_messages_and_the_others_miss_none(String stack, String wait)
            throws Exception {
        long first = Long.getLong("test.seed", System.nanoTime());
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0))) {
            for (long seed = first; seed < first + ROUNDS; seed++) {
                try (var round = new Round(seed, hub, stack, WaitPolicy.parse(wait))) {
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
        private final ReceivePort in;
        private final List<Other> senders = new ArrayList<>();
        private final List<NodeId> ids = new ArrayList<>();
        private final List<String> losses = new CopyOnWriteArrayList<>();

        /// How many messages of each were read; after it has ended, no more.
        private final int[] read = new int[SENDERS];

        private final List<Integer> ended = new ArrayList<>();

        Round(long seed, Hub hub, String stack, WaitPolicy waiting) throws Exception {
            random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
            node = Node.join(Join.pool("demo").hub("localhost:" + hub.port()));
            var type = PortType.manyToOne().stack(stack);
            in = ReceivePort.open(node, type, "in", ReceiveSetup.USUAL.waiting(waiting));
            for (int i = 0; i < SENDERS; i++) {
                var itsSeed = String.valueOf(random.nextLong());
                senders.add(Other.node("talker", hub.port(), stack, itsSeed));
            }
            for (var sender : senders) {
                ids.add(NodeId.parse(sender.said("ready")));
            }
        }

        void play() throws Exception {
            int victim = random.nextInt(SENDERS);
            int after = random.nextInt(100);
            long more = random.nextLong(FEW_MILLIS);
            Callable<Void> reading =
                    () -> {
                        while (losses.isEmpty() || ended.size() < SENDERS - 1) {
                            readOne(victim);
                        }
                        assertThat(in.poll()).as("after all have ended").isNull();
                        return null;
                    };
            var reader = new FutureTask<>(reading);
            Thread.ofPlatform().start(reader);
            withinAMinute(
                    "so many messages are read", () -> in.messages() >= after || reader.isDone());
            for (long end = System.nanoTime() + more; System.nanoTime() < end; ) {
                Thread.onSpinWait(); // any moment of a message
            }
            senders.get(victim).kill();
            withinAMinute("its loss is known", () -> !losses.isEmpty() || reader.isDone());
            for (int i = 0; i < SENDERS; i++) {
                if (i != victim) {
                    senders.get(i).end();
                }
            }
            reader.get(Other.LONG.toSeconds(), TimeUnit.SECONDS);
            verify(victim);
        }

        /// Whole, and the next of its sender: so what came of the victim is how it began.
        private void readOne(int victim) {
            try (var message = in.receive()) {
                int from = ids.indexOf(message.origin().node());
                assertThat(ended).doesNotContain(from);
                assertThat(from == victim && !losses.isEmpty()).as("after its loss").isFalse();
                int bytes = message.readInt();
                Role.verify(message, read[from], bytes);
                read[from]++;
                if (bytes == 0) {
                    ended.add(from);
                }
            } catch (ConnectionLost e) {
                losses.add(String.valueOf(e.getMessage()));
            }
        }

        private void verify(int victim) throws InterruptedException {
            assertThat(losses).singleElement().asString().contains(ids.get(victim).brief());
            for (int i = 0; i < SENDERS; i++) {
                if (i != victim) {
                    assertThat(losses.getFirst()).doesNotContain(ids.get(i).brief());
                    assertThat(senders.get(i).said("sent")).isEqualTo(String.valueOf(read[i]));
                }
            }
            assertThat(in.connections()).hasSize(SENDERS - 1);
        }

        @Override
        public void close() {
            node.close();
            senders.forEach(Other::close);
        }
    }
}
