package org.ibidem.lab.badday;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Commands that run another in namespaces of its own, as containers have them; the network is
/// shared.
final class Namespaces {
    private Namespaces() {}

    /// With a file system of its own at `/dev/shm`.
    static List<String> ownMemory() {
        return checked(
                List.of(
                        "unshare",
                        "-m",
                        "--",
                        "sh",
                        "-c",
                        "mount -t tmpfs tmpfs /dev/shm && exec \"$0\" \"$@\""));
    }

    /// With mounts of its own, which are those of this process until others are made.
    static List<String> ownMounts() {
        return checked(List.of("unshare", "-m", "--"));
    }

    /// With numbers of processes of its own, and the same `/dev/shm`; its number there is none that
    /// a process is likely to have here.
    static List<String> ownProcesses() {
        var far = "echo 4000000 2>/dev/null >/proc/sys/kernel/ns_last_pid; \"$0\" \"$@\"; exit $?";
        return checked(
                List.of(
                        "unshare",
                        "-p",
                        "-f",
                        "--kill-child",
                        "--mount-proc",
                        "--",
                        "sh",
                        "-c",
                        far));
    }

    /// As `unshare` with these options.
    static List<String> of(String options) {
        var command = new ArrayList<>(List.of("unshare"));
        command.addAll(Arrays.asList(options.split(" ", -1)));
        command.add("--");
        return checked(command);
    }

    private static List<String> checked(List<String> command) {
        var trial = new ArrayList<>(command);
        trial.add("true");
        var why = complaint(trial);
        assumeTrue(why.isEmpty(), "this machine refuses such namespaces: " + why);
        return command;
    }

    /// Has a process see an empty file system at `/dev/shm` from now on; it has mounts of its own.
    static void coverMemory(long process) {
        var why =
                complaint(
                        List.of(
                                "nsenter",
                                "-t",
                                String.valueOf(process),
                                "-m",
                                "mount",
                                "-t",
                                "tmpfs",
                                "tmpfs",
                                "/dev/shm"));
        assumeTrue(why.isEmpty(), "mounts of another process cannot be made: " + why);
    }

    /// What went wrong; empty: nothing.
    private static String complaint(List<String> command) {
        try {
            var process = new ProcessBuilder(command).redirectErrorStream(true).start();
            try (var in = process.getInputStream()) {
                var said = new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
                return process.waitFor() == 0 ? "" : command.getFirst() + ": " + said;
            }
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted";
        }
    }
}
