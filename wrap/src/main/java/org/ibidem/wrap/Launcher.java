package org.ibidem.wrap;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.ibidem.IbidemException;
import org.ibidem.personality.sockets.Rules;

/// Starts programs under the launcher, a small program of C that this package comes with (`shim/`).
public final class Launcher {
    private static final String NAME = "ibidem-launch";

    private Launcher() {}

    /// The launcher: what the property `ibidem.launcher` names, else the one beside the jar of this
    /// class.
    ///
    /// @throws IbidemException when it is not there, with what to do
    public static Path find() {
        var launcher = place();
        if (!Files.isExecutable(launcher)) {
            throw new IbidemException(
                    "there is no launcher of programs at %s: it is built where there is a C compiler (./ibidem setup); or name it by -Dibidem.launcher=FILE"
                            .formatted(launcher));
        }
        return launcher;
    }

    /// The name of the build that the launcher is of: that of the folder where it lies.
    public static String build() {
        var folder = place().toAbsolutePath().getParent();
        return folder == null || folder.getFileName() == null ? "" : "" + folder.getFileName();
    }

    private static Path place() {
        var named = System.getProperty("ibidem.launcher", "");
        return named.isEmpty() ? beside() : Path.of(named);
    }

    private static Path beside() {
        var source = Launcher.class.getProtectionDomain().getCodeSource();
        try {
            return source == null
                    ? Path.of(NAME)
                    : Path.of(source.getLocation().toURI()).resolveSibling(NAME);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /// How a program is started that the agent at `socket` serves: its calls are told by seccomp,
    /// or, where that cannot be, by the preloaded library, which is said.
    ///
    /// @param hosts what the program shall see as /etc/hosts
    public static List<String> command(Path socket, Path hosts, List<String> program) {
        return command(socket, hosts, false, program);
    }

    /// The same, and by which of the two.
    ///
    /// @param preload by the library that is put in front of the program's own: for what must keep
    ///   its way to other rights, or has a seccomp listener of its own
    public static List<String> command(
            Path socket, Path hosts, boolean preload, List<String> program) {
        var command = new ArrayList<String>();
        command.add(find().toString());
        if (preload) {
            command.add("--preload");
        }
        command.add(socket.toString());
        command.add(hosts.toString());
        command.addAll(program);
        return List.copyOf(command);
    }

    /// Writes a file for [#command]: this machine's /etc/hosts, and `RANK.POOL.ibidem` for each
    /// node of the pool, and the names that rules make nodes.
    ///
    /// @param size how many nodes it has, or shall have
    /// @param rules those of the agent
    /// @throws IOException when it cannot be written
    public static void writeHosts(Path file, String pool, int size, String rules)
            throws IOException {
        Places.writeHosts(file, pool, size, Rules.parse(rules));
    }
}
