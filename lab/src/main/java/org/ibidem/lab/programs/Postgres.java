package org.ibidem.lab.programs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/// A PostgreSQL of its own, whose files lie where the user may enter who it runs as: it does not
/// run as root.
public final class Postgres implements AutoCloseable {
    private static final Path INSTALLED = Path.of("/usr/lib/postgresql");

    private final Path data = Files.createTempDirectory("ibidem-programs-pg");
    private final Path home;

    /// Makes its files.
    public Postgres() throws IOException, InterruptedException {
        home = homes().getFirst();
        if (root()) {
            run(List.of("chown", "nobody", data.toString()));
        }
        var init = less("initdb", "-D", data + "/db", "-A", "trust", "-U", "postgres");
        init.add("--no-sync");
        run(init);
        Files.writeString(
                data.resolve("db/pg_hba.conf"),
                "host all all 127.0.0.0/8 trust\n",
                StandardOpenOption.APPEND);
    }

    /// Whether there can be one here.
    public static boolean there() throws IOException {
        return !homes().isEmpty() && (!root() || Files.isExecutable(Path.of("/usr/bin/setpriv")));
    }

    private static List<Path> homes() throws IOException {
        if (!Files.isDirectory(INSTALLED)) {
            return List.of();
        }
        try (var versions = Files.list(INSTALLED)) {
            return versions.map(each -> each.resolve("bin"))
                    .filter(bin -> Files.isExecutable(bin.resolve("initdb")))
                    .toList();
        }
    }

    private static boolean root() {
        return System.getProperty("user.name", "").equals("root");
    }

    private List<String> less(String program, String... more) {
        var all =
                new ArrayList<>(
                        root()
                                ? List.of("setpriv", "--reuid", "nobody", "--clear-groups")
                                : List.<String>of());
        all.add(home.resolve(program).toString());
        all.addAll(List.of(more));
        return all;
    }

    /// How it is started; it says `ready to accept connections`.
    ///
    /// @param port of the loopback interface
    public List<String> command(int port) {
        var all = less("postgres", "-D", data + "/db", "-p", port + "", "-h", "127.0.0.1", "-F");
        all.addAll(List.of("-k", data.toString()));
        return all;
    }

    private static void run(List<String> command) throws IOException, InterruptedException {
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(command + " failed: " + said);
        }
    }

    /// Takes its files away; the server has ended.
    @Override
    public void close() throws IOException {
        try {
            run(List.of("rm", "-rf", data.toString()));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
