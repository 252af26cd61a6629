package org.ibidem.lab.bench.serial;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.ibidem.lab.bench.Measure;
import org.ibidem.lab.bench.figures.Figures;

/// `./bench serialization`: every contestant at every work, turn by turn.
public final class Serialization {
    private static final String USAGE =
            "known: --rounds N, --starts N, --work NAME (repeatable), --without CONTESTANT (repeatable),"
                    + " --json FILE";
    private static final int ROUNDS = 6;
    private static final int STARTS = 3;
    private static final int COLD = 5;
    private static final String COLD_WORK = "order";

    private final Figures figures = new Figures();
    private final Map<String, Integer> sizes = new LinkedHashMap<>();
    private final List<String> works = new ArrayList<>();
    private final List<String> contestants = new ArrayList<>(Coders.names());
    private int rounds = ROUNDS;
    private int starts = STARTS;
    private Path json = Path.of("target", "bench", "serialization.json");

    private Serialization() {}

    /// Runs it from the command line.
    public static void run(String... arguments) throws IOException {
        var run = new Serialization();
        run.parse(List.of(arguments));
        run.play();
    }

    private void parse(List<String> words) {
        for (int i = 0; i < words.size(); i += 2) {
            var value = i + 1 < words.size() ? words.get(i + 1) : "";
            switch (words.get(i)) {
                case "--rounds" -> rounds = Integer.parseInt(value);
                case "--starts" -> starts = Integer.parseInt(value);
                case "--work" -> works.add(Work.named(value).name());
                case "--without" -> contestants.remove(value);
                case "--json" -> json = Path.of(value);
                default ->
                        throw new IllegalArgumentException(
                                "unknown option '" + words.get(i) + "'; " + USAGE);
            }
        }
        if (works.isEmpty()) {
            Work.ALL.forEach(work -> works.add(work.name()));
        }
    }

    private void play() throws IOException {
        for (var work : works) {
            for (int start = 0; start < starts; start++) {
                play(work);
            }
            System.err.println("bench: " + work + " is done");
        }
        if (works.contains(COLD_WORK)) {
            cold();
        }
        var report = new SerialReport(figures, sizes, works, contestants);
        report.write(json);
        System.err.println("bench: wrote " + json);
        report.print(System.out);
    }

    /// In fresh processes: how one compiled its code, and where its memory lies, makes a tenth.
    private void play(String work) throws IOException {
        var children = new ArrayList<Child>();
        try {
            for (var contestant : contestants) {
                if (!Coders.plays(contestant, work)) {
                    continue;
                }
                var child = new Child(contestant, work);
                children.add(child);
                sizes.put(work + " " + contestant, child.started.bytes);
                child.expect("warm");
            }
            for (int round = 0; round < rounds; round++) {
                for (var child : children) {
                    note(work, child.contestant, child.turn());
                }
            }
        } finally {
            children.forEach(Child::close);
        }
    }

    private void note(String work, String contestant, Turn turn) {
        var both = new double[turn.write.length];
        for (int i = 0; i < both.length; i++) {
            both[i] = turn.write[i] + turn.read[i];
        }
        add(contestant, work + "-write", turn.write, turn.allocatedWriting);
        add(contestant, work + "-read", turn.read, turn.allocatedReading);
        add(contestant, work, both, turn.allocatedWriting + turn.allocatedReading);
    }

    private void add(String contestant, String measure, double[] samples, double allocated) {
        figures.add(contestant, Measure.call(measure), new Figures.Turn(samples, allocated));
    }

    private void cold() throws IOException {
        for (int i = 0; i < COLD; i++) {
            for (var contestant : contestants) {
                try (var child = new Child(contestant, COLD_WORK, "cold")) {
                    add(contestant, "cold", new double[] {child.started.cold}, 0);
                }
            }
        }
    }

    /// @param bytes of the graph
    /// @param cold nanoseconds from nothing to the first graph written and read
    private record Started(int bytes, double cold) {}

    private record Turn(
            double[] write, double allocatedWriting, double[] read, double allocatedReading) {}

    /// The process of one contestant.
    private static final class Child implements AutoCloseable {
        private final String contestant;
        private final Process process;
        private final BufferedReader answers;
        private final PrintStream commands;
        private final Started started;

        Child(String contestant, String... arguments) throws IOException {
            this.contestant = contestant;
            var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
            var line =
                    Stream.concat(
                                    Stream.of(
                                            java,
                                            "-Xms1g",
                                            "-Xmx1g",
                                            "-XX:+UseSerialGC",
                                            "--sun-misc-unsafe-memory-access=allow",
                                            "-cp",
                                            Ahead.classPath(contestant),
                                            Worker.class.getName(),
                                            contestant),
                                    Stream.of(arguments))
                            .toList();
            process =
                    new ProcessBuilder(line).redirectError(ProcessBuilder.Redirect.INHERIT).start();
            answers =
                    new BufferedReader(
                            new InputStreamReader(
                                    process.getInputStream(), StandardCharsets.UTF_8));
            commands = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
            var words = answer().split(" ", -1);
            started = new Started(Integer.parseInt(words[0]), Double.parseDouble(words[1]));
        }

        private String answer() throws IOException {
            for (var line = answers.readLine(); line != null; line = answers.readLine()) {
                if (!line.isEmpty() && (Character.isDigit(line.charAt(0)) || line.equals("warm"))) {
                    return line; // others talk, too
                }
            }
            throw new IllegalStateException(contestant + " has ended early");
        }

        void expect(String word) throws IOException {
            if (!answer().equals(word)) {
                throw new IllegalStateException(contestant + " says something else");
            }
        }

        Turn turn() throws IOException {
            commands.println("turn");
            var words = answer().split(" ", -1);
            return new Turn(
                    numbers(words[0]),
                    Double.parseDouble(words[1]),
                    numbers(words[2]),
                    Double.parseDouble(words[3]));
        }

        private static double[] numbers(String text) {
            return Stream.of(text.split(",", -1)).mapToDouble(Double::parseDouble).toArray();
        }

        @Override
        public void close() {
            process.destroy();
        }
    }
}
