package org.ibidem.link.shm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.ibidem.config.Settings;

/// The folder for shared files, in a file system that lives in memory.
final class ShmFolder {
    static final String SETTING = "ibidem.shm";
    private static final String USUAL = "/dev/shm";
    private static final int STICKY = 01000;
    private static final int OTHERS_WRITE = 0022;

    private ShmFolder() {}

    static Path get() {
        return Path.of(Settings.system().value(SETTING, USUAL));
    }

    /// Says which folder of which file system it is, whatever it is called; empty: there is none to
    /// be used.
    static String identity(Path folder) throws IOException {
        return Files.isDirectory(folder) && isSafe(folder)
                ? Files.getAttribute(folder, "unix:dev")
                        + "-"
                        + Files.getAttribute(folder, "unix:ino")
                : "";
    }

    /// Whether no other user can put a file of his own in the place of one of ours.
    private static boolean isSafe(Path folder) throws IOException {
        int mode = (int) Files.getAttribute(folder, "unix:mode");
        return (mode & OTHERS_WRITE) == 0 || (mode & STICKY) != 0;
    }

    /// Why there is none to be used here.
    static String problem(Path folder) {
        var which = folder + " for shared memory on this machine (setting " + SETTING + ")";
        return Files.isDirectory(folder)
                ? "other users may remove what is in the folder "
                        + which
                        + "; run: chmod +t "
                        + folder
                : "there is no folder " + which;
    }
}
