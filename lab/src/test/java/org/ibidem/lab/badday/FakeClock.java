package org.ibidem.lab.badday;

import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;

/// The time of day as some processes see it: this machine's, and a difference that is set while
/// they run, by the library of the command `faketime`. The clock that only counts goes on for them
/// as for everybody, as where somebody sets the machine's.
public final class FakeClock {
    private final Path difference;
    private final String library;

    /// Shows this machine's time at first.
    ///
    /// @param folder for a file that says the difference
    public FakeClock(Path folder) throws IOException {
        difference = folder.resolve("difference");
        library = library();
        set(Duration.ZERO);
    }

    private static String library() {
        try {
            var command = List.of("faketime", "-m", "-f", "+0", "printenv", "LD_PRELOAD");
            var process = new ProcessBuilder(command).redirectErrorStream(true).start();
            var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assumeTrue(said.contains("faketime"), "the command faketime says: " + said.strip());
            return said.strip();
        } catch (IOException _) {
            return abort("the clock cannot be set without faketime (./ibidem setup)");
        }
    }

    /// What begins a process that sees it so.
    public List<String> command() {
        return List.of(
                "env",
                "LD_PRELOAD=" + library,
                "FAKETIME_TIMESTAMP_FILE=" + difference,
                "FAKETIME_CACHE_DURATION=1",
                "FAKETIME_DONT_FAKE_MONOTONIC=1",
                "DONT_FAKE_MONOTONIC=1", // as older ones call it
                // Its remedy for old C libraries ends each timed wait at once, again and again.
                "FAKETIME_FORCE_MONOTONIC_FIX=0");
    }

    /// Sets it, for all of them at once.
    ///
    /// @param ahead of this machine's
    public void set(Duration ahead) throws IOException {
        var next = difference.resolveSibling("next");
        Files.writeString(next, String.format("%+d%n", ahead.toSeconds()));
        Files.move(next, difference, StandardCopyOption.ATOMIC_MOVE);
    }
}
