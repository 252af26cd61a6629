package org.ibidem.link.shm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.ibidem.config.Settings;

/// The folder for shared files, in a file system that lives in memory.
final class ShmFolder {
    static final String SETTING = "ibidem.shm";
    private static final String USUAL = "/dev/shm";

    private ShmFolder() {}

    static Path get() {
        return Path.of(Settings.system().value(SETTING, USUAL));
    }

    /// Says which folder of which file system it is, whatever it is called; empty: there is none.
    static String identity(Path folder) throws IOException {
        return Files.isDirectory(folder)
                ? Files.getAttribute(folder, "unix:dev")
                        + "-"
                        + Files.getAttribute(folder, "unix:ino")
                : "";
    }
}
