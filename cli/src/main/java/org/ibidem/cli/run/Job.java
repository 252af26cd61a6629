package org.ibidem.cli.run;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// The processes of one job on this machine: started together, ended together.
final class Job {
    /// The exit code of a job that did not end in time.
    static final int TIMED_OUT = 124;

    private static final Duration POLITE = Duration.ofSeconds(2);

    /// On a busy machine much may wait to be printed; only who outlives its parent takes all of it.
    private static final long DRAIN_MILLIS = 20_000;

    private final Output output;
    private final Duration grace;
    private final Verdict verdict;
    private final Map<String, String> environment;
    private final List<Rank> ranks = new ArrayList<>();
    private final LinkedBlockingQueue<Rank> ended = new LinkedBlockingQueue<>();
    private boolean ending;

    /// One process.
    record Rank(int number, Process process) {
        int code() {
            return process.exitValue();
        }

        /// 128 and more is how a Unix tells of a signal, and what a program can also answer itself.
        String end() {
            return bySignal()
                    ? "exit code " + code() + " (signal " + (code() - 128) + ")"
                    : "exit code " + code();
        }

        boolean bySignal() {
            return code() > 128 && code() < 160 && File.separatorChar == '/';
        }
    }

    /// A job that prints to `output`, and gives the others `grace` after the first failure.
    ///
    /// @param root the rank whose end is the job's, or [Verdict#NO_ROOT]
    Job(Output output, Duration grace, int root) {
        this(output, grace, root, Map.of());
    }

    /// The same whose processes find this in their environment, besides what is in this one's.
    Job(Output output, Duration grace, int root, Map<String, String> environment) {
        this.environment = environment;
        this.output = output;
        this.grace = grace;
        this.verdict = new Verdict(root);
    }

    /// Starts one process; that of the job's rank 0 gets this process's standard input, the others
    /// none.
    synchronized void start(int rank, List<String> command) {
        if (ending) {
            return;
        }
        var builder = new ProcessBuilder(command);
        builder.environment().putAll(environment);
        if (rank == 0) {
            builder.redirectInput(Redirect.INHERIT);
        }
        try {
            var process = builder.start();
            if (rank != 0) {
                process.getOutputStream().close();
            }
            var started = new Rank(rank, process);
            ranks.add(started);
            output.follow(rank, process);
            var _ = process.onExit().thenRun(() -> ended.add(started));
        } catch (IOException e) {
            throw new CannotRun("cannot start " + command.getFirst() + ": " + e.getMessage(), e);
        }
    }

    /// Waits until all have ended, and ends them when one failed or `limit` is over.
    ///
    /// @return as [Verdict#code]; [#TIMED_OUT]
    int await(Duration limit) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        boolean done = ranks.isEmpty();
        for (int left = ranks.size(); left > 0; ) {
            var rank = ended.poll(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
            if (rank == null) {
                output.say(
                        (verdict.isOver()
                                        ? left + " still there after " + grace.toMillis() + " ms"
                                        : "not done within " + limit.toSeconds() + " s")
                                + ": ending "
                                + left
                                + (left == 1 ? " process" : " processes"));
                break;
            }
            left--;
            boolean before = verdict.isOver();
            var said = verdict.ended(rank, ranks);
            if (said != null) {
                output.say(said);
            }
            if (verdict.isOver() && !before) {
                long now = System.nanoTime();
                deadline = now + Math.min(deadline - now, grace.toNanos());
            }
            done = left == 0;
        }
        end();
        output.drain(DRAIN_MILLIS);
        return done || verdict.isOver() ? verdict.code() : TIMED_OUT;
    }

    /// Who failed before all others: one that a signal has ended rather than the one whose end was
    /// seen first, since others fail because of it, and on a busy machine may be seen to do so
    /// first.
    static Rank cause(Rank seen, List<Rank> all) {
        return seen.bySignal()
                ? seen
                : all.stream()
                        .filter(rank -> !rank.process().isAlive() && rank.bySignal())
                        .findFirst()
                        .orElse(seen);
    }

    /// Ends all processes that are still there: asks, then kills. Nothing is started afterwards.
    void end() {
        List<Rank> all;
        synchronized (this) {
            ending = true;
            all = List.copyOf(ranks);
        }
        all.forEach(rank -> rank.process().destroy());
        long deadline = System.nanoTime() + POLITE.toNanos();
        try {
            for (var rank : all) {
                rank.process()
                        .waitFor(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        all.forEach(rank -> rank.process().destroyForcibly());
    }
}
