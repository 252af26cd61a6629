package org.ibidem.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/// Programs of Satin and MPI whose processes exchange objects: in a pool that has an authority of
/// their own classes alone, elsewhere of all. A library on their class path has a class, too.
@Tag("lab")
@Isolated("starts processes")
@Timeout(300)
class GovernedProgramsTest {
    private static final String NOTICE = "takes objects of every class";

    private static final String LIBRARY =
            """
            package far;

            public record Thing(int n) implements java.io.Serializable {}
            """;

    private static final String MPI =
            """
            import mpi.*;

            public class Talks {
                record Mine(int n) implements java.io.Serializable {}

                public static void main(String[] args) throws Exception {
                    MPI.Init(args);
                    MPI.COMM_WORLD.Errorhandler_set(MPI.ERRORS_RETURN);
                    if (MPI.COMM_WORLD.Rank() == 0) {
                        for (Object each : new Object[] {new Mine(1), new far.Thing(2)}) {
                            MPI.COMM_WORLD.Send(new Object[] {each}, 0, 1, MPI.OBJECT, 1, 0);
                        }
                    } else {
                        for (int i = 0; i < 2; i++) {
                            Object[] got = new Object[1];
                            try {
                                MPI.COMM_WORLD.Recv(got, 0, 1, MPI.OBJECT, 0, 0);
                                System.out.println("got " + got[0]);
                            } catch (MPIException e) {
                                System.out.println(e.getMessage());
                            }
                        }
                    }
                    MPI.Finalize();
                }
            }
            """;

    /// Waits until each job was stolen once.
    private static final String SATIN =
            """
            import ibis.satin.SatinObject;
            import ibis.satin.Spawnable;

            interface Takes extends Spawnable {
                String take(Object what);
            }

            record Mine(int n) implements java.io.Serializable {}

            public class Goes extends SatinObject implements Takes {
                public String take(Object what) {
                    return (localJob() ? "here " : "away ") + what;
                }

                static String send(Goes goes, Object what) {
                    String said = goes.take(what);
                    while (!needMoreJobs()) {
                        Thread.onSpinWait();
                    }
                    goes.sync();
                    return said;
                }

                public static void main(String[] args) {
                    Goes goes = new Goes();
                    System.out.println(send(goes, new Mine(1)));
                    System.out.println(send(goes, new far.Thing(2)));
                }
            }
            """;

    @TempDir private static Path folder;

    @BeforeAll
    static void prepare() throws Exception {
        Files.createDirectories(folder.resolve("src/far"));
        var source = Files.writeString(folder.resolve("src/far/Thing.java"), LIBRARY);
        var javac = ToolProvider.findFirst("javac").orElseThrow();
        assertThat(javac.run(System.out, System.err, "-d", file("lib"), source.toString()))
                .isZero();
        Files.writeString(folder.resolve("Talks.java"), MPI);
        Files.writeString(folder.resolve("Goes.java"), SATIN);
        pool("create", "demo", "--folder", file("demo"));
        for (var each : List.of("hub", "one", "other")) {
            pool(
                    "issue",
                    each,
                    "--folder",
                    file("demo"),
                    "--role",
                    each.equals("hub") ? "hub" : "node",
                    "--out",
                    file(each + ".pem"));
        }
    }

    private static String file(String name) {
        return folder.resolve(name).toString();
    }

    private static void pool(String... words) throws Exception {
        try (var tool = Launched.tool(folder, "pool", words)) {
            assertThat(tool.code()).as(tool.errors()).isZero();
        }
    }

    private static Launched hub() throws Exception {
        return Launched.hub(
                folder,
                "--port",
                "0",
                "--identity",
                file("hub.pem"),
                "--authority",
                file("demo/authority.pem"));
    }

    private static Launched member(String hub, int rank, List<String> more) throws Exception {
        var words =
                new ArrayList<>(List.of("--hub", hub, "--pool", "demo", "--total", "2", "--first"));
        words.add(String.valueOf(rank));
        words.add("--java=-Dibidem.identity=" + file(rank == 0 ? "one.pem" : "other.pem"));
        words.add("--java=-Dibidem.authority=" + file("demo/authority.pem"));
        words.addAll(List.of("-cp", file("lib")));
        words.addAll(more);
        return Launched.run(folder, words.toArray(String[]::new));
    }

    /// What both have said and logged, in a pool that has an authority.
    private static String governed(String... program) throws Exception {
        try (var hub = hub()) {
            var at = hub.line().replaceFirst("hub listens on (\\S+).*", "$1");
            try (var one = member(at, 0, List.of(program));
                    var other = member(at, 1, List.of(program))) {
                var said = one.lines() + "\n" + other.lines();
                var all = said + "\n" + one.errors() + "\n" + other.errors();
                assertThat(one.code()).as(all).isZero();
                assertThat(other.code()).as(all).isZero();
                return all;
            }
        }
    }

    private static String elsewhere(String... program) throws Exception {
        var words = new ArrayList<>(List.of("-n", "2", "-cp", file("lib")));
        words.addAll(List.of(program));
        try (var run = Launched.run(folder, words.toArray(String[]::new))) {
            var all = run.lines() + "\n" + run.errors();
            assertThat(run.code()).as(all).isZero();
            return all;
        }
    }

    @Test
    void mpi_receives_its_programs_own_objects_alone() throws Exception {
        assertThat(governed(file("Talks.java")))
                .contains("got Mine[n=1]", "--java=-Dibidem.mpj.objects=far.Thing")
                .doesNotContain("got Thing", NOTICE);
    }

    @Test
    void mpi_receives_what_the_setting_names_beside_them() throws Exception {
        assertThat(governed("--java=-Dibidem.mpj.objects=far.*", file("Talks.java")))
                .contains("got Mine[n=1]", "got Thing[n=2]")
                .doesNotContain(NOTICE);
    }

    @Test
    void mpi_receives_all_objects_in_a_pool_without_an_authority() throws Exception {
        assertThat(elsewhere(file("Talks.java")))
                .contains("got Mine[n=1]", "got Thing[n=2]", NOTICE);
    }

    @Test
    void satin_carries_its_programs_own_objects_alone() throws Exception {
        assertThat(governed("--satin", file("Goes.java")))
                .contains("away Mine[n=1]", "here Thing[n=2]")
                .contains("--java=-Dibidem.satin.allow=far.Thing")
                .doesNotContain(NOTICE);
    }

    @Test
    void satin_carries_what_the_setting_names_beside_them() throws Exception {
        assertThat(governed("--satin", "--java=-Dibidem.satin.allow=far.*", file("Goes.java")))
                .contains("away Mine[n=1]", "away Thing[n=2]")
                .doesNotContain(NOTICE);
    }

    @Test
    void satin_carries_all_objects_in_a_pool_without_an_authority() throws Exception {
        assertThat(elsewhere("--satin", file("Goes.java")))
                .contains("away Mine[n=1]", "away Thing[n=2]", NOTICE);
    }
}
