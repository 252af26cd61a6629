package org.ibidem.lab.bench.wrap;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// What people use today: ports that `ssh -L` carries to a server of this machine, by an sshd that
/// is started for it, with a key of its own.
final class Tunnels implements AutoCloseable {
    private final Path folder;
    private final Process daemon;
    private final List<String> ssh;
    private final Map<String, String> ports = new TreeMap<>();

    /// Starts the sshd.
    ///
    /// @param folder for its key, of this user alone
    Tunnels(Path folder) throws IOException, InterruptedException {
        this.folder = folder;
        var port = freePort();
        var key = folder.resolve("key").toString();
        run(List.of("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key));
        if (System.getProperty("user.name", "").equals("root")) {
            Files.createDirectories(Path.of("/run/sshd")); // where it gives up its rights
        }
        var sshd = new ArrayList<>(List.of("/usr/sbin/sshd", "-D", "-e", "-f", "none"));
        sshd.addAll(List.of("-p", port, "-h", key, "-o", "AuthorizedKeysFile=" + key + ".pub"));
        sshd.addAll(List.of("-o", "StrictModes=no", "-o", "PermitRootLogin=yes"));
        daemon = new ProcessBuilder(sshd).redirectErrorStream(true).start();
        var reader = daemon.inputReader(StandardCharsets.UTF_8);
        var line = reader.readLine();
        while (line != null && !line.contains("Server listening")) {
            line = reader.readLine();
        }
        if (line == null) {
            throw new IOException("sshd has ended");
        }
        ssh = new ArrayList<>(List.of("ssh", "-F", "none", "-p", port, "-i", key));
        ssh.addAll(List.of("-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null"));
    }

    /// Whether there can be any.
    static boolean there() {
        return Programs.there("sshd", "ssh", "ssh-keygen");
    }

    /// The port that leads to this one of the same machine.
    String through(String port) throws IOException, InterruptedException {
        var known = ports.get(port);
        if (known != null) {
            return known;
        }
        var own = freePort();
        var command = new ArrayList<>(ssh);
        // It goes into the background when all is ready, and ends when asked by its control socket.
        command.addAll(List.of("-f", "-N", "-M", "-S", control(port).toString()));
        command.addAll(List.of("-o", "ExitOnForwardFailure=yes"));
        command.addAll(List.of("-L", own + ":127.0.0.1:" + port, here()));
        run(command);
        ports.put(port, own);
        return own;
    }

    private Path control(String port) {
        return folder.resolve("to-" + port);
    }

    private static String here() {
        return System.getProperty("user.name") + "@127.0.0.1";
    }

    private static String freePort() throws IOException {
        try (var here = new ServerSocket(0)) {
            return String.valueOf(here.getLocalPort());
        }
    }

    private static void run(List<String> command) throws IOException, InterruptedException {
        var process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
        if (process.waitFor() != 0) {
            throw new IOException("it failed: " + String.join(" ", command));
        }
    }

    @Override
    public void close() throws IOException {
        try {
            for (var port : ports.keySet()) {
                var command = new ArrayList<>(ssh);
                command.addAll(List.of("-S", control(port).toString(), "-O", "exit", here()));
                run(command);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            daemon.descendants().forEach(ProcessHandle::destroyForcibly);
            daemon.destroyForcibly();
        }
    }
}
