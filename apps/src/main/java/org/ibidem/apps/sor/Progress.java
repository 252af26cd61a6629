package org.ibidem.apps.sor;

import java.io.PrintStream;
import java.util.Locale;
import java.util.function.LongSupplier;

/// Shows on rank 0 how far the job is, about once a second: in a line that ends in a carriage
/// return, so that the next one may take its place.
final class Progress {
    private static final long EVERY_NANOS = 1_000_000_000;

    private final PrintStream out;
    private final int iterations;
    private final LongSupplier nanoTime;
    private final long start;
    private long last;
    private Tally before = new Tally(0, 0, 0);

    /// Progress towards `iterations`, from now.
    Progress(PrintStream out, int iterations, LongSupplier nanoTime) {
        this.out = out;
        this.iterations = iterations;
        this.nanoTime = nanoTime;
        this.start = nanoTime.getAsLong();
        this.last = start;
    }

    /// An iteration is done; `tally` is that of all processes.
    void at(int iteration, Tally tally) {
        long now = nanoTime.getAsLong();
        if (now - last < EVERY_NANOS) {
            return;
        }
        double seconds = (now - last) / 1e9;
        out.printf(
                Locale.ROOT,
                "iteration %d of %d   residual %.1e   %.0f messages/s   %.1f MB/s\r",
                iteration,
                iterations,
                tally.residual(),
                (tally.messages() - before.messages()) / seconds,
                (tally.bytes() - before.bytes()) / 1e6 / seconds);
        out.flush();
        last = now;
        before = tally;
    }

    /// Says what it took altogether.
    void done(Tally tally) {
        double seconds = (nanoTime.getAsLong() - start) / 1e9;
        out.printf(
                Locale.ROOT,
                "%d iterations in %.2f s, residual %.1e, %d messages, %.1f MB (%.0f messages/s, %.1f MB/s)%n",
                iterations,
                seconds,
                tally.residual(),
                tally.messages(),
                tally.bytes() / 1e6,
                tally.messages() / seconds,
                tally.bytes() / 1e6 / seconds);
    }
}
