package org.ibidem.arbitration;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Whether those we wait for can run while we spin.
enum Cores {
    /// There is one core, or the time of one, for all.
    ONE,

    /// This process is pinned to a core, and whoever started it is not: so its peers are on others,
    /// as ranks of a parallel program are; mostly.
    PINNED,

    /// Threads may run side by side.
    SEVERAL;

    private static final String ALLOWED = "Cpus_allowed_list:";

    /// For this thread. Where the starter is pinned, too, as in a container of one core, all may
    /// share that core.
    static Cores here() {
        if (Runtime.getRuntime().availableProcessors() > 1) {
            return SEVERAL;
        }
        var starter = ProcessHandle.current().parent();
        try {
            boolean pinned =
                    starter.isPresent()
                            && !isList(allowed("thread-self"))
                            && isList(allowed(Long.toString(starter.get().pid())));
            return pinned ? PINNED : ONE;
        } catch (IOException e) {
            return ONE; // no Linux, or not to be seen
        }
    }

    private static String allowed(String whom) throws IOException {
        try (var lines = Files.lines(Path.of("/proc", whom, "status"))) {
            return lines.filter(line -> line.startsWith(ALLOWED))
                    .findAny()
                    .orElseThrow(() -> new IOException("no " + ALLOWED))
                    .substring(ALLOWED.length());
        }
    }

    /// Whether they are more than one, as `0-3,6`.
    static boolean isList(String cores) {
        return cores.indexOf('-') >= 0 || cores.indexOf(',') >= 0;
    }
}
