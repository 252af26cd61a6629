package org.ibidem.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// MPI programs in processes of their own, started as any other program.
@Tag("lab")
@Isolated("starts processes")
class MpiJobTest {
    private static final String RING =
            """
            import mpi.*;

            public class Ring {
                public static void main(String[] args) throws Exception {
                    MPI.Init(args);
                    int rank = MPI.COMM_WORLD.Rank();
                    int size = MPI.COMM_WORLD.Size();
                    double[] mine = new double[100_000];
                    java.util.Arrays.fill(mine, rank);
                    double[] got = new double[100_000];
                    MPI.COMM_WORLD.Sendrecv(
                            mine, 0, mine.length, MPI.DOUBLE, (rank + 1) % size, 3,
                            got, 0, got.length, MPI.DOUBLE, (rank + size - 1) % size, 3);
                    Object[] word = {rank == 0 ? "a word" : null};
                    MPI.COMM_WORLD.Bcast(word, 0, 1, MPI.OBJECT, 0);
                    int[] sum = new int[1];
                    MPI.COMM_WORLD.Allreduce(new int[] {rank}, 0, sum, 0, 1, MPI.INT, MPI.SUM);
                    System.out.println(rank + " got " + got[99_999] + ", " + word[0] + ", " + sum[0]);
                    MPI.Finalize();
                }
            }
            """;

    private static final String LOOKS =
            """
            void main() {
                try {
                    IO.println("there is " + Class.forName("m" + "pi.MPI"));
                } catch (ClassNotFoundException e) {
                    IO.println("there is none");
                }
            }
            """;

    private static final String COUNTS =
            """
            import mpi.MPI;

            public class Counts {
                public static void main(String[] args) {
                    String before = String.join(" ", args);
                    String[] own = MPI.Init(args);
                    System.out.println(before + ", of its own " + String.join(" ", own));
                    MPI.Finalize();
                }
            }
            """;

    private static final String FIRST =
            """
            package heat.start;

            public class First {
                public static void main(String[] args) {
                    heat.Second.run(args);
                }
            }
            """;

    private static final String SECOND =
            """
            package heat;

            import mpi.*;

            public class Second {
                public static void run(String[] args) {
                    MPI.Init(args);
                    System.out.println("one of " + MPI.COMM_WORLD.Size());
                    MPI.Finalize();
                }
            }
            """;

    private static final String WRONG =
            """
            import mpi.*;

            public class Wrong {
                public static void main(String[] args) {
                    MPI.Init(args);
                    if (MPI.COMM_WORLD.Rank() == 1) {
                        MPI.COMM_WORLD.Send(new int[1], 0, 1, MPI.INT, 9, 0);
                    }
                    MPI.Finalize();
                }
            }
            """;

    private static final String ABORTS =
            """
            import mpi.*;

            public class Aborts {
                public static void main(String[] args) {
                    MPI.Init(args);
                    if (MPI.COMM_WORLD.Rank() == 1) {
                        MPI.COMM_WORLD.Abort(7);
                    }
                    MPI.COMM_WORLD.Recv(new int[1], 0, 1, MPI.INT, 1, 0);
                    System.out.println("went on");
                }
            }
            """;

    private static final Path EXPRESS = Path.of("/usr/share/mpj/lib/mpj.jar");

    @TempDir Path folder;

    private String source(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text).toString();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_program_that_refers_to_the_package_mpi_gets_it(boolean modules) throws Exception {
        var program = source("Ring.java", RING);
        try (var run =
                modules
                        ? Launched.mpjrun(folder, "-np", "3", "-dev", "niodev", program)
                        : Launched.runOnClassPath(folder, "-n", "3", program)) {
            assertThat(run.lines())
                    .as(run.errors())
                    .contains(
                            "[0] 0 got 2.0, a word, 3",
                            "[1] 1 got 0.0, a word, 3",
                            "[2] 2 got 1.0, a word, 3");
            assertThat(run.code()).isZero();
        }
    }

    /// As its author has made it, years ago.
    @Test
    void a_jar_that_was_compiled_against_mpj_express_runs_as_it_is() throws Exception {
        assumeTrue(Files.exists(EXPRESS), "there is no " + EXPRESS + ": './ibidem setup'");
        var classes = Files.createDirectory(folder.resolve("classes")).toString();
        tool("javac", "--release", "8", "-proc:none", "-Xlint:-options", "-cp", EXPRESS.toString())
                .run("-d", classes, source("Ring.java", RING));
        var jar = folder.resolve("app.jar").toString();
        tool("jar").run("--create", "--file", jar, "-C", classes, ".");
        try (var run = Launched.run(folder, "-n", "3", "-cp", jar, "Ring")) {
            assertThat(run.lines()).as(run.errors()).contains("[2] 2 got 1.0, a word, 3");
            assertThat(run.code()).isZero();
        }
    }

    private interface Tool {
        void run(String... arguments);
    }

    private static Tool tool(String name, String... first) {
        var tool = ToolProvider.findFirst(name).orElseThrow();
        return rest -> {
            var all = Stream.concat(Stream.of(first), Stream.of(rest)).toArray(String[]::new);
            assertThat(tool.run(System.out, System.err, all)).as(name).isZero();
        };
    }

    @Test
    void who_aborts_ends_the_job_with_its_code() throws Exception {
        try (var run = Launched.run(folder, "-n", "3", source("Aborts.java", ABORTS))) {
            assertThat(run.lines()).as(run.errors()).noneMatch(line -> line.contains("went on"));
            assertThat(run.code()).as(run.errors()).isEqualTo(7);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void another_does_not(boolean modules) throws Exception {
        var program = source("Looks.java", LOOKS);
        try (var run =
                modules
                        ? Launched.run(folder, program)
                        : Launched.runOnClassPath(folder, program)) {
            assertThat(run.lines()).as(run.errors()).contains("[0] there is none");
        }
    }

    @Test
    void arguments_are_a_programs_own_and_by_mpjrun_as_mpj_express_has_them() throws Exception {
        var program = source("Counts.java", COUNTS);
        try (var run = Launched.run(folder, "-n", "2", program, "7", "x")) {
            assertThat(run.lines())
                    .as(run.errors())
                    .contains("[0] 7 x, of its own 7 x", "[1] 7 x, of its own 7 x");
        }
        try (var run = Launched.mpjrun(folder, "-np", "2", program, "7", "x")) {
            assertThat(run.lines())
                    .as(run.errors())
                    .contains(
                            "[0] 0 2 multicore 7 x, of its own 7 x",
                            "[1] 1 2 multicore 7 x, of its own 7 x");
        }
        try (var run = Launched.run(folder, "--java=-Dibidem.mpj.arguments=none", program)) {
            run.lines();
            assertThat(run.code()).isNotZero();
            assertThat(run.errors())
                    .contains("ibidem.mpj.arguments", "it is own or mpjexpress, not 'none'");
        }
    }

    @Test
    void a_program_of_several_sources_is_compiled_from_where_it_begins() throws Exception {
        var heat = Files.createDirectories(folder.resolve("heat"));
        Files.createDirectory(heat.resolve("start"));
        Files.writeString(heat.resolve("Second.java"), SECOND);
        try (var run = Launched.run(folder, "-n", "2", source("heat/start/First.java", FIRST))) {
            assertThat(run.lines()).as(run.errors()).contains("[0] one of 2", "[1] one of 2");
        }
    }

    @Test
    void whoever_brings_a_package_mpi_is_told_that_it_is_used() throws Exception {
        var own = Files.createDirectories(folder.resolve("own/mpi"));
        Files.writeString(own.resolve("MPI.class"), "");
        var program = source("Looks.java", LOOKS);
        try (var run = Launched.run(folder, "-cp", own.getParent().toString(), program)) {
            run.lines();
            assertThat(run.errors()).contains("gets the package mpi of " + own.getParent());
        }
    }

    /// Each rank that hears of it prints a line: the other one may, too.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_fatal_error_is_a_sentence_and_its_stack_where_that_is_wanted(boolean debug)
            throws Exception {
        var shown = "--java=-Dibidem.mpj.debug=" + debug;
        try (var run = Launched.run(folder, shown, "-n", "2", source("Wrong.java", WRONG))) {
            run.lines();
            assertThat(run.code()).as("the class of the error").isEqualTo(6);
            var said =
                    "[1] mpi.MPIException: MPI_ERR_RANK in Send on rank 1: "
                            + "there is no rank 9 in a communicator of 2";
            if (debug) {
                assertThat(run.errors()).contains(said, "[1] \tat ", "[1] Caused by: ");
            } else {
                assertThat(run.errors())
                        .contains(said + " (called at Wrong.java:7). Errors end the job unless")
                        .doesNotContain("\tat ", "Caused by");
            }
        }
    }
}
