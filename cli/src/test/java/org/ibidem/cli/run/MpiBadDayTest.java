package org.ibidem.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What becomes of an MPI job whose rank is lost to a program that wants to know, or stands still.
/// One that is killed: [MpiKilledTest].
@Tag("lab")
@Isolated("kills and stops processes")
class MpiBadDayTest {
    private static final String SENDS =
            """
            import mpi.*;

            public class Sends {
                public static void main(String[] args) throws Exception {
                    MPI.Init(args);
                    if (MPI.COMM_WORLD.Rank() == 1) {
                        System.out.println("pid " + ProcessHandle.current().pid());
                        MPI.COMM_WORLD.Recv(new int[1], 0, 1, MPI.INT, 0, 2);
                    }
                    MPI.Errorhandler_set(MPI.ERRORS_RETURN);
                    for (int told = 0; told < 2; ) {
                        try {
                            MPI.COMM_WORLD.Send(new int[1], 0, 1, MPI.INT, 1, 1);
                        } catch (MPIException e) {
                            System.out.println(e.getMessage());
                            told++;
                        }
                    }
                }
            }
            """;

    /// Rank 0 stops rank 1 for so many seconds, and asks meanwhile whether something comes.
    private static final String STOPS =
            """
            import mpi.*;

            public class Stops {
                static void signal(String name, long pid) throws Exception {
                    new ProcessBuilder("kill", "-" + name, "" + pid).start().waitFor();
                }

                public static void main(String[] args) throws Exception {
                    MPI.Init(args);
                    long[] pid = {ProcessHandle.current().pid()};
                    int[] word = new int[1 << 20];
                    if (MPI.COMM_WORLD.Rank() == 1) {
                        MPI.COMM_WORLD.Send(pid, 0, 1, MPI.LONG, 0, 1);
                        MPI.COMM_WORLD.Recv(word, 0, word.length, MPI.INT, 0, 2);
                        word[0]++;
                        MPI.COMM_WORLD.Send(word, 0, word.length, MPI.INT, 0, 3);
                    } else {
                        MPI.COMM_WORLD.Recv(pid, 0, 1, MPI.LONG, 1, 1);
                        signal("STOP", pid[0]);
                        Request sent = MPI.COMM_WORLD.Isend(word, 0, word.length, MPI.INT, 1, 2);
                        double end = MPI.Wtime() + Double.parseDouble(args[0]);
                        while (MPI.Wtime() < end) {
                            MPI.COMM_WORLD.Iprobe(1, 3);
                        }
                        signal("CONT", pid[0]);
                        sent.Wait();
                        MPI.COMM_WORLD.Recv(word, 0, word.length, MPI.INT, 1, 3);
                        System.out.println("it answered " + word[0]);
                    }
                    MPI.Finalize();
                }
            }
            """;

    /// Blocks of a derived type, 3.3 GB of them.
    private static final String LARGE =
            """
            import mpi.*;

            public class Large {
                private static final int BLOCK = 1 << 20;
                private static final int BLOCKS = 400;

                public static void main(String[] args) {
                    MPI.Init(args);
                    Datatype block = Datatype.Contiguous(BLOCK, MPI.LONG);
                    block.Commit();
                    long[] values = new long[BLOCK * BLOCKS];
                    if (MPI.COMM_WORLD.Rank() == 0) {
                        for (int i = 0; i < values.length; i++) {
                            values[i] = i * 7L;
                        }
                        MPI.COMM_WORLD.Send(values, 0, BLOCKS, block, 1, 1);
                    } else {
                        Status status = MPI.COMM_WORLD.Recv(values, 0, BLOCKS, block, 0, 1);
                        for (int i = 0; i < values.length; i++) {
                            if (values[i] != i * 7L) {
                                throw new IllegalStateException("element " + i + " is " + values[i]);
                            }
                        }
                        System.out.println(status.Get_count(block) + " blocks, " + 8L * values.length + " bytes");
                    }
                    MPI.Finalize();
                }
            }
            """;

    /// Rank 0 cuts short the memory of its link to rank 1, as another process of the user could.
    private static final String CUTS =
            """
            import java.nio.channels.FileChannel;
            import java.nio.file.*;
            import mpi.*;

            public class Cuts {
                static int cut() throws Exception {
                    int count = 0;
                    try (var all = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
                        for (Path one : all) {
                            if (Files.exists(one, LinkOption.NOFOLLOW_LINKS)
                                    && Files.readSymbolicLink(one).toString().matches(".*/ibidem-[0-9a-f]{32}.*")) {
                                try (FileChannel file = FileChannel.open(one, StandardOpenOption.WRITE)) {
                                    file.truncate(0);
                                    count++;
                                }
                            }
                        }
                    }
                    return count;
                }

                public static void main(String[] args) throws Exception {
                    MPI.Init(args);
                    int rank = MPI.COMM_WORLD.Rank();
                    MPI.Errorhandler_set(MPI.ERRORS_RETURN);
                    try {
                        if (rank == 0) {
                            MPI.COMM_WORLD.Recv(new int[1], 0, 1, MPI.INT, 1, 1);
                            System.out.println("cut " + cut());
                            MPI.COMM_WORLD.Ssend(new int[1], 0, 1, MPI.INT, 1, 2);
                        } else {
                            MPI.COMM_WORLD.Send(new int[1], 0, 1, MPI.INT, 0, 1);
                            MPI.COMM_WORLD.Recv(new int[1], 0, 1, MPI.INT, 0, 3);
                        }
                    } catch (MPIException e) {
                        System.out.println(e.getMessage());
                    }
                    Runtime.getRuntime().halt(0);
                }
            }
            """;

    @TempDir Path folder;

    private String source(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name + ".java"), text).toString();
    }

    /// A program that wants to know is told each time, and by the reason.
    @Test
    void a_send_to_a_rank_that_is_dead_says_so() throws Exception {
        try (var run = Launched.run(folder, "-n", "2", source("Sends", SENDS))) {
            run.awaitRanks(1).getFirst().destroyForcibly();
            var lines = run.lines();
            assertThat(run.code()).as(run.errors()).isEqualTo(137);
            assertThat(lines)
                    .filteredOn(line ->
                            line.matches("\\[0] \\S+ in Send on rank 0: process 1 is gone: .*"))
                    .hasSize(2);
        }
    }

    @Test
    void a_rank_whose_shared_memory_is_cut_short_is_gone_for_the_other() throws Exception {
        try (var run = Launched.run(folder, "-n", "2", source("Cuts", CUTS))) {
            var lines = run.lines();
            assertThat(lines).as(run.errors()).contains("[0] cut 1");
            assertThat(lines)
                    .as(run.errors())
                    .anyMatch(line ->
                            line.matches(
                                    "\\[0] \\S+ in Ssend on rank 0: process 1 is gone: .*the shared memory was cut short.*"))
                    .anyMatch(line ->
                            line.matches(
                                    "\\[1] \\S+ in (Send|Recv) on rank 1: process 0 is gone: .*"));
        }
    }

    /// Everything that listens for signs of life has missed them by then.
    @Test
    @Tag("slow")
    void a_rank_that_is_stopped_and_goes_on_is_waited_for() throws Exception {
        try (var run = stopped("60s", 6)) {
            assertThat(run.lines()).as(run.errors()).contains("[0] it answered 1");
            assertThat(run.code()).as(run.errors()).isZero();
        }
    }

    /// With `ibidem.suspicion`: a minute is longer than is waited otherwise.
    @Test
    @Tag("full")
    void one_that_is_stopped_for_a_minute_is_waited_for_too() throws Exception {
        try (var run = stopped("120s", 60)) {
            assertThat(run.lines()).as(run.errors()).contains("[0] it answered 1");
            assertThat(run.code()).as(run.errors()).isZero();
        }
    }

    @Test
    @Tag("full")
    void one_that_does_not_go_on_is_dead_when_that_time_is_over() throws Exception {
        try (var run = stopped("2s", 60)) {
            run.lines();
            assertThat(run.code()).isNotZero();
            assertThat(run.errors())
                    .containsPattern(
                            "in Iprobe on rank 0: process 1 is gone: node [0-9a-f]+ is dead: no contact for 2 s");
        }
    }

    /// More bytes than an int counts.
    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    @Tag("full")
    void a_message_of_three_gigabytes_arrives(String stack) throws Exception {
        var over = "--java=-Dibidem.mpj.stack=" + stack;
        try (var run =
                Launched.run(folder, "--java=-Xmx6g", over, "-n", "2", source("Large", LARGE))) {
            assertThat(run.lines()).as(run.errors()).contains("[1] 400 blocks, 3355443200 bytes");
            assertThat(run.code()).isZero();
        }
    }

    private Launched stopped(String suspicion, int seconds) throws IOException {
        return Launched.runWith(
                List.of("-Dibidem.heartbeat=1s", "-Dibidem.suspicion=" + suspicion),
                folder,
                "--java=-Dibidem.heartbeat=1s",
                "-n",
                "2",
                source("Stops", STOPS),
                Integer.toString(seconds));
    }
}
