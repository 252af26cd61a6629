package org.ibidem;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/// Another user of this machine, as whom only root can do something.
public final class OtherUser {
    /// His number.
    public static final int UID = 65534;

    private OtherUser() {}

    /// Lets the test be skipped where this user cannot act as another.
    public static void require() throws IOException {
        var mine = (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        assumeTrue(mine == 0, "only root can act as another user");
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/setpriv")), "needs setpriv (util-linux)");
    }

    /// Makes a folder one that all users share, as `/tmp` is.
    public static Path shared(Path folder) throws IOException {
        require();
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        Files.setAttribute(folder, "unix:mode", 01777);
        return folder;
    }

    /// Runs a line of shell as that user.
    public static void run(String line) throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of("setpriv", "--reuid=" + UID, "--regid=" + UID));
        command.addAll(List.of("--clear-groups", "sh", "-c", line));
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(line + " failed: " + said);
        }
    }
}
