package org.ibidem.trust;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Who has written the file of a job's key, so that it can be told whether he is still there: by
/// his number and the time when he was started, as numbers are given again.
///
/// @param pid his number
/// @param start when he was started, as the system counts; empty where it does not say
/// @param processes the namespace of his number; empty where there is none
/// @param network the namespace of his hub's port; empty where there is none
record Launcher(long pid, String start, String processes, String network) {
    private static final Path PROC = Path.of("/proc");

    /// The 22nd of `proc_pid_stat(5)`, of those that follow the command's closing bracket.
    private static final int START = 22 - 3;

    /// This process.
    static Launcher current() {
        long pid = ProcessHandle.current().pid();
        return new Launcher(pid, started(pid), namespace("pid"), namespace("net"));
    }

    /// Whether he has ended; false where that cannot be told from here.
    boolean isGone() {
        return processes.equals(namespace("pid")) && !start.equals(started(pid));
    }

    /// Whether his loopback is this process's, as far as can be told.
    boolean isOnThisLoopback() {
        return network.equals(namespace("net"));
    }

    /// When a process was started; empty when there is none.
    private static String started(long pid) {
        try {
            var stat = Files.readString(PROC.resolve(pid + "/stat"));
            return stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[START];
        } catch (IOException | IndexOutOfBoundsException _) {
            return ProcessHandle.of(pid)
                    .flatMap(process -> process.info().startInstant())
                    .map(start -> String.valueOf(start.toEpochMilli()))
                    .orElse("");
        }
    }

    private static String namespace(String kind) {
        try {
            return Files.readSymbolicLink(PROC.resolve("self/ns/" + kind)).toString();
        } catch (IOException | UnsupportedOperationException _) {
            return "";
        }
    }
}
