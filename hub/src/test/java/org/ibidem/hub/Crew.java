package org.ibidem.hub;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.ibidem.registry.Join;
import org.ibidem.registry.Membership;
import org.ibidem.registry.Node;
import org.ibidem.registry.PoolEvent;
import org.ibidem.topology.NodeId;

/// Members that have their hub do things all the time, and keep a record that can be checked:
/// numbers they got, tokens added and taken, signals sent and received, winners heard of.
final class Crew implements AutoCloseable {
    private static final Duration WAIT = Duration.ofMillis(20);

    private final List<Node> nodes = new ArrayList<>();
    private final List<Heard> heard = new ArrayList<>();
    private final List<CompletableFuture<Void>> work = new ArrayList<>();
    private final Queue<Long> numbers = new ConcurrentLinkedQueue<>();
    private final AtomicLong tokens = new AtomicLong();
    private final AtomicLong done = new AtomicLong();
    private final Map<String, AtomicLong> signals = new ConcurrentHashMap<>();
    private volatile boolean ends;

    Crew(int members, int hubPort, long seed) {
        for (int i = 0; i < members; i++) {
            nodes.add(
                    Node.join(
                            Join.pool("crew")
                                    .hub("localhost:" + hubPort)
                                    .membership(Membership.ORDERED)));
        }
        nodes.forEach(node -> node.awaitMembers(members, Heard.LONG));
        nodes.forEach(node -> heard.add(Heard.by(node)));
        for (int i = 0; i < members; i++) {
            var node = nodes.get(i);
            for (int thread = 0; thread < 2; thread++) {
                var random = new Random(seed * 100 + i * 10L + thread);
                work.add(
                        CompletableFuture.runAsync(
                                () -> work(node, random), Thread::startVirtualThread));
            }
        }
    }

    private void work(Node node, Random random) {
        while (!ends) {
            switch (random.nextInt(6)) {
                case 0, 1 -> numbers.add(node.sequences().within(Heard.LONG).next("row"));
                case 2 -> {
                    node.tokens().within(Heard.LONG).add("t", 2);
                    tokens.addAndGet(2);
                }
                case 3 -> tokens.addAndGet(node.tokens().take("t", WAIT) ? -1 : 0);
                case 4 -> node.elections().within(Heard.LONG).elect("e" + random.nextInt(20));
                default -> signal(node, nodes.get(random.nextInt(nodes.size())));
            }
            done.incrementAndGet();
        }
    }

    // One at a time between two members, so that their order is known.
    private void signal(Node from, Node to) {
        var count = signals.computeIfAbsent(from.rank() + ">" + to.rank(), _ -> new AtomicLong());
        synchronized (count) {
            from.signals()
                    .within(Heard.LONG)
                    .send(from.rank() + ":" + count.getAndIncrement(), to.id());
        }
    }

    /// Waits until so many more operations are done.
    void awaitWork(long more) {
        long end = done.get() + more;
        long limit = System.nanoTime() + Heard.LONG.toNanos();
        while (done.get() < end) {
            if (System.nanoTime() > limit) {
                throw new AssertionError("nothing is done any more");
            }
            Thread.onSpinWait();
        }
    }

    /// Waits until all have been without their hub, and are back, so many times.
    void awaitReturn(int times) {
        for (var each : heard) {
            each.await(_ -> count(each, PoolEvent.HubBack.class) >= times, "return " + times);
        }
    }

    private static long count(Heard heard, Class<?> kind) {
        return heard.all().stream().filter(kind::isInstance).count();
    }

    /// Ends the work and looks at what came of it.
    void finish() {
        ends = true;
        work.forEach(CompletableFuture::join);
        assertThat(numbers.stream().sorted())
                .as("each number once, none left out")
                .containsExactlyElementsOf(LongStream.range(0, numbers.size()).boxed().toList());
        assertThat(nodes.getFirst().tokens().count("t"))
                .as("tokens added and not taken")
                .isEqualTo(tokens.get());
        nodes.forEach(this::awaitSignals);
        var order = winners(heard.getFirst());
        for (var each : heard) {
            assertThat(winners(each)).as("the same winners in the same order").isEqualTo(order);
            assertThat(each.all())
                    .noneMatch(PoolEvent.Died.class::isInstance)
                    .noneMatch(PoolEvent.Suspected.class::isInstance)
                    .noneMatch(PoolEvent.Restarted.class::isInstance)
                    .noneMatch(PoolEvent.Missed.class::isInstance);
        }
        var terms = new HashMap<String, Long>();
        order.forEach(won ->
                assertThat(terms.put(won.election(), won.term()))
                        .as("elected once, for nobody is gone")
                        .isNull());
    }

    private static List<PoolEvent.Elected> winners(Heard heard) {
        var winners = new ArrayList<PoolEvent.Elected>();
        for (var event : heard.all()) {
            if (event instanceof PoolEvent.Elected elected) {
                winners.add(elected);
            }
        }
        return winners;
    }

    /// Each got what was sent to it, in order, once.
    private void awaitSignals(Node node) {
        var got = heard.get(nodes.indexOf(node));
        for (var from : nodes) {
            var sent = signals.get(from.rank() + ">" + node.rank());
            long count = sent == null ? 0 : sent.get();
            got.await(_ -> signals(got, from.id()).size() >= count, "all signals");
            var expected = new ArrayList<String>();
            for (int i = 0; i < count; i++) {
                expected.add(from.rank() + ":" + i);
            }
            assertThat(signals(got, from.id())).isEqualTo(expected);
        }
    }

    private static List<String> signals(Heard heard, NodeId from) {
        var signals = new ArrayList<String>();
        for (var event : heard.all()) {
            if (event instanceof PoolEvent.Signalled(var sender, var signal)
                    && sender.id().equals(from)) {
                signals.add(signal);
            }
        }
        return signals;
    }

    long done() {
        return done.get();
    }

    @Override
    public void close() {
        ends = true;
        nodes.forEach(Node::close);
    }
}
