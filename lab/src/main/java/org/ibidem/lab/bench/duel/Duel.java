package org.ibidem.lab.bench.duel;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.ibidem.lab.bench.Contestant;
import org.ibidem.lab.bench.Measure;
import org.ibidem.lab.bench.figures.Figures;

/// All contestants of a benchmark in turn, each in two processes of its own on the same two cores.
///
/// What the compiler makes of one must not depend on the others, whom no user has in the same
/// process. Everybody is opened first, and stays open; everybody is warmed up; then, round by round
/// and measure by measure, each contestant plays a burst, in an order that moves on by one with
/// every round.
public final class Duel implements AutoCloseable {
    /// A run that could not go on; the reason was printed by the side that found it.
    public static final class Failed extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Failed(String message) {
            super(message);
        }
    }

    /// The follower's waking up falls into these.
    private static final int THROWN_AWAY = 2;

    private static final int MOST_TIMES = 1 << 20;

    private final Benchmark benchmark;
    private final List<Contestant> contestants;
    private final Plan plan;
    private final Progress progress;
    private final Path folder;
    private final Cores cores;
    private final Class<?> main;
    private final Map<Contestant, Couple> couples = new ConcurrentHashMap<>();
    private final Thread hook;

    /// Finds two cores; nobody is started yet.
    ///
    /// @param contestants those of the benchmark who take part
    /// @param main the class whose `main` calls [Side#run] with its arguments
    public Duel(Benchmark benchmark, List<Contestant> contestants, Plan plan, Class<?> main)
            throws IOException {
        this.benchmark = benchmark;
        this.contestants = contestants;
        this.plan = plan;
        this.main = main;
        this.progress = new Progress(System.err);
        cores = Cores.find();
        progress.say("two processes for each, " + cores.about());
        folder = folder();
        hook = new Thread(this::end, "bench-end");
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /// Measures everything.
    public Figures play() throws IOException, InterruptedException {
        open();
        var figures = new Figures();
        var turns = turns();
        progress.begin("warming up", turns.size());
        for (var turn : turns) {
            turn.times = warm(turn);
            progress.step(turn.toString());
        }
        progress.begin("measuring", turns.size() * plan.rounds());
        for (int round = 0; round < plan.rounds(); round++) {
            for (var measure : benchmark.measures()) {
                var those = turns.stream().filter(t -> t.measure.equals(measure)).toList();
                for (var turn : order(those, round)) {
                    figures.add(turn.contestant.name(), measure, sample(turn));
                    progress.step("round " + (round + 1) + ", " + turn);
                }
            }
        }
        progress.end();
        idle(figures);
        return figures;
    }

    /// What connected processes use while nobody sends.
    private void idle(Figures figures) throws InterruptedException {
        progress.say("nobody does anything for a while");
        var before = new HashMap<Contestant, Duration>();
        couples.forEach((contestant, couple) -> before.put(contestant, couple.processorTime()));
        long begun = System.nanoTime();
        TimeUnit.NANOSECONDS.sleep(plan.idleNanos());
        couples.forEach((contestant, couple) -> {
            long used = couple.processorTime().minus(before.get(contestant)).toNanos();
            figures.idle(contestant.name(), (double) used / (System.nanoTime() - begun));
        });
    }

    /// The same, beginning with another in every round.
    static <T> List<T> order(List<T> all, int round) {
        var order = new ArrayList<>(all);
        Collections.rotate(order, -round);
        return order;
    }

    /// Somebody's turn at something, and how often the body of a sample runs.
    private static final class Turn {
        private final Contestant contestant;
        private final Measure measure;
        private final long bytes;
        private int times = 1;

        private Turn(Contestant contestant, Measure measure) {
            this.contestant = contestant;
            this.measure = measure;
            this.bytes = measure.kind() == Measure.Kind.CALL ? 0 : measure.payload().get().bytes();
        }

        @Override
        public String toString() {
            return measure.name() + ", " + contestant.name();
        }
    }

    private List<Turn> turns() {
        var turns = new ArrayList<Turn>();
        for (var measure : benchmark.measures()) {
            for (var contestant : contestants) {
                if (contestant.plays(measure)) {
                    turns.add(new Turn(contestant, measure));
                }
            }
        }
        return turns;
    }

    private void open() throws IOException, InterruptedException {
        for (var contestant : contestants) {
            progress.say("opening " + contestant.name());
            var theirs = Files.createDirectory(folder.resolve(contestant.name()));
            var couple = new Couple(benchmark.name(), theirs, cores, main, progress);
            couples.put(contestant, couple);
            couple.open(contestant.name());
        }
    }

    /// Plays for the time given, and finds how often the body must run for a sample to take what it
    /// should.
    private int warm(Turn turn) throws IOException, InterruptedException {
        long wanted =
                turn.measure.kind() == Measure.Kind.PING_PONG
                        ? plan.tripNanos()
                        : plan.streamNanos();
        int times = 1;
        for (long spent = 0, before = System.nanoTime(); spent < plan.warmNanos(); ) {
            long best = Long.MAX_VALUE;
            for (long nanos : play(turn, times, plan.samples()).nanos) {
                best = Math.min(best, nanos);
            }
            double better = (double) times * wanted / Math.max(best, 1);
            times = (int) Math.clamp(Math.min(better, 8.0 * times), 1.0, MOST_TIMES);
            spent = System.nanoTime() - before;
        }
        return times;
    }

    private Figures.Turn sample(Turn turn) throws IOException, InterruptedException {
        int samples = plan.samples() + THROWN_AWAY;
        var played = play(turn, turn.times, samples);
        var values = new double[plan.samples()];
        for (int i = 0; i < values.length; i++) {
            values[i] =
                    turn.measure
                            .kind()
                            .figure(played.nanos[i + THROWN_AWAY], turn.times, turn.bytes);
        }
        long messages = turn.measure.kind().messages((long) samples * turn.times);
        return new Figures.Turn(values, (double) played.allocated / messages, played.apart);
    }

    private record Played(long[] nanos, long allocated, double apart) {}

    private Played play(Turn turn, int times, int samples)
            throws IOException, InterruptedException {
        progress.at(turn.toString());
        long allocated = 0;
        long[] nanos = {};
        double apart = Double.NaN;
        var couple = Objects.requireNonNull(couples.get(turn.contestant));
        for (var said : couple.both(Side.Command.PLAY, turn.measure.name(), samples, times)) {
            allocated += said.answer().allocated();
            if (said.leads()) {
                nanos = said.answer().nanos();
                apart = said.answer().apart();
            }
        }
        return new Played(nanos, allocated, apart);
    }

    private static Path folder() throws IOException {
        var memory = Path.of("/dev/shm");
        return Files.isWritable(memory)
                ? Files.createTempDirectory(memory, "ibidem-bench-")
                : Files.createTempDirectory("ibidem-bench-");
    }

    @Override
    public void close() {
        end();
        Runtime.getRuntime().removeShutdownHook(hook);
    }

    private void end() {
        couples.values().forEach(Couple::close);
        try (var files = Files.walk(folder)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            progress.say("could not remove " + folder + ": " + e);
        }
    }
}
