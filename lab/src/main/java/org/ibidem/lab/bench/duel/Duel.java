package org.ibidem.lab.bench.duel;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.ibidem.lab.bench.Contestant;
import org.ibidem.lab.bench.Measure;
import org.ibidem.lab.bench.figures.Figures;

/// Two processes on two cores, in which all contestants of a benchmark alternate.
///
/// Everybody is opened first, and stays open; everybody is warmed up; then, round by round and
/// measure by measure, each contestant plays a burst, in an order that moves on by one with every
/// round.
public final class Duel implements AutoCloseable {
    /// A run that could not go on; the reason was printed by the side that found it.
    public static final class Failed extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Failed(String message) {
            super(message);
        }
    }

    /// Longer than any burst, however slow the machine.
    private static final long PATIENCE_SECONDS = 120;

    /// The follower's waking up falls into these.
    private static final int THROWN_AWAY = 2;

    private static final int MOST_TIMES = 1 << 20;

    private final Benchmark benchmark;
    private final List<Contestant> contestants;
    private final Plan plan;
    private final Progress progress;
    private final Path folder;
    private final BlockingQueue<Child.News> news = new LinkedBlockingQueue<>();
    private final Child follower;
    private final Child leader;
    private final Thread hook;

    /// Starts the two processes.
    ///
    /// @param contestants those of the benchmark who take part
    /// @param main the class whose `main` calls [Side#run] with its arguments
    public Duel(Benchmark benchmark, List<Contestant> contestants, Plan plan, Class<?> main)
            throws IOException {
        this.benchmark = benchmark;
        this.contestants = contestants;
        this.plan = plan;
        this.progress = new Progress(System.err);
        var cores = Cores.find();
        progress.say("two processes, " + cores.about());
        folder = folder();
        var arguments = List.of(benchmark.name(), folder.toString());
        follower = new Child("follower", main, arguments, cores.command().getLast(), news);
        leader = new Child("leader", main, arguments, cores.command().getFirst(), news);
        hook = new Thread(this::end, "bench-end");
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /// Measures everything.
    public Figures play() throws IOException, InterruptedException {
        meet();
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
        return figures;
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
            this.bytes = measure.payload().get().bytes();
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

    private void meet() throws IOException, InterruptedException {
        follower.command(Side.Command.MEET);
        long port = answers(1).getFirst().answer().nanos()[0];
        leader.command(Side.Command.MEET, port);
        answers(1);
        progress.say("mixing: shared code sees all that it has to serve");
        both(Side.Command.MIX);
        for (var contestant : contestants) {
            progress.say("opening " + contestant.name());
            both(Side.Command.OPEN, contestant.name());
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
        for (var said :
                both(
                        Side.Command.PLAY,
                        turn.contestant.name(),
                        turn.measure.name(),
                        samples,
                        times)) {
            allocated += said.answer().allocated();
            if (said.from() == leader) {
                nanos = said.answer().nanos();
                apart = said.answer().apart();
            }
        }
        return new Played(nanos, allocated, apart);
    }

    private List<Said> both(Side.Command command, Object... words)
            throws IOException, InterruptedException {
        follower.command(command, words);
        leader.command(command, words);
        return answers(2);
    }

    private record Said(Child from, Side.Answer answer) {}

    private List<Said> answers(int wanted) throws InterruptedException {
        var answers = new ArrayList<Said>(wanted);
        while (answers.size() < wanted) {
            var next = news.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (next == null) {
                throw new Failed("no answer for " + PATIENCE_SECONDS + " s: " + progress);
            }
            var answer = next.answer();
            if (answer == null) {
                throw new Failed(next.from() + " ended too early, in: " + progress);
            }
            answers.add(new Said(next.from(), answer));
        }
        return answers;
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
        leader.close();
        follower.close();
        try (var files = Files.walk(folder)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            progress.say("could not remove " + folder + ": " + e);
        }
    }
}
