package org.ibidem.lab.bench.wan;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.ibidem.lab.net.Isolation;
import org.ibidem.lab.net.LabFailed;
import org.ibidem.lab.net.Machine;
import org.ibidem.lab.net.Running;

/// What `scp` and `rsync` get over a line, to an sshd at its far end that has a key made for it: a
/// way named as its command is, `rsync -z`. How much has come says the file that grows there.
final class Copying implements AutoCloseable {
    /// With what a way of it begins.
    private static final List<String> NAMES = List.of("scp", "rsync");

    private static final String SSHD = "/usr/sbin/sshd";
    private static final String PORT = "2222";
    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final long LOOK_NANOS = 10_000_000;
    private static final long MOST = 1L << 30;

    private final Machine near;
    private final Machine far;
    private final Path folder;
    private final Running daemon;

    /// Starts the sshd.
    Copying(Machine near, Machine far) throws IOException {
        this.near = near;
        this.far = far;
        this.folder = Files.createTempDirectory("ibidem-wan");
        near.run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key());
        far.run("mkdir", "-p", "/run/sshd"); // where it gives up its rights
        var command = new ArrayList<>(List.of(SSHD, "-D", "-e", "-f", "none", "-p", PORT));
        command.addAll(List.of("-h", key(), "-o", "AuthorizedKeysFile=" + key() + ".pub"));
        command.addAll(List.of("-o", "StrictModes=no", "-o", "PermitRootLogin=yes"));
        command.addAll(List.of("-o", "Subsystem=sftp internal-sftp"));
        daemon = far.start(command.toArray(String[]::new));
        daemon.next(line -> line.contains("Server listening"), LIMIT);
    }

    /// Whether a way is one of these.
    static boolean isOne(String way) {
        return NAMES.contains(name(way));
    }

    /// Whether all that one needs is installed.
    static boolean isThere(String way) {
        return List.of("ssh", "ssh-keygen", name(way)).stream().allMatch(Isolation::has)
                && Files.isExecutable(Path.of(SSHD));
    }

    private static String name(String way) {
        return way.split(" ", 2)[0];
    }

    private String key() {
        return folder.resolve("key").toString();
    }

    /// How much comes in so many seconds; what is copied is never more than a gigabyte.
    ///
    /// @param data again and again
    /// @param bytes a file of so many
    Count copy(String way, byte[] data, long bytes, double seconds) throws IOException {
        var from = folder.resolve("from");
        var to = folder.resolve("to");
        Files.deleteIfExists(to);
        write(from, data, Math.min(MOST, bytes));
        var count = new Count();
        try (var running = near.start(command(way, from, to).toArray(String[]::new))) {
            while (count.seconds() < seconds && running.isAlive()) {
                look(to, count);
                LockSupport.parkNanos(LOOK_NANOS);
            }
            look(to, count);
            if (!running.isAlive() && running.code(LIMIT) != 0) {
                var said = new ArrayList<>(running.lines());
                said.addAll(daemon.lines());
                throw new LabFailed(way + " fails: " + String.join("\n", said));
            }
        }
        return count;
    }

    private static void look(Path to, Count count) throws IOException {
        if (Files.exists(to)) {
            count.upTo(Files.size(to));
        }
    }

    private static void write(Path file, byte[] data, long bytes) throws IOException {
        try (var out = new BufferedOutputStream(Files.newOutputStream(file))) {
            for (long left = bytes; left > 0; left -= data.length) {
                out.write(data, 0, (int) Math.min(left, data.length));
            }
        }
    }

    private List<String> command(String way, Path from, Path to) {
        var ssh =
                List.of(
                        "-F",
                        "none",
                        "-i",
                        key(),
                        "-o",
                        "StrictHostKeyChecking=no",
                        "-o",
                        "UserKnownHostsFile=/dev/null");
        var command = new ArrayList<>(List.of(way.split(" ", -1)));
        if (name(way).equals("scp")) {
            command.addAll(List.of("-q", "-P", PORT));
            command.addAll(ssh);
        } else {
            command.addAll(List.of("--inplace", "-e"));
            command.add("ssh -p " + PORT + " " + String.join(" ", ssh));
        }
        command.add(from.toString());
        command.add(System.getProperty("user.name", "") + "@" + far.address() + ":" + to);
        return command;
    }

    @Override
    public void close() {
        daemon.close();
        try (var files = Files.newDirectoryStream(folder)) {
            for (var each : files) {
                Files.delete(each);
            }
            Files.delete(folder);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete " + folder, e);
        }
    }
}
