package org.ibidem.apps.exchange;

import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.ibidem.IbidemException;
import org.ibidem.port.PortType;
import org.ibidem.port.ReadMessage;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.SendPort;
import org.ibidem.registry.Join;
import org.ibidem.registry.Member;
import org.ibidem.registry.Node;

/// One process of the job.
///
/// Exit codes: 0 done, 1 failed or a block is not what was sent, 2 misused.
public final class Exchange {
    private static final String BLOCKS = "blocks";
    private static final String TOTALS = "totals";
    private static final Duration ALL_HERE_WITHIN = Duration.ofSeconds(60);

    private final Node node;
    private final Options options;
    private final Blocks blocks;
    private final PrintStream out;
    private final PortType type;
    private final int ranks;

    /// A process that takes part on `node`; rank 0 reports to `out`.
    Exchange(Node node, Options options, PrintStream out) {
        this.node = node;
        this.options = options;
        this.blocks = new Blocks(options.largest());
        this.out = out;
        this.type = PortType.manyToOne().stack(options.stack());
        this.ranks = node.size();
        if (ranks == Join.ANY_SIZE) {
            throw BadExchange.misused(
                    "the pool '"
                            + node.pool()
                            + "' has no size: start it with 'ibidem run -n N exchange'");
        }
    }

    /// Joins the pool that `ibidem run` names, exchanges, and ends the process with its exit code.
    public static void main(String[] args) {
        var join = Join.fromEnvironment();
        try (var node = Node.join(join)) {
            new Exchange(node, Options.parse(args), System.out).run();
        } catch (BadExchange e) {
            if (e.code() == 1 || join.rank() <= 0) {
                System.err.println("exchange: " + e.getMessage());
            }
            System.exit(e.code());
        } catch (IbidemException e) {
            System.err.println("exchange: " + e.getMessage());
            System.exit(1);
        }
    }

    /// Exchanges all blocks of all rounds.
    ///
    /// @return what this process sent and got; on rank 0 what all did
    /// @throws BadExchange when a block is not what was sent
    Totals run() {
        try (var in = ReceivePort.open(node, type, BLOCKS);
                var totals = ReceivePort.open(node, type, TOTALS)) {
            var members = node.awaitMembers(ranks, ALL_HERE_WITHIN);
            long begun = System.nanoTime();
            var mine = exchange(in, members);
            if (node.rank() > 0) {
                report(mine, members.getFirst());
                return mine;
            }
            var all = mine;
            for (int i = 1; i < ranks; i++) {
                try (var message = totals.receive()) {
                    all = all.and(Totals.read(message));
                }
            }
            show(all, (System.nanoTime() - begun) / 1e9);
            return all;
        }
    }

    private Totals exchange(ReceivePort in, List<Member> members) {
        var reading = CompletableFuture.supplyAsync(() -> receive(in), Thread::startVirtualThread);
        var ports = new ArrayList<SendPort>();
        try {
            for (int step = 1; step < ranks; step++) {
                var port = SendPort.open(node, type, BLOCKS);
                ports.add(port);
                port.connect(members.get(to(step)).id(), BLOCKS);
            }
            var sent = send(ports);
            return sent.and(reading.join());
        } catch (CompletionException e) {
            if (e.getCause() instanceof IbidemException why) {
                throw why;
            }
            throw e;
        } finally {
            ports.forEach(SendPort::close);
        }
    }

    private int to(int step) {
        return (node.rank() + step) % ranks;
    }

    private Totals send(List<SendPort> ports) {
        var sent = Totals.NOTHING;
        for (int round = 0; round < options.rounds(); round++) {
            for (int step = 1; step < ranks; step++) {
                var block = blocks.block(new Blocks.Address(round, node.rank(), to(step)));
                try (var message = ports.get(step - 1).newMessage()) {
                    message.writeInt(node.rank()).writeInt(round).writeInt(block.length);
                    message.writeArray(block);
                    message.finish();
                }
                sent = sent.and(new Totals(1, Blocks.checksum(block), 0, 0, 0));
            }
        }
        return sent;
    }

    private Totals receive(ReceivePort in) {
        var received = Totals.NOTHING;
        var rounds = new int[ranks];
        for (long left = (long) options.rounds() * (ranks - 1); left > 0; left--) {
            try (var message = in.receive()) {
                received = received.and(check(message, rounds));
            }
        }
        return received;
    }

    /// @param rounds how many blocks each rank has sent so far
    private Totals check(ReadMessage message, int... rounds) {
        int from = message.readInt();
        int round = message.readInt();
        if (from < 0 || from >= ranks || round != rounds[from]++) {
            throw BadExchange.wrong("round " + round + " of rank " + from + " is not its next one");
        }
        int length = message.readInt();
        var expected = blocks.block(new Blocks.Address(round, from, node.rank()));
        if (length != expected.length) {
            throw BadExchange.wrong(
                    "the block of rank %d in round %d has %d bytes, not %d"
                            .formatted(from, round, length, expected.length));
        }
        var block = new byte[length];
        message.readArray(block);
        long sum = Blocks.checksum(block);
        if (sum != Blocks.checksum(expected)) {
            throw BadExchange.wrong(
                    "the block of rank %d in round %d has checksum %08x, not %08x"
                            .formatted(from, round, sum, Blocks.checksum(expected)));
        }
        return new Totals(0, 0, 1, sum, length);
    }

    private void report(Totals mine, Member to) {
        try (var port = SendPort.open(node, type, TOTALS)) {
            port.connect(to.id(), TOTALS);
            try (var message = port.newMessage()) {
                mine.write(message);
                message.finish();
            }
        }
    }

    private void show(Totals all, double seconds) {
        out.printf(
                Locale.ROOT,
                "%d processes, %d rounds, %d blocks, %.1f MB in %.2f s (%.1f MB/s), checksums %x%n",
                ranks,
                options.rounds(),
                all.received(),
                all.bytes() / 1e6,
                seconds,
                all.bytes() / 1e6 / seconds,
                all.receivedSum());
        if (!all.match()) {
            throw BadExchange.wrong("what arrived is not what was sent: " + all);
        }
        out.println("all blocks arrived as they were sent");
    }
}
