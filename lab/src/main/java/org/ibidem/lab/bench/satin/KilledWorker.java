package org.ibidem.lab.bench.satin;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import org.ibidem.lab.bench.crowd.Worker;
import org.ibidem.lab.bench.sites.Pairs;

/// What a worker costs that is killed when half of the time is over, where another process takes
/// its place at once; against starting the program again with that one. The latter is what it took
/// until then and what an undisturbed run took just before: so it has all processes warm, and pays
/// for no end and no start. After Wrzesinska et al., "Fault-tolerance, malleability and migration
/// for divide-and-conquer applications on the grid" (IPDPS 2005).
final class KilledWorker {
    private static final String POOL = "killed";

    private final String hub;
    private final String what;
    private final ArrayList<Double> undisturbed = new ArrayList<>();
    private final ArrayList<Double> killed = new ArrayList<>();
    private final ArrayList<Double> again = new ArrayList<>();

    private KilledWorker(boolean quick, String hub) {
        this.hub = hub;
        this.what = quick ? "sat pigeons 8" : "sat pigeons 9";
    }

    static void run(boolean quick, String hub, PrintStream out, Outcome outcome)
            throws IOException {
        var those = new KilledWorker(quick, hub);
        long redone = those.play(quick ? 2 : 7);
        var line = "ratio satin-killed starting-again " + new Pairs(those.again, those.killed);
        out.printf(
                Locale.ROOT,
                "# %s by two processes %.0f ms, one of them killed half way %.0f ms (%d jobs done again in"
                        + " %d runs), started again %.0f ms%n",
                those.what,
                Pairs.median(those.undisturbed) / SatinBench.MILLI,
                Pairs.median(those.killed) / SatinBench.MILLI,
                redone,
                those.killed.size(),
                Pairs.median(those.again) / SatinBench.MILLI);
        out.println(line);
        outcome.line(line);
        those.tell(outcome);
    }

    private void tell(Outcome outcome) {
        var name = those() + ", a worker killed";
        outcome.add(name, "ms", SatinBench.OURS, SatinBench.scaled(killed, SatinBench.MILLI));
        outcome.add(name, "ms", "started again", SatinBench.scaled(again, SatinBench.MILLI));
        outcome.add(name, "ms", "none killed", SatinBench.scaled(undisturbed, SatinBench.MILLI));
    }

    private String those() {
        return what + ", 2 processes";
    }

    /// @return how many jobs were done again
    private long play(int rounds) throws IOException {
        var thief = SatinBench.ready("thief", hub, POOL);
        try (var root = SatinBench.ready("root", hub, POOL)) {
            for (int round = 0; round < rounds; round++) {
                var spare = SatinBench.ready("spare", hub, POOL);
                try {
                    // Whoever has come only now compiles its code in a run that does not count.
                    var before = root.ask("given");
                    root.ask(what);
                    SatinBench.requireShared(root, before);
                    round(root, thief, spare);
                } finally {
                    thief.close();
                    thief = spare;
                }
                thief.answer();
            }
            return Long.parseLong(root.ask("given").split(" ", 2)[1]);
        } finally {
            thief.close();
        }
    }

    private void round(Worker root, Worker thief, Worker spare) throws IOException {
        double whole = Double.parseDouble(root.ask(what));
        root.tell(what);
        LockSupport.parkNanos((long) (whole / 2));
        thief.kill();
        spare.tell("come");
        killed.add(Double.parseDouble(root.answer()));
        undisturbed.add(whole);
        again.add(whole / 2 + whole);
    }
}
