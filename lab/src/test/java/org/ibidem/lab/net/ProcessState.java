package org.ibidem.lab.net;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// What the kernel says of a process.
final class ProcessState {
    private ProcessState() {}

    /// A process that has ended and that nobody has asked for yet runs no longer.
    static boolean isRunning(ProcessHandle process) {
        try {
            var state = Files.readString(Path.of("/proc", process.pid() + "", "stat"));
            return process.isAlive() && state.charAt(state.lastIndexOf(')') + 2) != 'Z';
        } catch (IOException _) {
            return false;
        }
    }
}
