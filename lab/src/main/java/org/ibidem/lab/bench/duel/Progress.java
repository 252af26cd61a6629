package org.ibidem.lab.bench.duel;

import java.io.PrintStream;

/// Says on standard error how far a run is; a run takes minutes.
final class Progress {
    private static final long BETWEEN_NANOS = 2_000_000_000L;

    private final PrintStream out;
    private String what = "starting";
    private int done;
    private int all;
    private long said;

    Progress(PrintStream out) {
        this.out = out;
    }

    /// A line at once.
    void say(String line) {
        what = line;
        out.println("bench: " + line);
    }

    /// A new part of the run begins.
    void begin(String part, int steps) {
        say(part + ", " + steps + " turns");
        done = 0;
        all = steps;
    }

    /// What goes on now; said only when it fails.
    void at(String name) {
        what = name;
    }

    /// One more step is done; said every two seconds.
    void step(String name) {
        done++;
        if (System.nanoTime() - said > BETWEEN_NANOS) {
            said = System.nanoTime();
            out.printf("bench: %3d %% %s%n", 100L * done / all, name);
        }
    }

    /// The run is done.
    void end() {
        say("done");
    }

    @Override
    public String toString() {
        return what;
    }
}
