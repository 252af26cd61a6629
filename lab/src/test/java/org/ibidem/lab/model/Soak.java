package org.ibidem.lab.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.zip.CRC32C;
import org.ibidem.hub.Hub;
import org.ibidem.port.Capability;
import org.ibidem.port.MessageAbandoned;
import org.ibidem.port.Origin;
import org.ibidem.port.PortType;
import org.ibidem.port.ReadMessage;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.SendPort;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;

/// One round: some senders and receivers of one random type, each in its own thread.
final class Soak implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final Duration LOOK = Duration.ofMillis(20);
    private static final int MOST = 20_000;
    private static final int LARGEST = 300_000;

    /// Less than any frame.
    private static final int MOST_CROSSING = 400;

    private static final int HEAD = Integer.BYTES + Long.BYTES;

    private final RandomGenerator random;
    private final List<Node> nodes = new ArrayList<>();
    private final List<SendPort> outs = new ArrayList<>();
    private final List<ReceivePort> ins = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final PortType type;
    private final int count;

    /// Several senders to the same several receivers: messages of several frames could wait for
    /// each other in a circle (see docs/design/connections.md).
    private final boolean crossing;

    Soak(RandomGenerator random, Hub hub) {
        this.random = random;
        this.type = soaked(random);
        this.count = 1 + random.nextInt(MOST);
        var join = Join.pool("soak" + random.nextLong()).hub("localhost:" + hub.port());
        for (int i = 0; i < 3; i++) {
            nodes.add(Node.join(join));
        }
        var kind = type.connections().toString();
        crossing = kind.equals("many-to-many");
        open(kind.startsWith("many") ? 3 : 1, kind.endsWith("many") ? 3 : 1);
    }

    /// With explicit receive, and over connections that do not break.
    private static PortType soaked(RandomGenerator random) {
        var type = Types.some(random);
        while (Types.breaks(type) || type.has(Capability.UPCALLS)) {
            type = Types.some(random);
        }
        return type;
    }

    private void open(int senders, int receivers) {
        var homes = new ArrayList<Node>();
        for (int i = 0; i < receivers; i++) {
            var node = nodes.get(random.nextInt(3));
            ins.add(ReceivePort.open(node, type, "in" + i));
            homes.add(node);
        }
        for (int i = 0; i < senders; i++) {
            var out = SendPort.open(nodes.get(random.nextInt(3)), type, "out" + i);
            outs.add(out);
            for (int to = 0; to < receivers; to++) {
                out.connect(homes.get(to).id(), "in" + to, LIMIT);
            }
        }
        for (var in : ins) {
            while (in.connections().size() < senders) { // the far end of a link may take longer
                Thread.onSpinWait();
            }
        }
    }

    /// Answers how many messages arrived.
    long run() throws Exception {
        var received = new ArrayList<Future<Long>>();
        var sent = new ArrayList<Future<?>>();
        for (var in : ins) {
            received.add(threads.submit(() -> receive(in)));
        }
        for (var out : outs) {
            long seed = random.nextLong();
            sent.add(threads.submit(() -> send(out, seed)));
        }
        for (var each : sent) {
            each.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        }
        long all = 0;
        for (var each : received) {
            all += each.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        }
        return all;
    }

    private void send(SendPort out, long seed) {
        var mine = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        for (int i = 0; i < count; i++) {
            var body = new byte[mine.nextInt(most(mine))];
            mine.nextBytes(body);
            var head = ByteBuffer.allocate(HEAD).putInt(i).putLong(sum(body));
            try (var message = out.newMessage()) {
                message.writeArray(head.array()).writeArray(body);
                if (!crossing && mine.nextInt(10) == 0) {
                    message.flush();
                }
                message.finish();
            }
        }
        out.close();
    }

    private int most(RandomGenerator mine) {
        if (crossing) {
            return MOST_CROSSING;
        }
        return mine.nextInt(500) == 0 ? LARGEST : mine.nextInt(20) == 0 ? 5_000 : 100;
    }

    private static long sum(byte[] body) {
        var crc = new CRC32C();
        crc.update(body);
        return crc.getValue() << 32 | body.length;
    }

    private long receive(ReceivePort in) {
        var next = new HashMap<Origin, Integer>();
        long got = 0;
        while (!in.connections().isEmpty()) {
            try (var message = in.receive(LOOK)) {
                if (message != null) {
                    check(message, next);
                    got++;
                }
            } catch (MessageAbandoned e) {
                assertThat(Types.doubtful(type)).as(e.getMessage()).isTrue();
                got++;
            }
        }
        if (!Types.doubtful(type)) {
            assertThat(next.values()).as("messages of each sender").containsOnly(count);
            assertThat(next).hasSize(outs.size());
        }
        return got;
    }

    private void check(ReadMessage message, Map<Origin, Integer> next) {
        var bytes = new byte[HEAD];
        message.readArray(bytes);
        var head = ByteBuffer.wrap(bytes);
        int number = head.getInt();
        long sum = head.getLong();
        var body = new byte[(int) sum];
        message.readArray(body);
        assertThat(sum(body)).as("sum of message %d over %s", number, type).isEqualTo(sum);
        int expected = next.getOrDefault(message.origin(), 0);
        if (Types.doubtful(type)) {
            assertThat(number).isGreaterThanOrEqualTo(expected);
        } else {
            assertThat(number).as("number over %s", type).isEqualTo(expected);
        }
        next.put(message.origin(), number + 1);
    }

    @Override
    public void close() {
        threads.shutdownNow();
        nodes.forEach(Node::close);
    }
}
