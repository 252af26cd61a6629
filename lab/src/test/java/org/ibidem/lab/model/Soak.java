package org.ibidem.lab.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.ibidem.hub.Hub;
import org.ibidem.port.Capability;
import org.ibidem.port.ConnectRefused;
import org.ibidem.port.ConnectionLost;
import org.ibidem.port.MessageAbandoned;
import org.ibidem.port.NotConnected;
import org.ibidem.port.PortType;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.ReceiveSetup;
import org.ibidem.port.SendPort;
import org.ibidem.port.Target;
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

    /// Where connections break after some hundred messages.
    private static final int MOST_BROKEN = 2_000;

    private final RandomGenerator random;
    private final List<Node> nodes = new ArrayList<>();
    private final List<SendPort> outs = new ArrayList<>();
    private final List<Receiving> ins = new ArrayList<>();
    private final List<Target> targets = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final PortType type;
    private final int count;

    /// Several senders to the same several receivers: messages of several frames could wait for
    /// each other in a circle (see docs/design/connections.md).
    private final boolean crossing;

    private record Receiving(ReceivePort port, Tally tally) {}

    Soak(RandomGenerator random, Hub hub, PortType type) {
        this.random = random;
        this.type = type;
        this.count = 1 + random.nextInt(Types.breaks(type) ? MOST_BROKEN : MOST);
        var join = Join.pool("soak" + random.nextLong()).hub("localhost:" + hub.port());
        for (int i = 0; i < 3; i++) {
            nodes.add(Node.join(join));
        }
        var kind = type.connections().toString();
        crossing = kind.equals("many-to-many");
        open(kind.startsWith("many") ? 3 : 1, kind.endsWith("many") ? 3 : 1);
    }

    private void open(int senders, int receivers) {
        for (int i = 0; i < receivers; i++) {
            var node = nodes.get(random.nextInt(3));
            var tally = new Tally(type);
            var setup = ReceiveSetup.USUAL;
            if (type.has(Capability.UPCALLS)) {
                setup = setup.upcall(tally::upcall);
            }
            ins.add(new Receiving(ReceivePort.open(node, type, "in" + i, setup), tally));
            targets.add(new Target(node.id(), "in" + i));
        }
        for (int i = 0; i < senders; i++) {
            var out = SendPort.open(nodes.get(random.nextInt(3)), type, "out" + i);
            outs.add(out);
            targets.forEach(target -> out.connect(target.node(), target.port(), LIMIT));
        }
        long end = System.nanoTime() + LIMIT.toNanos();
        for (var in : ins) {
            while (in.port.connections().size() < senders) { // the far end may take longer
                assertThat(System.nanoTime()).as("until %s has all", in.port).isLessThan(end);
                outs.forEach(this::reconnect); // or have failed to, where the machine stood still
                Thread.onSpinWait();
            }
        }
    }

    /// Answers how many messages arrived.
    long run() throws Exception {
        var sending = new ArrayList<Future<?>>();
        for (var out : outs) {
            long seed = random.nextLong();
            sending.add(threads.submit(() -> send(out, seed)));
        }
        var received = new ArrayList<Future<Long>>();
        for (var in : ins) {
            received.add(threads.submit(() -> receive(in, sending)));
        }
        for (var each : sending) {
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
            try {
                send(out, mine, Tally.head(i, body), body);
            } catch (ConnectionLost | NotConnected e) {
                assertThat(Types.breaks(type)).as(e.getMessage()).isTrue();
            }
            reconnect(out);
        }
        out.close();
    }

    private void send(SendPort out, RandomGenerator mine, byte[] head, byte[] body) {
        try (var message = out.newMessage()) {
            message.writeArray(head).writeArray(body);
            if (!crossing && mine.nextInt(10) == 0) {
                message.flush();
            }
            message.finish();
        }
    }

    /// What broke is connected anew. A receive port that takes one sender may not know yet that the
    /// old connection is over; a link that serves both directions may be cut before it is used.
    private void reconnect(SendPort out) {
        for (var target : targets) {
            while (!out.connections().contains(target)) {
                try {
                    out.connect(target.node(), target.port(), LIMIT);
                } catch (ConnectRefused e) {
                    assertThat(e.why())
                            .as(e.getMessage())
                            .isIn(ConnectRefused.Why.OCCUPIED, ConnectRefused.Why.NO_LINK);
                }
            }
        }
    }

    private int most(RandomGenerator mine) {
        if (crossing) {
            return MOST_CROSSING;
        }
        return mine.nextInt(500) == 0 ? LARGEST : mine.nextInt(20) == 0 ? 5_000 : 100;
    }

    private long receive(Receiving in, List<Future<?>> sending) {
        while (!in.port.connections().isEmpty()
                || sending.stream().anyMatch(each -> !each.isDone())) {
            if (type.has(Capability.UPCALLS)) {
                LockSupport.parkNanos(LOOK.toNanos());
            } else {
                receive(in);
            }
        }
        in.tally.requireEnough(outs.size(), count);
        return in.tally.messages();
    }

    private void receive(Receiving in) {
        try (var message = in.port.receive(LOOK)) {
            if (message != null) {
                in.tally.check(message);
            }
        } catch (MessageAbandoned e) {
            assertThat(Types.doubtful(type)).as(e.getMessage()).isTrue();
        } catch (ConnectionLost e) {
            assertThat(Types.breaks(type)).as(e.getMessage()).isTrue();
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
        nodes.forEach(Node::close);
    }
}
