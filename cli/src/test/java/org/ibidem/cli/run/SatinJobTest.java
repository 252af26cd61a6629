package org.ibidem.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.ibidem.hub.Hub;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Programs that divide and conquer, in processes of their own.
@Tag("lab")
@Isolated("starts processes, of which some are killed")
class SatinJobTest {
    private static final Pattern DONE =
            Pattern.compile(
                    "satin: rank (\\d) did (\\d+) stolen jobs, gave (\\d+) away, had (\\d+).*");

    private static final String FIB =
            """
            import ibis.satin.SatinObject;
            import ibis.satin.Spawnable;

            interface FibInterface extends Spawnable {
                long fib(int n);
            }

            public class Fib extends SatinObject implements FibInterface {
                public long fib(int n) {
                    if (n < 2) {
                        return n;
                    }
                    if (n == 18 && !localJob() && !said) {
                        said = true;
                        System.out.println("pid " + ProcessHandle.current().pid());
                    }
                    long x = fib(n - 1);
                    long y = fib(n - 2);
                    sync();
                    return x + y;
                }

                private static boolean said;

                public static void main(String[] args) {
                    int n = Integer.parseInt(args[0]);
                    Fib fib = new Fib();
                    long value = fib.fib(n);
                    fib.sync();
                    System.out.println("fib(" + n + ") = " + value);
                }
            }
            """;

    @TempDir Path folder;

    private String fib() throws IOException {
        return Files.writeString(folder.resolve("Fib.java"), FIB).toString();
    }

    /// Of each rank that said so: its number, jobs stolen, given and had back.
    private static List<long[]> statistics(String errors) {
        return DONE.matcher(errors)
                .results()
                .map(found ->
                        new long[] {
                            Long.parseLong(found.group(1)),
                            Long.parseLong(found.group(2)),
                            Long.parseLong(found.group(3)),
                            Long.parseLong(found.group(4))
                        })
                .toList();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void every_process_does_stolen_jobs(boolean modules) throws Exception {
        String[] arguments = {
            "--satin", "-n", "3", "--java=-Dibidem.satin.statistics=true", fib(), "38"
        };
        try (var run =
                modules
                        ? Launched.run(folder, arguments)
                        : Launched.runOnClassPath(folder, arguments)) {
            assertThat(run.lines()).as(run.errors()).contains("[0] fib(38) = 39088169");
            assertThat(run.code()).isZero();
            assertThat(statistics(run.errors()))
                    .as(run.errors())
                    .hasSize(3)
                    .allMatch(rank -> rank[0] == 0 ? rank[2] > 0 : rank[1] > 0);
        }
    }

    /// What a trace has of stolen jobs: thief, victim and stamp, of those that were done.
    private static List<String> stolen(Path trace) throws IOException {
        var json = (Map<?, ?>) Json.parse(Files.readString(trace));
        assertThat(json.get("otherData")).isEqualTo(Map.of("dropped", "0"));
        return ((List<?>) json.get("traceEvents"))
                .stream()
                        .map(event -> (Map<?, ?>) event)
                        .filter(event -> event.get("name").equals("stolen job"))
                        .map(event -> {
                            var job = (Map<?, ?>) event.get("args");
                            return job.get("done").equals(true)
                                    ? event.get("pid") + " " + job.get("from") + job.get("stamp")
                                    : "";
                        })
                        .filter(job -> !job.isEmpty())
                        .toList();
    }

    @Test
    void a_trace_has_every_stolen_job_once_at_its_thief() throws Exception {
        var trace = folder.resolve("fib.json");
        try (var run =
                Launched.run(
                        folder,
                        "--satin",
                        "-n",
                        "2",
                        "--trace",
                        trace.toString(),
                        "--java=-Dibidem.satin.statistics=true",
                        "--java=-Dibidem.satin.progress=100ms",
                        fib(),
                        "38")) {
            assertThat(run.lines()).as(run.errors()).contains("[0] fib(38) = 39088169");
            assertThat(run.code()).isZero();
            assertThat(run.errors())
                    .containsPattern("\\[0] satin: \\d+ s, 2 workers, \\S+ jobs, \\S+ stolen, idle")
                    .containsPattern("satin: site \\S+ did \\d+ jobs, \\d+ of them stolen")
                    .contains("trace of 2 workers", "0 events dropped", "fib.png");
            var stolen = stolen(trace);
            assertThat(stolen).isNotEmpty().doesNotHaveDuplicates();
            for (var rank : statistics(run.errors())) {
                var thief = (double) rank[0] + " rank " + (1 - rank[0]);
                assertThat(stolen.stream().filter(job -> job.startsWith(thief)))
                        .as("rank %d", rank[0])
                        .hasSize((int) rank[1]);
            }
        }
        var picture = ImageIO.read(folder.resolve("fib.png").toFile());
        var colours = new HashSet<Integer>();
        for (int x = 0; x < picture.getWidth(); x++) {
            for (int y = picture.getHeight() / 2; y < picture.getHeight(); y++) {
                colours.add(picture.getRGB(x, y) & 0xffffff);
            }
        }
        assertThat(colours).as("somebody computes").contains(0x2e7d4f);
    }

    @Test
    void where_no_trace_can_be_written_is_said_before_the_job() throws Exception {
        for (var bad : List.of("nowhere/fib.json", ".", "fib.png")) {
            var trace = folder.resolve(bad).toString();
            try (var run = Launched.run(folder, "--satin", "--trace", trace, fib(), "5")) {
                assertThat(run.lines()).isEmpty();
                assertThat(run.code()).isEqualTo(2);
                assertThat(run.errors())
                        .contains(bad.equals(".") ? "it is a folder" : trace)
                        .contains(bad.endsWith(".png") ? "fib.json" : "name another file");
            }
        }
    }

    /// The shortest way through a square of numbers, right and down; the shared bound cuts off what
    /// is longer already. A second search may begin when the first one's bound has come.
    private static final String BOUND =
            """
            import ibis.satin.*;

            interface Lowers extends WriteMethodsInterface {
                int lower(int to);
            }

            class Bound extends SharedObject implements Lowers {
                private int least = Integer.MAX_VALUE;
                public int lower(int to) { return least = Math.min(least, to); }
                int least() { return least; }
            }

            interface Searches extends Spawnable {
                void search(Bound bound, int x, int y, int sum);
                long seen(Bound bound, int least);
            }

            public class Ways extends SatinObject implements Searches {
                private static final int N = 11;
                static int cost(int x, int y) { return (x * 7919 + y * 104729 + x * y * 31) % 97 + 1; }
                public void search(Bound bound, int x, int y, int sum) {
                    int here = sum + cost(x, y);
                    if (here >= bound.least()) return;
                    if (x == N && y == N) { bound.lower(here); return; }
                    if (x < N) search(bound, x + 1, y, here);
                    if (y < N) search(bound, x, y + 1, here);
                    sync();
                }
                public boolean guard_seen(Bound bound, int least) { return bound.least() <= least; }
                // Who has seen what, elsewhere.
                public long seen(Bound bound, int least) {
                    return localJob() ? -1 : ProcessHandle.current().pid() << 32 | bound.least();
                }
                public static void main(String[] args) {
                    var ways = new Ways();
                    var bound = new Bound();
                    ways.search(bound, 0, 0, 0);
                    ways.sync();
                    var elsewhere = new java.util.HashMap<Long, Integer>();
                    for (int i = 0; i < 20000 && elsewhere.size() < 2; i++) {
                        long one = ways.seen(bound, bound.least());
                        long other = ways.seen(bound, bound.least());
                        long end = System.nanoTime() + 1000000;
                        while (System.nanoTime() < end) Thread.onSpinWait(); // somebody may take it
                        ways.sync();
                        if (one >= 0) elsewhere.put(one >> 32, (int) one);
                        if (other >= 0) elsewhere.put(other >> 32, (int) other);
                    }
                    System.out.println("least " + bound.least() + ", elsewhere " + elsewhere.values());
                }
            }
            """;

    @Test
    void all_processes_write_to_a_shared_object() throws Exception {
        var program = Files.writeString(folder.resolve("Ways.java"), BOUND).toString();
        var statistics = "--java=-Dibidem.satin.statistics=true";
        try (var run = Launched.run(folder, "--satin", "-n", "3", statistics, program)) {
            int least = leastWay();
            assertThat(run.lines())
                    .as(run.errors())
                    .contains("[0] least %d, elsewhere [%d, %d]".formatted(least, least, least));
            assertThat(run.code()).isZero();
            assertThat(statistics(run.errors()))
                    .as(run.errors())
                    .hasSize(3)
                    .allMatch(rank -> rank[0] == 0 ? rank[2] > 0 : rank[1] > 0);
        }
    }

    private static int leastWay() {
        int n = 11;
        var least = new int[n + 1][n + 1];
        for (int x = 0; x <= n; x++) {
            for (int y = 0; y <= n; y++) {
                int before =
                        x == 0 && y == 0
                                ? 0
                                : Math.min(
                                        x == 0 ? Integer.MAX_VALUE : least[x - 1][y],
                                        y == 0 ? Integer.MAX_VALUE : least[x][y - 1]);
                least[x][y] = before + (x * 7919 + y * 104729 + x * y * 31) % 97 + 1;
            }
        }
        return least[n][n];
    }

    /// Each so long that both processes come to do some of it, also on a machine that has no time.
    /// Two of them each day, all with `-Dibidem.full=true`.
    static Stream<Arguments> applications() {
        var all =
                List.of(
                        arguments("sat", "pigeons 8", "UNSATISFIABLE, right"),
                        arguments("sat", "random 200 1", "SATISFIABLE, right"),
                        arguments("queens", "13", "13 queens stand in 73712 ways, right"),
                        arguments("knapsack", "30", "the best of 30 things are worth 1060, right"),
                        arguments("tsp", "16", "the shortest trip through 16 towns is 3088, right"),
                        arguments(
                                "matrix",
                                "1024 64",
                                "the product of 1024 rows sums up to -1518850336, right"),
                        arguments(
                                "raytracer",
                                "1200",
                                "a picture of 100 balls, 1200 pixels wide: fe0200c8, right"),
                        arguments(
                                "barneshut",
                                "4000 20",
                                "after 20 steps the first of 4000 bodies is at -19.11287331214247, right"),
                        arguments("integrate", "1e-9", "the area is 611930.2835549221, right"));
        if (Boolean.getBoolean("ibidem.full")) {
            return all.stream();
        }
        long day = LocalDate.now(ZoneOffset.UTC).toEpochDay();
        return Stream.of(2 * day, 2 * day + 1).map(n -> all.get((int) (n % all.size())));
    }

    /// Their results are known; the sequential ones are in the tests of `apps`.
    @ParameterizedTest
    @MethodSource("applications")
    void applications_find_what_is_known(String name, String argument, String line)
            throws Exception {
        boolean search = argument.startsWith("random"); // What one finds ends what others do.
        try (var run =
                Launched.run(
                        folder,
                        Stream.concat(
                                        Stream.of(
                                                "--satin",
                                                "-n",
                                                "2",
                                                "--java=-Dibidem.satin.statistics=true",
                                                name),
                                        Stream.of(argument.split(" ")))
                                .toArray(String[]::new))) {
            assertThat(run.lines()).as(run.errors()).contains("[0] " + line);
            assertThat(run.code()).isZero();
            assertThat(statistics(run.errors()))
                    .as(run.errors())
                    .hasSize(2)
                    .allMatch(rank -> rank[0] == 0 ? rank[2] > 0 : search || rank[1] > 0);
        }
    }

    /// Both as the application writes them, the one without workers.
    @Test
    void the_picture_of_several_processes_is_the_sequential_one_pixel_for_pixel() throws Exception {
        var one = folder.resolve("sequential.png");
        Class.forName("org.ibidem.apps.raytracer.Raytracer")
                .getMethod("main", String[].class)
                .invoke(null, (Object) new String[] {"800", "100", one.toString()});
        var other = folder.resolve("satin.png");
        try (var run =
                Launched.run(
                        folder,
                        "--satin",
                        "-n",
                        "3",
                        "--java=-Dibidem.satin.statistics=true",
                        "raytracer",
                        "800",
                        "100",
                        other.toString())) {
            assertThat(run.lines()).as(run.errors()).last().asString().endsWith(", right");
            assertThat(run.code()).isZero();
            assertThat(statistics(run.errors()))
                    .as(run.errors())
                    .hasSize(3)
                    .allMatch(rank -> rank[0] == 0 ? rank[2] > 0 : rank[1] > 0);
        }
        assertThat(pixels(other)).isEqualTo(pixels(one));
    }

    private static int[] pixels(Path picture) throws IOException {
        var image = ImageIO.read(picture.toFile());
        int width = image.getWidth();
        return image.getRGB(0, 0, width, image.getHeight(), null, 0, width);
    }

    @Test
    void a_worker_that_is_killed_costs_nothing_but_time() throws Exception {
        var trace = folder.resolve("killed.json");
        try (var run =
                Launched.run(
                        folder,
                        "--satin",
                        "-n",
                        "3",
                        "--trace",
                        trace.toString(),
                        "--java=-Dibidem.satin.statistics=true",
                        fib(),
                        "40")) {
            // Both others are at work when one of them dies.
            var workers = run.awaitRanks(2);
            workers.getFirst().destroyForcibly();
            assertThat(run.lines()).as(run.errors()).contains("[0] fib(40) = 102334155");
            assertThat(run.code()).isZero();
            assertThat(run.errors()).contains("is gone, and what it had is done again");
            assertThat(statistics(run.errors())).hasSize(2);
            // Also what the killed one did is there.
            assertThat(run.errors()).contains("trace of 3 workers");
            assertThat(Files.readString(trace))
                    .contains("\"ph\":\"X\",\"pid\":1,", "\"ph\":\"X\",\"pid\":2,");
        }
    }

    @Test
    void a_worker_that_comes_after_the_end_ends_and_says_why() throws Exception {
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0))) {
            var at = "localhost:" + hub.port();
            var pool = List.of("--satin", "-n", "1", "--hub", at, "--pool", "fib", "--total", "0");
            try (var run = Launched.run(folder, with(pool, fib(), "10"))) {
                assertThat(run.lines()).as(run.errors()).contains("[0] fib(10) = 55");
                assertThat(run.code()).isZero();
            }
            var late = List.of("--first", "1", "--java=-Dibidem.satin.patience=10ms", fib(), "10");
            try (var run = Launched.run(folder, with(pool, late.toArray(String[]::new)))) {
                assertThat(run.lines()).as(run.errors()).isEmpty();
                assertThat(run.code()).isEqualTo(1);
                assertThat(run.errors())
                        .contains("satin: no process of pool 'fib' has begun the program within")
                        .doesNotContain("Exception");
            }
        }
    }

    private static String[] with(List<String> before, String... more) {
        return Stream.concat(before.stream(), Stream.of(more)).toArray(String[]::new);
    }

    @Test
    void the_end_of_the_root_is_the_end_of_the_job() throws Exception {
        var program =
                Files.writeString(
                        folder.resolve("Fails.java"),
                        "public class Fails { public static void main(String[] a) {"
                                + " throw new IllegalStateException(\"as a test has it\"); } }");
        try (var run = Launched.run(folder, "--satin", "-n", "2", program.toString())) {
            run.lines();
            assertThat(run.code()).isEqualTo(1);
            assertThat(run.errors())
                    .contains("IllegalStateException: as a test has it")
                    .contains("rank 0 failed: exit code 1")
                    .doesNotContain("rank 1 failed");
        }
    }
}
