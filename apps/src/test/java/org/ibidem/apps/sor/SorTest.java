package org.ibidem.apps.sor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import javax.imageio.ImageIO;
import org.ibidem.hub.Hub;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The whole job with its hub in this JVM: real nodes, real ports.
class SorTest {
    @TempDir Path folder;

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    /// What each rank said that all of them came to.
    private final Map<Integer, Tally> totals = new ConcurrentHashMap<>();

    /// What each rank's `run` answered.
    private List<Boolean> job(int ranks, Options options) throws Exception {
        return job(Collections.nCopies(ranks, options));
    }

    /// As above, each rank with options of its own.
    private List<Boolean> job(List<Options> options) throws Exception {
        int ranks = options.size();
        var out = new PrintStream(printed, true, StandardCharsets.UTF_8);
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0));
                var threads = Executors.newFixedThreadPool(ranks)) {
            var join = Join.pool("plate").hub("localhost:" + hub.port()).size(ranks);
            var work = new ArrayList<Callable<Boolean>>();
            for (int i = 0; i < ranks; i++) {
                var mine = join.rank(i);
                var its = options.get(i);
                work.add(() -> {
                    try (var node = Node.join(mine)) {
                        var sor = new Sor(node, its, out);
                        boolean right = sor.run();
                        totals.put(node.rank(), sor.total());
                        return right;
                    }
                });
            }
            var answers = new ArrayList<Boolean>();
            var failures = new ArrayList<ExecutionException>();
            for (var done : threads.invokeAll(work, 60, TimeUnit.SECONDS)) {
                try {
                    answers.add(done.get());
                } catch (ExecutionException e) {
                    failures.add(e);
                }
            }
            throwFirst(failures);
            return answers;
        }
    }

    /// The others tell why the first one failed: a process that fails leaves, and is missed.
    private static void throwFirst(List<ExecutionException> failures) throws ExecutionException {
        if (!failures.isEmpty()) {
            var first = failures.getFirst();
            failures.stream().skip(1).forEach(first::addSuppressed);
            throw first;
        }
    }

    @ParameterizedTest
    @Tag("slow")
    @CsvSource({
        "64, 1, auto",
        "64, 2, tcp",
        "65, 3, auto",
        "64, 3, reliable > udp",
        "100, 7, tcp",
        "8, 8, auto"
    })
    void the_field_is_the_sequential_solvers_bit_for_bit(int size, int ranks, String stack)
            throws Exception {
        var options = Options.parse("--size", "" + size, "--iterations", "50", "--stack", stack);

        assertThat(job(ranks, options)).hasSize(ranks).containsOnly(true);
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains(ranks + " processes, stack " + stack)
                .contains("50 iterations in")
                .contains("equal to the sequential solver's field, bit for bit");
    }

    @ParameterizedTest
    @CsvSource({"1, auto", "4, tcp"})
    void the_field_is_the_same_by_remote_calls(int ranks, String stack) throws Exception {
        var options =
                Options.parse("--size", "65", "--iterations", "30", "--rmi", "--stack", stack);
        assertThat(job(ranks, options)).hasSize(ranks).containsOnly(true);
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains(ranks + " processes, stack " + stack + ", by remote calls")
                .contains("equal to the sequential solver's field, bit for bit");
        var whole = new Block(options.plate(), 0, 65);
        double residual = 0;
        for (int i = 0; i < 30; i++) {
            residual = Sequential.iterate(whole);
        }
        assertThat(totals).hasSize(ranks);
        for (var total : totals.values()) {
            assertThat(total.residual()).isEqualTo(residual);
        }
    }

    @ParameterizedTest
    @CsvSource({"1, auto", "3, auto", "7, tcp"})
    void the_residual_that_all_hear_of_is_the_sequential_solvers(int ranks, String stack)
            throws Exception {
        var options =
                Options.parse(
                        "--size", "100", "--iterations", "37", "--no-check", "--stack", stack);
        job(ranks, options);

        var whole = new Block(options.plate(), 0, 100);
        double residual = 0;
        for (int i = 0; i < 37; i++) {
            residual = Sequential.iterate(whole);
        }
        assertThat(residual).isPositive();
        assertThat(totals).hasSize(ranks);
        for (var total : totals.values()) {
            assertThat(total.residual()).isEqualTo(residual);
        }
    }

    /// A row of one colour is 4.4 KB: more than a link of this stack ever holds.
    @Test
    void rows_larger_than_the_memory_of_a_link_do_not_stop_it() throws Exception {
        var options =
                Options.parse(
                        "--size",
                        "1100",
                        "--iterations",
                        "4",
                        "--check",
                        "--stack",
                        "shm(ring=4k, largest=4k)");
        assertThat(job(3, options)).containsOnly(true);
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains(", " + (4 * 2 * 4 + 4) + " messages, ");
    }

    /// One process computes with another picture than the rest.
    @Test
    void a_wrong_field_is_said_with_its_place_and_the_job_has_failed() throws Exception {
        var other = folder.resolve("other.png");
        ImageIO.write(new BufferedImage(64, 64, BufferedImage.TYPE_INT_RGB), "png", other.toFile());
        var right = Options.parse("--size", "64", "--iterations", "3");
        var wrong =
                Options.parse("--size", "64", "--iterations", "3", "--picture", other.toString());

        assertThat(job(List.of(right, right, wrong))).containsExactly(false, true, true);
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .containsPattern("[0-9]+ cells differ.*row [0-9]+ column [0-9]+");
    }

    @ParameterizedTest
    @CsvSource({"64, 2, tcp", "65, 3, auto"})
    void so_it_is_where_rows_travel_as_objects(int size, int ranks, String stack) throws Exception {
        var options =
                Options.parse(
                        "--size", "" + size, "--iterations", "50", "--stack", stack, "--objects");

        assertThat(job(ranks, options)).hasSize(ranks).containsOnly(true);
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains("equal to the sequential solver's field, bit for bit");
    }

    @Test
    void the_messages_are_those_the_method_needs() throws Exception {
        job(3, Options.parse("--size", "64", "--iterations", "32", "--no-check"));

        // Two colours to and from two pairs of neighbours in each iteration; before the second of
        // the
        // two looks at the residual, the start and the first one took two messages up and two down
        // each.
        int halo = 32 * 2 * 4;
        int tree = 2 * 4;
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains(", " + (halo + tree) + " messages, ");
    }

    @Test
    void the_residual_is_looked_at_so_often_as_told() throws Exception {
        var options =
                Options.parse(
                        "--size", "64", "--iterations", "6", "--reduce-every", "2", "--check");

        assertThat(job(2, options)).containsOnly(true);
        // two halves of six iterations, a row each way; the start and three looks, up and down, of
        // which the last had not been sent when all was counted
        int rows = 6 * 2 * 2;
        int looks = 3 * 2;
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains(", " + (rows + looks) + " messages, ");
    }

    @Test
    void the_image_shows_the_field() throws Exception {
        var file = folder.resolve("field.png");
        job(
                2,
                Options.parse(
                        "--size",
                        "64",
                        "--iterations",
                        "200",
                        "--image",
                        file.toString(),
                        "--no-check"));

        var plate = Options.parse("--size", "64").plate();
        var field = Sequential.solve(plate, 200);
        var expected = new HeatMap(64);
        for (int row = 0; row < 64; row++) {
            expected.paint(row, field.cells(), field.base(row));
        }
        var image = ImageIO.read(file.toFile());
        for (int row = 0; row < 64; row++) {
            for (int column = 0; column < 64; column++) {
                assertThat(image.getRGB(column, row) & 0xffffff)
                        .isEqualTo(expected.rgb(row, column));
            }
        }
    }

    @Test
    void more_processes_than_rows_and_a_missing_folder_are_refused() {
        assertThatThrownBy(() -> job(9, Options.parse("--size", "8")))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOf(BadProblem.class)
                .hasMessageContaining("9 processes");
        assertThatThrownBy(() ->
                        job(
                                1,
                                Options.parse(
                                        "--image", folder.resolve("none/field.png").toString())))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOf(BadProblem.class)
                .hasMessageContaining("there is no folder");
    }
}
