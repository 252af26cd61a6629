package org.ibidem.config;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Processes with mounts that nobody else sees.
final class OtherMounts {
    private OtherMounts() {}

    static boolean areAllowed() throws IOException, InterruptedException {
        try {
            return start("mount -t tmpfs tmpfs /mnt").waitFor() == 0;
        } catch (IOException _) {
            return false; // there is no program unshare
        }
    }

    /// Runs a line of the shell's, whose `$0` and further are these words.
    static Process start(String line, String... words) throws IOException {
        var command = new ArrayList<>(List.of("unshare", "-m", "sh", "-c", line));
        command.addAll(List.of(words));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }
}
