package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.ibidem.hub.Hub;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Programs that are started without a job: one process, by `smpdev`. They are compiled here, as
/// programs are: without `throws`, and as MPJ Express has them.
@Isolated
@Tag("slow")
class AloneTest {
    @TempDir Path folder;

    /// @param code its exit code
    /// @param output all it said
    private record Run(int code, String output) {}

    private Run run(String body, String... options) throws IOException, InterruptedException {
        Path source = folder.resolve("Program.java");
        Files.writeString(
                source,
                "import mpi.*;\npublic class Program {\n    public static void main(String[] args) {\n"
                        + body
                        + "\n    }\n}\n");
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<String> command = new ArrayList<>(List.of(java));
        command.addAll(List.of(options));
        command.addAll(
                List.of(
                        "-cp",
                        System.getProperty("java.class.path"),
                        source.toString(),
                        "one",
                        "two"));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("IBIDEM_"));
        Process process = builder.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        return new Run(process.exitValue(), output);
    }

    @Test
    void a_program_from_its_init_to_its_finalize() throws Exception {
        Run run =
                run(
                        """
                        if (MPI.Initialized()) throw new IllegalStateException();
                        String[] rest = MPI.Init(args);
                        Intracomm world = MPI.COMM_WORLD;
                        double begin = MPI.Wtime();
                        MPI.Buffer_attach(java.nio.ByteBuffer.allocateDirect(100 + MPI.BSEND_OVERHEAD));
                        world.Bsend(new int[] {7}, 0, 1, MPI.INT, 0, 3);
                        int[] got = new int[1];
                        Status status = world.Recv(got, 0, 1, MPI.INT, MPI.ANY_SOURCE, MPI.ANY_TAG);
                        MPI.Buffer_detach();
                        MPI.Errorhandler_set(MPI.ERRORS_RETURN);
                        try {
                            world.Send(got, 0, 1, MPI.INT, 9, 0);
                        } catch (MPIException e) {
                            System.out.println(e.getMessage());
                        }
                        boolean named = !MPI.Get_processor_name().isEmpty() && MPI.Wtime() >= begin && MPI.Wtick() > 0;
                        System.out.println(rest.length + " " + got[0] + " " + status.tag + " " + world.Size()
                                + " " + MPI.COMM_SELF.Size() + " " + named + " " + MPI.isMainThread()
                                + " " + (MPI.queryThread() == MPI.THREAD_MULTIPLE));
                        MPI.Finalize();
                        System.out.println("ended");
                        """);
        assertThat(run.output)
                .contains(
                        "MPI_ERR_RANK in Send on rank 0: there is no rank 9 in a communicator of 1",
                        "2 7 3 1 1 true true true",
                        "ended");
        assertThat(run.code).isZero();
    }

    @Test
    void an_error_is_fatal_where_nobody_says_otherwise() throws Exception {
        Run run =
                run(
                        """
                        MPI.Init(args);
                        try {
                            MPI.COMM_WORLD.Recv(new int[1], 0, 1, MPI.INT, 5, 0);
                        } finally {
                            System.out.println("went on");
                        }
                        """);
        assertThat(run.output)
                .contains(
                        "MPI_ERR_RANK in Recv on rank 0: there is no rank 5",
                        "(called at Program.java:6)")
                .doesNotContain("went on");
        assertThat(run.code).isEqualTo(MPI.ERR_RANK);
    }

    @Test
    void abort_ends_with_its_code() throws Exception {
        Run run = run("MPI.Init(args); MPI.COMM_WORLD.Abort(42); System.out.println(\"went on\");");
        assertThat(run.output).contains("rank 0 called Abort(42)").doesNotContain("went on");
        assertThat(run.code).isEqualTo(42);
    }

    @Test
    void init_once_and_finalize_once() throws Exception {
        Run run =
                run(
                        """
                        String[] rest = MPI.initThread(args.length, MPI.THREAD_FUNNELED, args);
                        if (rest.length != 2 || !MPI.isMainThread()) throw new IllegalStateException();
                        MPI.Errorhandler_set(MPI.ERRORS_RETURN);
                        try { MPI.Init(args); } catch (MPIException e) { System.out.println(e.getMessage()); }
                        MPI.Finalize();
                        try { MPI.Finalize(); } catch (MPIException e) { System.out.println(e.getMessage()); }
                        try { MPI.Buffer_detach(); } catch (MPIException e) { System.out.println(e.getMessage()); }
                        System.out.println(MPI.Initialized() + " " + MPI.Finalized());
                        """);
        assertThat(run.output)
                .contains(
                        "MPI_ERR_OTHER in Init on rank 0: MPI.Init has been called already",
                        "MPI_ERR_OTHER in Finalize on rank 0: MPI.Finalize has been called",
                        "MPI_ERR_OTHER in Buffer_detach on rank 0: MPI.Finalize has been called",
                        "true true");
        assertThat(run.code).isZero();
    }

    /// What is printed is the cause, and what to do.
    private void cannotBegin(String said, String... options) throws Exception {
        Run run = run("MPI.Init(args); System.out.println(\"went on\");", options);
        assertThat(run.output)
                .matches("(Picked up .*\\R)?MPI\\.Init: .+\\R") // one line, and no stack
                .contains(said);
        assertThat(run.code).isEqualTo(MPI.ERR_OTHER);
    }

    @Test
    void an_init_without_a_hub_says_so_in_a_sentence() throws Exception {
        String nobody = "localhost:1";
        cannotBegin(
                "start one with 'ibidem hub', or name another address", "-Dibidem.hub=" + nobody);
        cannotBegin("no-such-host.invalid", "-Dibidem.hub=no-such-host.invalid:8888");
    }

    @Test
    void so_does_one_whose_pool_is_of_another_size() throws Exception {
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0))) {
            String at = "localhost:" + hub.port();
            try (var _ = Node.join(Join.pool("two").hub(at).size(2))) {
                cannotBegin(
                        "name that size, or none",
                        "-Dibidem.hub=" + at,
                        "-Dibidem.pool=two",
                        "-Dibidem.size=3");
            }
        }
    }

    @Test
    void a_program_that_wants_to_know_is_told_that_it_cannot_begin() throws Exception {
        Run run =
                run(
                        """
                        MPI.Errorhandler_set(MPI.ERRORS_RETURN);
                        try {
                            MPI.Init(args);
                        } catch (MPIException e) {
                            System.out.println(e.getMessage() + " " + MPI.Initialized());
                        }
                        """,
                        "-Dibidem.hub=localhost:1");
        assertThat(run.output)
                .containsPattern("MPI_ERR_OTHER in Init: no hub could be reached: .* false");
        assertThat(run.code).isZero();
    }

    /// A rank over circuits, in a job of one.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_thread_that_makes_progress_is_there_only_where_it_is_asked_for(boolean asked)
            throws Exception {
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0))) {
            Run run =
                    run(
                            """
                            MPI.Init(args);
                            int[] got = new int[1];
                            MPI.COMM_WORLD.Sendrecv(new int[] {7}, 0, 1, MPI.INT, 0, 0, got, 0, 1, MPI.INT, 0, 0);
                            System.out.println(got[0] + " and " + Thread.getAllStackTraces().keySet().stream()
                                    .filter(thread -> thread.getName().equals("mpj-progress")).count());
                            MPI.Finalize();
                            """,
                            "-Dibidem.hub=localhost:" + hub.port(),
                            "-Dibidem.pool=one",
                            "-Dibidem.size=1",
                            "-Dibidem.mpj.progress=" + asked);
            assertThat(run.output).contains(asked ? "7 and 1" : "7 and 0");
            assertThat(run.code).isZero();
        }
    }
}
