package org.ibidem.lab.bench.busy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.ibidem.lab.bench.peers.MpiPeer;
import org.ibidem.lab.bench.satin.SharedTree;
import org.ibidem.lab.bench.suite.Suite;

/// `./bench busy [--only ring|sor|tree|ports] [ROUNDS]`: an MPI ring and a red/black relaxation as
/// 2, 4 and 8 processes, alone and beside two loops that do nothing, by MPI for Java and in C over
/// Open MPI, which gives way when idle (`mpi_yield_when_idle`); by turns, medians. Then a tree of
/// jobs by Satin beside a fork-join pool of as many threads, and messages of ports beside Aeron,
/// both as they give way. `./bench busy --cold [ROUNDS]`: barriers of two young processes, as they
/// wait by themselves and where they only spin.
public final class BusyBench {
    private static final int ROUNDS = 9;
    private static final int LIMIT = 300;
    private static final int LOOPS = 2;
    private static final String COLD_SECONDS = "6";
    private static final String PORTS = "ports-busy";
    private static final List<String> KINDS = List.of("ring", "sor", "tree", "ports");
    private static final List<Integer> SIZES = List.of(2, 4, 8);
    private static final Pattern NUMBER = Pattern.compile("(SECONDS|SECOND|LATER) ([0-9.]+)");

    private final int rounds;
    private final Path folder;
    private final List<String> kinds;
    private final String home = Objects.requireNonNull(System.getProperty("ibidem.home"));

    /// A program, and what it is told.
    private record Work(String name, List<String> arguments) {}

    private static final List<Work> WORKS =
            List.of(
                    new Work("ring, 2000 laps", List.of("ring", "2000")),
                    new Work("sor, 512 x 512, 400 times", List.of("sor", "512", "400")));

    private BusyBench(int rounds, Path folder, List<String> kinds) {
        this.rounds = rounds;
        this.folder = folder;
        this.kinds = kinds;
    }

    /// Runs it.
    public static void run(String... arguments) throws IOException, InterruptedException {
        var words = new ArrayList<>(List.of(arguments));
        boolean cold = words.remove("--cold");
        var only = only(words);
        int rounds = words.isEmpty() ? ROUNDS : Integer.parseInt(words.getFirst());
        var folder = Files.createTempDirectory("ibidem-busy");
        var bench = new BusyBench(rounds, folder, only);
        try {
            if (cold) {
                bench.cold();
            } else {
                bench.busy();
            }
        } finally {
            Files.deleteIfExists(folder.resolve("busy"));
            Files.deleteIfExists(folder.resolve("busy.c"));
            Files.delete(folder);
        }
    }

    private static List<String> only(List<String> words) {
        int at = words.indexOf("--only");
        if (at < 0) {
            return KINDS;
        }
        words.remove(at);
        var kind = at < words.size() ? words.remove(at) : "";
        if (!KINDS.contains(kind)) {
            throw new IllegalArgumentException("--only one of " + KINDS + ", not " + kind);
        }
        return List.of(kind);
    }

    private void busy() throws IOException, InterruptedException {
        if (kinds.contains("ring") || kinds.contains("sor")) {
            besideOpenMpi();
        }
        if (kinds.contains("tree")) {
            System.out.printf("%-51s %10s %10s %8s%n", "", "ours", "fork-join", "ratio");
            for (int size : SIZES) {
                tree(size, "alone");
                besideLoops(() -> tree(size, "beside two loops"));
            }
        }
        if (kinds.contains("ports")) {
            System.out.println("two processes, alone:");
            Suite.run(PORTS, "--quick");
            System.out.println("two processes, beside two loops:");
            besideLoops(() -> Suite.run(PORTS, "--quick"));
        }
    }

    private void besideOpenMpi() throws IOException, InterruptedException {
        var missing = MpiPeer.openMpi().missing();
        if (missing.isPresent()) {
            throw new IOException("it cannot be compared: " + missing.get());
        }
        var program = compiled();
        System.out.printf(
                "%-26s %5s %-18s %10s %10s %8s%n", "", "", "", "ours", "Open MPI", "ratio");
        for (var work : WORKS) {
            if (!kinds.contains(work.arguments.getFirst())) {
                continue;
            }
            for (int size : SIZES) {
                compare(work, size, program, "alone");
                besideLoops(() -> compare(work, size, program, "beside two loops"));
            }
        }
    }

    /// What is run beside others.
    private interface Run {
        void run() throws IOException, InterruptedException;
    }

    private static void besideLoops(Run run) throws IOException, InterruptedException {
        var loops = new ArrayList<Process>();
        try {
            for (int i = 0; i < LOOPS; i++) {
                loops.add(new ProcessBuilder("sh", "-c", "while :; do :; done").start());
            }
            run.run();
        } finally {
            loops.forEach(Process::destroyForcibly);
        }
    }

    private void compare(Work work, int size, Path program, String load)
            throws IOException, InterruptedException {
        var ours = new ArrayList<Double>();
        var theirs = new ArrayList<Double>();
        for (int round = 0; round < rounds; round++) {
            ours.add(numbers(ours(size, work.arguments), Map.of()).getFirst());
            theirs.add(numbers(theirs(size, program, work.arguments), Map.of()).getFirst());
        }
        show(work.name, size, load, ours, theirs);
    }

    private void tree(int size, String load) throws IOException {
        var times = SharedTree.play(size, rounds);
        show(SharedTree.WHAT, size, load, times.ours(), times.theirs());
    }

    private static void show(
            String name, int size, String load, List<Double> ours, List<Double> theirs) {
        double mine = median(ours);
        double other = median(theirs);
        System.out.printf(
                "%-26s %5d %-18s %8.3f s %8.3f s %8.2f%n",
                name, size, load, mine, other, other / mine);
    }

    private void cold() throws IOException, InterruptedException {
        var names = List.of("adaptive", "spin");
        var second = Map.of("adaptive", new ArrayList<Double>(), "spin", new ArrayList<Double>());
        var later = Map.of("adaptive", new ArrayList<Double>(), "spin", new ArrayList<Double>());
        for (int round = 0; round < rounds; round++) {
            for (var name : names) {
                var found =
                        numbers(
                                ours(2, List.of("cold", COLD_SECONDS)),
                                Map.of("IBIDEM_WAIT", name));
                Objects.requireNonNull(second.get(name)).add(found.get(0));
                Objects.requireNonNull(later.get(name)).add(found.get(1));
            }
        }
        System.out.printf("%-10s %18s %18s%n", "a barrier", "second second", "after that");
        for (var name : names) {
            System.out.printf(
                    "%-10s %15.2f us %15.2f us%n",
                    name,
                    median(Objects.requireNonNull(second.get(name))),
                    median(Objects.requireNonNull(later.get(name))));
        }
    }

    private static double median(List<Double> all) {
        return all.stream().sorted().toList().get(all.size() / 2);
    }

    private List<String> ours(int size, List<String> arguments) {
        var own = BusyRank.class.getProtectionDomain().getCodeSource().getLocation().getPath();
        var command = new ArrayList<>(List.of(home + "/ibidem", "run", "-n", size + ""));
        command.addAll(List.of("--class-path", own, BusyRank.class.getName()));
        command.addAll(arguments);
        return command;
    }

    private static List<String> theirs(int size, Path program, List<String> arguments) {
        var command = new ArrayList<>(MpiPeer.openMpiCommand("mpi_yield_when_idle", "1"));
        command.addAll(List.of("-n", size + "", program.toString()));
        command.addAll(arguments);
        return command;
    }

    private Path compiled() throws IOException, InterruptedException {
        var source = folder.resolve("busy.c");
        try (var in = Objects.requireNonNull(BusyBench.class.getResourceAsStream("busy.c"))) {
            Files.copy(in, source);
        }
        var program = folder.resolve("busy");
        said(
                List.of(
                        MpiPeer.OPEN_MPI_COMPILER,
                        "-O3",
                        "-march=native",
                        "-o",
                        program.toString(),
                        source.toString(),
                        "-lm"),
                Map.of());
        return program;
    }

    private static List<Double> numbers(List<String> command, Map<String, String> environment)
            throws IOException, InterruptedException {
        var said = said(command, environment);
        var all = NUMBER.matcher(said).results().map(one -> Double.valueOf(one.group(2))).toList();
        if (all.isEmpty()) {
            throw new IOException("no time was said by " + command + ": " + said);
        }
        return all;
    }

    private static String said(List<String> command, Map<String, String> environment)
            throws IOException, InterruptedException {
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        var process = builder.start();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(LIMIT, TimeUnit.SECONDS) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new IOException(command + " failed: " + said);
        }
        return said;
    }
}
