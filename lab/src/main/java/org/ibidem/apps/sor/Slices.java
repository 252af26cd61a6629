package org.ibidem.apps.sor;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;

/// One process of a `sor` that computes over two stacks by turns, for a fraction of a second each:
/// with a node, connections and a block for each stack, and what `sor` does in an iteration.
///
/// All processes change stacks at the same time, after a reduction over the one that was in use.
/// What each slice took is printed at the end, so that nobody reads meanwhile.
public final class Slices {
    private static final Duration ALL_HERE_WITHIN = Duration.ofSeconds(60);
    private static final double NANOS_PER_MILLI = 1e6;

    private final List<Side> sides;
    private final Plan plan;
    private final boolean first;

    /// @param size cells of each side of the plate
    /// @param every so many iterations the residual is looked at
    /// @param millis of a slice, about
    /// @param warm slices over each stack before those that count
    /// @param pairs slices over each stack that count
    private record Plan(int size, int every, int millis, int warm, int pairs) {
        static Plan of(List<String> words) {
            var numbers = words.stream().map(Integer::valueOf).toList();
            return new Plan(
                    numbers.get(0), numbers.get(1), numbers.get(2), numbers.get(3), numbers.get(4));
        }
    }

    private Slices(List<Side> sides, Plan plan, int rank) {
        this.sides = sides;
        this.plan = plan;
        this.first = rank == 0;
    }

    /// One stack, and what is computed over it.
    private static final class Side implements AutoCloseable {
        final Node node;
        final OverPorts others;
        final Block block;
        final Iteration iteration;

        Side(Node node, int size, String stack) {
            this.node = node;
            var options = Options.parse("--size", "" + size, "--stack", stack);
            var rows = Rows.of(node.rank(), node.size(), size);
            block = new Block(options.plate(), rows.first(), rows.count());
            others = new OverPorts(node, options, node.size());
            iteration = new Iteration(block, others);
        }

        void connect() {
            var members = node.awaitMembers(node.size(), ALL_HERE_WITHIN);
            others.connect(members);
        }

        /// What the first process says, on all.
        long agree(long number) {
            return others.tree().reduce(new Tally(0, number, 0)).messages();
        }

        @Override
        public void close() {
            others.close();
            node.close();
        }
    }

    /// Joins a pool for each stack, computes, and prints a line for each slice.
    ///
    /// @param args size, iterations between reductions, milliseconds of a slice, slices that warm
    ///   up, slices that count, and the two stacks
    public static void main(String[] args) throws IOException {
        var plan = Plan.of(List.of(args).subList(0, 5));
        var join = Join.fromEnvironment();
        var sides = new ArrayList<Side>();
        for (int i = 5; i < args.length; i++) {
            var node = Node.join(another(join, join.pool() + "-" + i));
            sides.add(new Side(node, plan.size(), args[i]));
        }
        sides.forEach(Side::connect);
        new Slices(sides, plan, join.rank()).play();
        sides.forEach(Side::close);
        System.exit(0);
    }

    /// The same in another pool: a node has one port of a name.
    private static Join another(Join join, String pool) {
        var other =
                Join.pool(pool)
                        .hub(join.hubs().getFirst())
                        .size(join.size())
                        .rank(join.rank())
                        .open(join.open());
        var here = join.location();
        return here == null ? other : other.location(here);
    }

    private void play() throws IOException {
        int count = warmUp();
        var spent = new ArrayList<String>();
        for (int pair = 0; pair < plan.pairs(); pair++) {
            for (int turn = 0; turn < sides.size(); turn++) {
                int side = pair % 2 == 0 ? turn : sides.size() - 1 - turn;
                var before = Spent.before();
                long nanos = slice(sides.get(side), count);
                spent.add("slice " + side + " " + nanos + " " + Spent.after().since(before));
            }
        }
        spent.forEach(System.out::println);
        System.out.println("iterations " + count);
        System.out.println("equal " + equal());
    }

    /// Both stacks have computed the same.
    private boolean equal() {
        var cells = sides.getFirst().block.cells();
        return sides.stream().allMatch(side -> Arrays.equals(side.block.cells(), cells));
    }

    /// Compiles, and finds out how many iterations a slice is to have.
    private int warmUp() {
        long count = plan.every();
        for (int i = 0; i < plan.warm(); i++) {
            long nanos = 0;
            for (var side : sides) {
                nanos += slice(side, (int) count);
            }
            double each = nanos / NANOS_PER_MILLI / sides.size() / count;
            long next = Math.max(1, Math.round(plan.millis() / each / plan.every()));
            count = sides.getFirst().agree(first ? next * plan.every() : 0);
        }
        return (int) count;
    }

    /// So many iterations, the last of which ends with a reduction.
    private long slice(Side side, int count) {
        side.agree(0); // all begin together
        long start = System.nanoTime();
        for (int i = 1; i <= count; i++) {
            double residual = side.iteration.relax();
            if (i % plan.every() == 0) {
                side.iteration.reduce(residual);
            }
        }
        return System.nanoTime() - start;
    }
}
