package org.ibidem.apps.life;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;
import org.ibidem.apps.Processes;
import org.ibidem.hub.Hub;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/// The game in real processes, which join, leave and are killed at random moments.
@Tag("lab")
@Isolated("starts processes, of which some are killed")
@Timeout(600)
@Tag("turn0")
class LifeProcessesTest {
    private static final boolean FULL = Boolean.getBoolean("ibidem.full");
    private static final int SIZE = 96;
    private static final int ERA = 10;
    private static final int PACE = 250;
    private static final int CHANGES = FULL ? 60 : 12;

    /// Generations between two changes, at most: some eras.
    private static final int BETWEEN = 180;

    private static final int GENERATIONS = CHANGES * BETWEEN + 1000;
    private static final int MOST = 6;
    private static final Pattern GENERATION = Pattern.compile("generation ([0-9]+)[ :]");

    private final Map<Process, Integer> expected = new HashMap<>();

    private static Processes game(Hub hub, String... more) {
        var arguments =
                new ArrayList<>(
                        List.of(
                                "--size", "" + SIZE,
                                "--generations", "" + GENERATIONS,
                                "--era", "" + ERA,
                                "--pace", "" + PACE));
        arguments.addAll(List.of(more));
        return new Processes(Life.class, hub.port(), "life", arguments.toArray(String[]::new));
    }

    @Test
    void whatever_comes_and_goes_the_field_is_the_sequential_runs() throws Exception {
        churn(false);
    }

    @Test
    void whoever_is_killed_the_field_is_the_sequential_runs() throws Exception {
        churn(true);
    }

    private void churn(boolean kills) throws Exception {
        long seed = Long.getLong("test.seed", System.nanoTime());
        System.out.println("life: -Dtest.seed=" + seed);
        var random = new Random(seed);
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0));
                var game = game(hub)) {
            var there = new ArrayList<Process>();
            there.add(game.start());
            there.add(game.start());
            int generation = 0;
            for (int change = 0; change < CHANGES; change++) {
                generation += 1 + random.nextInt(BETWEEN);
                int next = (generation / ERA + 1) * ERA;
                // The line of the very one may be that of a process that was just ended.
                game.await("generation " + next, line -> generation(line) >= next);
                if (there.size() < 3 || (there.size() < MOST && random.nextBoolean())) {
                    there.add(game.start());
                } else {
                    boolean kill = kills && (!expected.containsValue(137) || random.nextBoolean());
                    end(there.remove(random.nextInt(there.size())), kill);
                }
            }
            for (var process : there) {
                assertThat(game.code(process)).as(game.shown()).isZero();
            }
            for (var gone : expected.entrySet()) {
                assertThat(game.code(gone.getKey())).as(game.shown()).isEqualTo(gone.getValue());
            }
            var lines = game.lines();
            assertThat(lines).contains("equal to the sequential run's field, bit for bit");
            assertThat(lines).noneMatch(line -> line.contains("could not hand its rows over"));
            if (!kills) {
                assertThat(lines).noneMatch(line -> line.startsWith("again from"));
            }
            System.out.println(
                    "life: %d changes, %d killed, an era begun again %d times"
                            .formatted(
                                    CHANGES,
                                    expected.values().stream().filter(code -> code == 137).count(),
                                    lines.stream()
                                            .filter(line -> line.startsWith("again from"))
                                            .count()));
        }
    }

    /// The one of which a line speaks, or -1.
    private static int generation(String line) {
        var found = GENERATION.matcher(line);
        return found.lookingAt() ? Integer.parseInt(found.group(1)) : -1;
    }

    private static int begin(List<String> lines) {
        var line =
                lines.stream()
                        .filter(each -> each.contains("on 4 processes"))
                        .findFirst()
                        .orElseThrow();
        return Integer.parseInt(line.replaceAll("generation (\\d+):.*", "$1"));
    }

    private void end(Process process, boolean kill) {
        if (kill) {
            process.destroyForcibly();
            expected.put(process, 137);
        } else {
            process.destroy();
            expected.put(process, 143);
        }
    }

    /// By one process: nobody goes on alone between two of them.
    private static void killAtOnce(List<Process> victims) throws Exception {
        var command = new ArrayList<>(List.of("kill", "-9"));
        victims.forEach(victim -> command.add("" + victim.pid()));
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
    }

    @Test
    void all_but_one_are_killed_at_once_and_it_begins_again() throws Exception {
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0));
                var game = game(hub, "--members", "4", "--generations", "1500")) {
            var there = List.of(game.start(), game.start(), game.start(), game.start());
            game.await("on 4 processes");
            // Until the oldest that anybody keeps are blocks of four.
            game.await("generation " + (begin(game.lines()) + 5 * ERA) + " of");
            killAtOnce(there.subList(0, 3));
            assertThat(game.code(there.getLast())).as(game.shown()).isZero();
            assertThat(game.lines())
                    .contains("generation 0: on 1 processes from now on")
                    .contains("equal to the sequential run's field, bit for bit");
        }
    }
}
