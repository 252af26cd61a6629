package org.ibidem.lab.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.ibidem.lab.net.junit.Laboratory;
import org.ibidem.lab.net.plan.Kind;
import org.ibidem.lab.net.plan.Network;
import org.ibidem.lab.net.plan.Plan;
import org.ibidem.lab.net.plan.Site;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

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
