package org.ibidem.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.ibidem.hub.Hub;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/// One MPI job, and one circuit in it, over shared memory, TCP and streams that a hub carries:
/// ranks 0 and 1 share memory, rank 2 does not with anybody, and rank 3 is reached through the hub
/// only.
@Tag("lab")
@Isolated("starts processes")
class SeveralNetworksTest {
    /// All ranks draw the same random messages, and each does its part of them.
    private static final String TALKS =
            """
            import java.util.ArrayList;
            import java.util.Arrays;
            import java.util.Random;
            import mpi.*;

            public class Talks {
                public static void main(String[] args) throws Exception {
                    MPI.Init(args);
                    int me = MPI.COMM_WORLD.Rank();
                    int size = MPI.COMM_WORLD.Size();
                    Random random = new Random(Long.parseLong(args[0]));
                    for (int round = 0; round < 10; round++) {
                        talk(random, me, size);
                        int[] sums = new int[size];
                        int[] mine = new int[size];
                        Arrays.fill(mine, me + round);
                        MPI.COMM_WORLD.Allreduce(mine, 0, sums, 0, size, MPI.INT, MPI.SUM);
                        check(sums[me] == size * (size - 1) / 2 + size * round, "the sum");
                        MPI.COMM_WORLD.Alltoall(mine, 0, 1, MPI.INT, sums, 0, 1, MPI.INT);
                        for (int from = 0; from < size; from++) {
                            check(sums[from] == from + round, "the word of " + from);
                        }
                    }
                    System.out.println("all is right");
                    MPI.Finalize();
                }

                private static void talk(Random random, int me, int size) {
                    ArrayList<Request> all = new ArrayList<>();
                    ArrayList<byte[]> got = new ArrayList<>();
                    ArrayList<byte[]> wanted = new ArrayList<>();
                    for (int i = 0; i < 30; i++) {
                        int from = random.nextInt(size);
                        int to = random.nextInt(size);
                        byte[] bytes = new byte[random.nextInt(i % 5 == 0 ? 400_000 : 3_000)];
                        random.nextBytes(bytes);
                        if (to == me) {
                            byte[] into = new byte[bytes.length];
                            got.add(into);
                            wanted.add(bytes);
                            all.add(MPI.COMM_WORLD.Irecv(into, 0, into.length, MPI.BYTE, from, i));
                        }
                        if (from == me) {
                            all.add(MPI.COMM_WORLD.Isend(bytes, 0, bytes.length, MPI.BYTE, to, i));
                        }
                    }
                    Request.Waitall(all.toArray(new Request[0]));
                    for (int i = 0; i < got.size(); i++) {
                        check(Arrays.equals(got.get(i), wanted.get(i)), "message " + i);
                    }
                }

                private static void check(boolean holds, String what) {
                    if (!holds) {
                        throw new IllegalStateException(what + " is wrong");
                    }
                }
            }
            """;

    /// One end has made the connection, the other has accepted it.
    private static final String DIRECT = "( by direct to|, accepted from) [\\[0-9]";

    private static final String ROUTED =
            "( by routed to|, accepted from) node \\w+ through the hub";

    @TempDir Path folder;

    @Test
    void one_job_talks_over_all_of_them_at_once_and_says_which_is_where() throws Exception {
        var seed = Long.toString(System.nanoTime());
        var program = Files.writeString(folder.resolve("Talks.java"), TALKS).toString();
        var its = Files.createDirectory(folder.resolve("memory-of-2"));
        var last = Files.createDirectory(folder.resolve("memory-of-3"));
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0));
                var near = part(hub, program, seed, "-n", "2", "--first", "0");
                var other = part(hub, program, seed, "--first", "2", "--java=-Dibidem.shm=" + its);
                var behind =
                        part(
                                hub,
                                program,
                                seed,
                                "--first",
                                "3",
                                "--java=-Dibidem.shm=" + last,
                                "--java=-Dibidem.location=here@behind",
                                "--java=-Dibidem.methods=routed")) {
            for (var part : List.of(near, other, behind)) {
                assertThat(part.lines()).as(seed + part.errors()).isNotEmpty();
                assertThat(part.code()).as(seed + part.errors()).isZero();
            }
            assertThat(near.errors())
                    .containsPattern("rank 0 reached rank 1: shm; rank 2: tcp" + DIRECT)
                    .containsPattern("rank 0 reached .*; rank 3: tcp" + ROUTED);
            assertThat(other.errors()).containsPattern("rank 2 reached .*; rank 3: tcp" + ROUTED);
        }
    }

    private Launched part(Hub hub, String program, String seed, String... more) throws IOException {
        var words = new ArrayList<>(List.of("--hub", "localhost:" + hub.port(), "--open"));
        words.addAll(List.of("--pool", "talks", "--total", "4"));
        words.addAll(List.of(more));
        words.add("--java=-Dibidem.methods.behind=routed");
        words.add("--java=-Dibidem.mpj.stack=multi(shm, tcp)");
        words.add("--java=-Dibidem.mpj.debug=true");
        words.addAll(List.of(program, seed));
        return Launched.run(folder, words.toArray(String[]::new));
    }
}
