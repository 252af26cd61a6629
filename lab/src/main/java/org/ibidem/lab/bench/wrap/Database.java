package org.ibidem.lab.bench.wrap;

import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/// A PostgreSQL of its own, wrapped, with the tables of pgbench; it lies where the user may enter
/// who it runs as, since it does not run as root.
final class Database implements Closeable {
    private static final Path INSTALLED = Path.of("/usr/lib/postgresql");

    private final Path data = Files.createTempDirectory("ibidem-bench-pg");
    private final Path home;
    private final String port;

    /// Starts it, and fills the tables.
    Database(Programs programs, String port) throws IOException, InterruptedException {
        this.port = port;
        this.home = homes().getFirst();
        programs.after(this);
        if (root()) {
            run("chown", "nobody", data.toString());
        }
        var init = less("initdb", "-D", data + "/db", "-A", "trust", "-U", "postgres");
        init.add("--no-sync");
        run(init.toArray(String[]::new));
        Files.writeString(
                data.resolve("db/pg_hba.conf"),
                "host all all 0.0.0.0/0 trust\n",
                StandardOpenOption.APPEND);
        var start = less("postgres", "-D", data + "/db", "-p", port, "-h", "*", "-F");
        start.addAll(List.of("-k", data.toString()));
        programs.serve("ready to accept connections", start.toArray(String[]::new));
        run("pgbench", "-h", "127.0.0.1", "-p", port, "-U", "postgres", "-i", "-q", "postgres");
    }

    /// Whether there can be one.
    static boolean there() throws IOException {
        return Programs.there("pgbench", "setpriv", "chown") && !homes().isEmpty();
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

    /// One of its programs, with no more rights than it takes.
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

    /// What asks it: reading transactions, four at a time.
    String[] client(String host, String at, int transactions) {
        return new String[] {
            "pgbench",
            "-h",
            host,
            "-p",
            at,
            "-U",
            "postgres",
            "-S",
            "-n",
            "-c",
            "4",
            "-j",
            "2",
            "-t",
            transactions + "",
            "postgres"
        };
    }

    /// Where it listens.
    String port() {
        return port;
    }

    private static void run(String... command) throws IOException, InterruptedException {
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(command[0] + " failed: " + said);
        }
    }

    /// Takes its files away; the server has ended with the other programs.
    @Override
    public void close() throws IOException {
        try {
            run("rm", "-rf", data.toString());
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
