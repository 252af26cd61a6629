package org.ibidem.apps.sor;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import org.ibidem.IbidemException;
import org.ibidem.apps.view.Shown;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.ibidem.rmi.Rmi;
import org.jspecify.annotations.Nullable;

/// One process of the job.
///
/// Exit codes: 0 done, 1 failed or the field is not the sequential solver's, 2 misused.
public final class Sor {
    private static final Duration ALL_HERE_WITHIN = Duration.ofSeconds(60);

    private final Node node;
    private final Options options;
    private final Plate plate;
    private final PrintStream out;
    private Tally total = new Tally(0, 0, 0);

    /// A process that computes its share on `node`; rank 0 reports to `out`.
    Sor(Node node, Options options, PrintStream out) {
        this.node = node;
        this.options = options;
        this.plate = options.plate();
        this.out = out;
    }

    /// Joins the pool that `ibidem run` names, computes, and ends the process with its exit code.
    public static void main(String[] args) {
        var join = Join.fromEnvironment();
        try {
            var options = Options.parse(args);
            boolean right;
            try (var node = Node.join(join)) {
                right = new Sor(node, options, System.out).run();
            }
            System.exit(right ? 0 : 1);
        } catch (BadProblem e) {
            // All processes find it out; one says it.
            if (join.rank() <= 0) {
                System.err.println("sor: " + e.getMessage());
            }
            System.exit(2);
        } catch (IbidemException e) {
            System.err.println("sor: " + e.getMessage());
            System.exit(1);
        }
    }

    /// Computes, shows and checks the field.
    ///
    /// @return false when it is not the sequential solver's
    boolean run() {
        int ranks = node.size();
        if (ranks == Join.ANY_SIZE) {
            throw new BadProblem(
                    "the pool '"
                            + node.pool()
                            + "' has no size: start sor with 'ibidem run -n N sor'");
        }
        var rows = Rows.of(node.rank(), ranks, plate.size());
        var image = options.image();
        if (node.rank() == 0 && image != null) {
            HeatMap.requireFolder(image);
        }
        try (var rmi = options.rmi() || options.serve() ? calls() : null;
                var others = others(rmi, ranks)) {
            var block = new Block(plate, rows.first(), rows.count());
            var shown = rmi != null && options.serve() ? Shown.by(rmi) : null;
            others.connect(node.awaitMembers(ranks, ALL_HERE_WITHIN));
            return new Work(others, shown).run(block);
        }
    }

    private Rmi calls() {
        return Rmi.open(node, Rmi.Options.usual().stack(options.stack()));
    }

    private Others others(@Nullable Rmi rmi, int ranks) {
        return rmi != null && options.rmi()
                ? new ByCalls(rmi, node, plate.size(), ranks)
                : new OverPorts(node, options, ranks);
    }

    /// What all processes together came to in the last look at the residual.
    Tally total() {
        return total;
    }

    /// What is done once all are connected.
    private final class Work {
        private final Others others;
        private final @Nullable Shown shown;
        private final boolean first = node.rank() == 0;

        /// @param shown where the field is shown meanwhile; null: nowhere
        Work(Others others, @Nullable Shown shown) {
            this.others = others;
            this.shown = shown;
        }

        boolean run(Block block) {
            announce();
            // Nobody begins before all are there: the time shown is the computation's.
            others.reduce(0);
            iterate(block);
            boolean wanted = options.checked() || options.image() != null;
            return !wanted || gatherField(block);
        }

        private void announce() {
            if (first) {
                out.printf(
                        Locale.ROOT,
                        "plate of %d x %d cells, %.1f %% of the picture kept, omega %.4f, %d processes, stack %s%s%n",
                        plate.size(),
                        plate.size(),
                        100 * plate.kept(),
                        plate.omega(),
                        node.size(),
                        options.stack(),
                        options.rmi() ? ", by remote calls" : "");
            }
            if (first && shown != null) {
                out.println(
                        "to watch it: ibidem watch sor --hub "
                                + String.join(",", Join.fromEnvironment().hubs())
                                + " --pool "
                                + node.pool());
                out.flush();
            }
        }

        private void iterate(Block block) {
            var progress = new Progress(out, options.iterations(), System::nanoTime);
            var iteration = new Iteration(block, others);
            var sampling = new Sampling(block, plate.size(), options.iterations());
            for (int i = 1; i <= options.iterations(); i++) {
                double residual = iteration.relax();
                if (shown != null) {
                    shown.step(i, sampling);
                }
                if (i % options.reduceEvery() == 0 || i == options.iterations()) {
                    total = iteration.reduce(residual);
                    if (first) {
                        progress.at(i, total);
                    }
                }
            }
            if (shown != null) {
                shown.end(options.iterations(), sampling);
            }
            if (first) {
                progress.done(total);
            }
        }

        private boolean gatherField(Block block) {
            if (!first) {
                others.gather(block, (_, _, _) -> {});
                return true;
            }
            var file = options.image();
            var image = file == null ? null : new HeatMap(plate.size());
            var comparison = options.checked() ? new Comparison(sequential(), plate.size()) : null;
            RowReader reader =
                    (row, temperatures, from) -> {
                        if (image != null) {
                            image.paint(row, temperatures, from);
                        }
                        if (comparison != null) {
                            comparison.row(row, temperatures, from);
                        }
                    };
            others.gather(block, reader);
            if (image != null && file != null) {
                image.write(file);
                out.println("wrote " + file);
            }
            if (comparison != null) {
                out.println(comparison);
            }
            return comparison == null || comparison.equal();
        }

        private Block sequential() {
            long start = System.nanoTime();
            var whole = Sequential.solve(plate, options.iterations());
            out.printf(
                    Locale.ROOT,
                    "the sequential solver took %.2f s%n",
                    (System.nanoTime() - start) / 1e9);
            return whole;
        }
    }
}
