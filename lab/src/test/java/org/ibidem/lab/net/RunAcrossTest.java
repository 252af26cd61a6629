package org.ibidem.lab.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.imageio.ImageIO;
import org.ibidem.lab.net.junit.Laboratory;
import org.ibidem.lab.net.plan.Kind;
import org.ibidem.lab.net.plan.Network;
import org.ibidem.lab.net.plan.Plan;
import org.ibidem.lab.net.plan.Site;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The main job on machines of different sites: `ibidem hub` on one, `ibidem run --hub` on others.
@Laboratory(RunAcrossTest.Sites.class)
@Timeout(180)
class RunAcrossTest {
    private static final Duration LONG = Duration.ofSeconds(90);
    private static final Path COMMAND = Path.of("..", "ibidem").toAbsolutePath().normalize();

    /// A hub, an open site and one behind a NAT.
    public static final class Sites implements Plan {
        @Override
        public Network network() {
            return Network.of(
                    Site.of("middle", Kind.OPEN).hosts(1),
                    Site.of("one", Kind.OPEN).hosts(1),
                    Site.of("two", Kind.NAT).hosts(1));
        }
    }

    @BeforeAll
    static void requireTheCommand() {
        assumeTrue(
                Files.exists(COMMAND.resolveSibling("dist/cli/stamp")),
                "the command is not built: './ibidem test' builds it, or any './ibidem'");
    }

    private static Running command(Machine machine, String... arguments) {
        var all = new ArrayList<>(List.of("env", "IBIDEM_BUILT=1", COMMAND.toString()));
        all.addAll(List.of(arguments));
        return machine.start(all.toArray(String[]::new));
    }

    private static Running half(Machine machine, String hub, int first) {
        return command(
                machine,
                "run",
                "-n",
                "2",
                "--hub",
                hub,
                "--open",
                "--pool",
                "heat",
                "--total",
                "4",
                "--first",
                "" + first,
                "sor",
                "--size",
                "128",
                "--iterations",
                "50");
    }

    @Test
    void two_launchers_on_two_sites_make_one_job(Lab lab) {
        var middle = lab.machine("middle1");
        try (var hub = command(middle, "hub", "--open", "--port", "8888")) {
            hub.any(line -> line.startsWith("hub listens on "), LONG);
            var where = middle.address() + ":8888";
            try (var one = half(lab.machine("one1"), where, 0);
                    var two = half(lab.machine("two1"), where, 2)) {
                assertThat(one.code(LONG)).as("%s", one.lines()).isZero();
                assertThat(two.code(LONG)).as("%s", two.lines()).isZero();
                assertThat(one.lines())
                        .anyMatch(line -> line.contains("4 processes"))
                        .anyMatch(line -> line.contains("bit for bit"));
            }
        }
        assertThat(lab.tally("one", "two").packets()).isGreaterThan(50);
    }

    /// The job is on an open site, who watches it behind a NAT. What the page has shown in the end
    /// is the field that the job has written.
    @Test
    @Tag("full")
    @Timeout(400)
    void a_job_is_watched_from_behind_a_nat(Lab lab, @TempDir Path folder) throws Exception {
        var middle = lab.machine("middle1");
        var image = folder.resolve("field.png");
        try (var hub = command(middle, "hub", "--open", "--port", "8890")) {
            hub.any(line -> line.startsWith("hub listens on "), LONG);
            var where = middle.address() + ":8890";
            var words = "watch sor --hub " + where + " --pool seen --limit 80";
            try (var watcher = command(lab.machine("two1"), words.split(" "))) {
                watcher.any(line -> line.startsWith("waits for a job in pool 'seen'"), LONG);
                words =
                        "run -n 2 --open --pool seen --hub "
                                + where
                                + " sor --rmi --serve --size 1024 --iterations 1200 --no-check"
                                + " --image "
                                + image;
                try (var job = command(lab.machine("one1"), words.split(" "))) {
                    var shown = watcher.any(line -> line.startsWith("sor is shown at "), LONG);
                    var page = shown.substring(shown.indexOf("http"));
                    var browser = lab.machine("two1").java(Browser.class, page, folder + "");
                    assertThat(browser.said("page", LONG)).isEqualTo("sor");
                    assertThat(browser.code(LONG.multipliedBy(2)))
                            .as("%s", browser.lines())
                            .isZero();
                    var pictures = browser.said("pictures", LONG).split(" ", -1);
                    assertThat(Integer.parseInt(pictures[1])).isGreaterThan(3);
                    assertThat(job.code(LONG)).as("%s", job.lines()).isZero();
                }
                assertThat(watcher.code(LONG)).as("%s", watcher.lines()).isZero();
            }
        }
        assertThat(lab.tally("one", "two").packets()).isGreaterThan(50);
        assertThat(different(folder.resolve("last.png"), image)).isZero();
        assertThat(different(folder.resolve("first.png"), image)).isGreaterThan(1000);
    }

    /// How many pixels of one are others in the other, which may be larger.
    private static long different(Path seen, Path whole) throws IOException {
        var one = ImageIO.read(seen.toFile());
        var other = ImageIO.read(whole.toFile());
        int wide = other.getWidth() / one.getWidth();
        long count = 0;
        for (int y = 0; y < one.getHeight(); y++) {
            for (int x = 0; x < one.getWidth(); x++) {
                count += one.getRGB(x, y) == other.getRGB(x * wide, y * wide) ? 0 : 1;
            }
        }
        return count;
    }

    /// Without `--open` a node can be found on its own machine only: the job says so.
    @Test
    void a_hub_that_is_not_open_is_reached_by_nobody_else(Lab lab) {
        var middle = lab.machine("middle1");
        try (var hub = command(middle, "hub", "--port", "8889")) {
            hub.any(line -> line.startsWith("hub listens on "), LONG);
            var where = middle.address() + ":8889";
            try (var one = half(lab.machine("one1"), where, 0)) {
                assertThat(one.code(LONG)).isEqualTo(1);
                assertThat(one.lines())
                        .anyMatch(line -> line.contains(where) && line.contains("refused"));
            }
        }
    }
}
