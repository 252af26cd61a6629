package org.ibidem.lab.net.keeper;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Runs commands to their end.
final class Shell {
    private Shell() {}

    /// Runs a command with this on its standard input.
    ///
    /// @return what it printed
    /// @throws IOException with what it complained of when it failed
    static String run(String input, List<String> command) throws IOException {
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (var out = process.getOutputStream()) {
            out.write(input.getBytes(StandardCharsets.UTF_8));
        } catch (IOException _) {
            // it ended without reading all: it will have said why
        }
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int code = await(process);
        if (code != 0) {
            throw new IOException(
                    "'" + String.join(" ", command) + "' failed (" + code + "): " + said.strip());
        }
        return said;
    }

    private static int await(Process process) throws IOException {
        try {
            return process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            process.destroyForcibly();
            throw new IOException("interrupted", e);
        }
    }
}
