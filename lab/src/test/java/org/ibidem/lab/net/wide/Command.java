package org.ibidem.lab.net.wide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.ibidem.lab.net.Lab;
import org.ibidem.lab.net.Running;

/// The command `ibidem`, as it was built, on machines of a laboratory: hubs, agents, and programs
/// that it wraps.
final class Command {
    private static final Path FILE = Path.of("..", "ibidem").toAbsolutePath().normalize();
    private static final int TERMINATED = 128 + 15;

    private Command() {}

    /// Skips the test where it is not built, or one of these programs is missing.
    ///
    /// @param programs names, or paths of files
    static void require(String... programs) {
        assumeTrue(
                Files.exists(FILE.resolveSibling("dist").resolve("cli/ibidem-launch")),
                "the command is not built, or there is no C compiler: './ibidem setup', './ibidem'");
        for (var program : programs) {
            assumeTrue(isThere(program), "there is no " + program + ": './ibidem setup'");
        }
    }

    private static boolean isThere(String program) {
        if (program.startsWith("/")) {
            return Files.exists(Path.of(program));
        }
        var places = System.getenv("PATH") + File.pathSeparator + "/usr/sbin";
        return Stream.of(places.split(File.pathSeparator, -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    static Running start(Lab lab, String machine, String... arguments) {
        var all = new ArrayList<>(List.of("env", "IBIDEM_BUILT=1", FILE.toString()));
        all.addAll(List.of(arguments));
        return lab.machine(machine).start(all.toArray(String[]::new));
    }

    /// A hub on `hub1`, which anybody may use.
    static void hub(Lab lab, int port) {
        var hub = start(lab, "hub1", "hub", "--open", "--port", port + "");
        hub.any(line -> line.startsWith("hub listens on "), Town.LONG);
    }

    /// Ends a program that it has wrapped; a killed command would leave that one running. Its
    /// status is the program's, of which some have one of their own for that signal.
    static void end(Running wrapped) {
        wrapped.signal("TERM");
        assertThat(wrapped.code(Town.LONG)).as("%s", wrapped.lines()).isIn(0, 1, TERMINATED);
    }
}
