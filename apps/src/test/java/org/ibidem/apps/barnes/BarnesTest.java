package org.ibidem.apps.barnes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import javax.imageio.ImageIO;
import org.ibidem.apps.barneshut.Tree;
import org.ibidem.hub.Hub;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The whole job with its hub in this JVM: real nodes, real ports and calls.
@Tag("slow")
class BarnesTest {
    private static final int LIMIT_SECONDS = 600;

    @TempDir Path folder;

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    private List<Boolean> job(int ranks, String... words) throws Exception {
        var out = new PrintStream(printed, true, StandardCharsets.UTF_8);
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0));
                var threads = Executors.newFixedThreadPool(ranks)) {
            var join = Join.pool("bodies").hub("localhost:" + hub.port()).size(ranks);
            var work = new ArrayList<Callable<Boolean>>();
            for (int i = 0; i < ranks; i++) {
                var mine = join.rank(i);
                work.add(() -> {
                    try (var node = Node.join(mine)) {
                        return new Barnes(node, Options.parse(words), out).run();
                    }
                });
            }
            var answers = new ArrayList<Boolean>();
            for (var done : threads.invokeAll(work, LIMIT_SECONDS, TimeUnit.SECONDS)) {
                answers.add(done.get());
            }
            return answers;
        }
    }

    private String said() {
        return printed.toString(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @CsvSource({"1, auto", "3, tcp"})
    void over_ports_bodies_are_where_one_process_has_them(int ranks, String stack)
            throws Exception {
        assertThat(job(ranks, "--bodies", "500", "--steps", "8", "--stack", stack))
                .hasSize(ranks)
                .containsOnly(true);
        assertThat(said())
                .contains("500 bodies, " + ranks + " processes, stack " + stack + ": 8 steps in")
                .contains("all bodies are where one process has them, bit for bit");
    }

    @ParameterizedTest
    @CsvSource({"1, auto", "3, tcp"})
    void by_calls_they_are_in_the_same_places(int ranks, String stack) throws Exception {
        assertThat(job(ranks, "--bodies", "500", "--steps", "8", "--stack", stack, "--rmi"))
                .hasSize(ranks)
                .containsOnly(true);
        assertThat(said())
                .contains("stack " + stack + ", by remote calls: 8 steps in")
                .contains("all bodies are where one process has them, bit for bit");
    }

    /// More than fits into the memory of a link.
    @Test
    void shares_may_be_large_and_a_picture_shows_where_bodies_are() throws Exception {
        var image = folder.resolve("bodies.png");
        assertThat(job(2, "--bodies", "20000", "--steps", "1", "--image", image.toString()))
                .containsOnly(true);
        var picture = ImageIO.read(image.toFile());
        assertThat(picture.getRGB(256, 256)).isNotEqualTo(picture.getRGB(0, 0));
    }

    /// Few steps are compared with one process bit for bit; many are for the energy.
    @ParameterizedTest
    @ValueSource(ints = {2, 10})
    @Tag("full")
    void fifty_thousand_bodies_are_in_the_same_places_over_ports_and_by_calls(int steps)
            throws Exception {
        var words = List.of("--bodies", "50000", "--steps", "" + steps, "--image");
        for (var way : List.of("ports", "calls")) {
            var all = new ArrayList<>(words);
            all.add(folder.resolve(way + ".png").toString());
            if (way.equals("calls")) {
                all.add("--rmi");
            }
            assertThat(job(2, all.toArray(String[]::new))).containsOnly(true);
        }
        System.out.print(said());
        assertThat(folder.resolve("calls.png")).hasSameBinaryContentAs(folder.resolve("ports.png"));
        var energies = said().lines().filter(line -> line.startsWith("energy")).toList();
        assertThat(energies).hasSize(2).containsOnly(energies.getFirst());
        assertThat(energies.getFirst()).doesNotContain("WRONG");
        assertThat(said().lines().filter(line -> line.contains("bit for bit")))
                .hasSize(steps == 2 ? 2 : 0);
    }

    /// Virial: twice the energy of motion is what binds; so the energy is half of that.
    @Test
    void the_energy_stays_what_it_is() {
        var galaxy = new Galaxy(1000, 0, 1000);
        double before = galaxy.energy();
        assertThat(before).isBetween(-0.25, -0.05);
        for (int step = 0; step < 50; step++) {
            galaxy.drift();
            galaxy.pull();
        }
        assertThat(galaxy.energy()).isCloseTo(before, within(Math.abs(before) * 0.005));
    }

    @Test
    void the_slope_of_the_potential_is_the_force() {
        double[] places = {0, 0, 0, 1, 0.5, -0.3, -0.8, 0.2, 0.9};
        var forces = new double[3];
        new Tree(places).add(0, forces, 0);
        double tiny = 1e-6;
        for (int axis = 0; axis < 3; axis++) {
            double[] up = places.clone();
            double[] down = places.clone();
            up[axis] += tiny;
            down[axis] -= tiny;
            double slope = new Tree(up).potential(0) - new Tree(down).potential(0);
            assertThat(-slope / (2 * tiny)).isCloseTo(forces[axis], within(1e-6));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"--bodies 1", "--bodies x", "--steps 0", "--other 1", "--bodies"})
    void what_is_not_understood_is_said_with_the_usage(String words) {
        assertThatThrownBy(() -> Options.parse(words.split(" ", -1)))
                .isInstanceOf(Options.Bad.class)
                .hasMessageContaining("--bodies N");
    }
}
