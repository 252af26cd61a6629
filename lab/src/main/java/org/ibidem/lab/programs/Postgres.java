package org.ibidem.lab.programs;

import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/// A PostgreSQL of its own, whose files lie where the user may enter who it runs as: it does not
/// run as root.
public final class Postgres implements Closeable {
    private static final Path INSTALLED = Path.of("/usr/lib/postgresql");

    private final Path data = Files.createTempDirectory("ibidem-programs-pg");
    private final Path home;

    /// Makes its files; who is on this machine may connect.
    public Postgres() throws IOException, InterruptedException {
        this("127.0.0.0/8");
    }

    /// Makes its files.
    ///
    /// @param from the addresses that may connect
    public Postgres(String from) throws IOException, InterruptedException {
        home = homes().getFirst();
        if (root()) {
            run(List.of("chown", "nobody", data.toString()));
        }
        var init = less("initdb", "-D", data + "/db", "-A", "trust", "-U", "postgres");
        init.add("--no-sync");
        run(init);
        Files.writeString(
                data.resolve("db/pg_hba.conf"),
                "host all all " + from + " trust\n",
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
        return command("127.0.0.1", port + "");
    }

    /// The same, at another address.
    public List<String> command(String at, String port) {
        var all = less("postgres", "-D", data + "/db", "-p", port, "-h", at, "-F");
        all.addAll(List.of("-k", data.toString()));
        return all;
    }

    /// Fills the tables of pgbench; the server runs.
    public void fill(String port) throws IOException, InterruptedException {
        run(
                List.of(
                        "pgbench",
                        "-h",
                        "127.0.0.1",
                        "-p",
                        port,
                        "-U",
                        "postgres",
                        "-i",
                        "-q",
                        "postgres"));
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
