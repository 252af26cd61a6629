package org.ibidem.apps.life;

import java.io.PrintStream;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;

/// What the coordinator shows.
final class Report implements Coordinator.Watcher {
    private final Options options;
    private final PrintStream out;
    private int members = -1;
    private int reached = -1;
    private boolean gathered;
    private long eraBegan = System.nanoTime();

    Report(Options options, PrintStream out) {
        this.options = options;
        this.out = out;
    }

    @Override
    public void begun(Plan plan) {
        if (plan.steps() > 0 && plan.generation() <= reached) {
            out.println("again from generation " + plan.generation());
        }
        if (plan.steps() > 0 && plan.blocks().size() != members) {
            members = plan.blocks().size();
            out.println(
                    "generation %d: on %d processes from now on"
                            .formatted(plan.generation(), members));
        }
        reached = Math.max(reached, plan.generation());
    }

    @Override
    public void done(Plan plan, long population) {
        int generation = plan.generation() + plan.steps();
        out.println(
                "generation %d of %d: %d cells live"
                        .formatted(generation, options.generations(), population));
        if (options.pace() > 0) {
            rest(TimeUnit.SECONDS.toNanos(plan.steps()) / options.pace());
        }
        eraBegan = System.nanoTime();
    }

    private void rest(long eraNanos) {
        try {
            TimeUnit.NANOSECONDS.sleep(eraNanos - (System.nanoTime() - eraBegan));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void gathered(Plan plan) {
        gathered = true;
    }

    /// Whether the whole field has come.
    boolean gathered() {
        return gathered;
    }

    /// Shows and checks the whole field.
    ///
    /// @return false when it is not the sequential run's
    boolean field(byte[][] field) {
        var sum = new CRC32C();
        for (var row : field) {
            sum.update(row);
        }
        out.println(
                "%d generations, %d cells live, CRC-32C %08x"
                        .formatted(options.generations(), Torus.population(field), sum.getValue()));
        if (!options.check()) {
            return true;
        }
        var expected = options.torus().sequential(options.generations());
        for (int row = 0; row < field.length; row++) {
            for (int column = 0; column < field.length; column++) {
                if (field[row][column] != expected[row][column]) {
                    out.println(
                            "WRONG: row %d, column %d is not the sequential run's"
                                    .formatted(row, column));
                    return false;
                }
            }
        }
        out.println("equal to the sequential run's field, bit for bit");
        return true;
    }
}
