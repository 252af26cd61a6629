package org.ibidem.lab.net.wide;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.ibidem.lab.bench.wrap.TunnelKeys;
import org.ibidem.lab.net.Lab;
import org.ibidem.lab.net.Running;

/// A tunnel of `wireguard-go` between two ends: UDP by a program in Go, which tells the kernel of
/// each datagram in a message. It is configured by the protocol that all of WireGuard's programs
/// have, without those.
final class Wireguard implements AutoCloseable {
    private static final int BYTES = 3_000_000;
    private static final int PORT = 51_820;

    private final Lab lab;
    private final Path folder;
    private final List<End> ends;
    private final Path script;
    private final List<Running> programs = new ArrayList<>();

    /// Starts both, and waits until they are configured.
    ///
    /// @param script that tells them of their keys
    Wireguard(Lab lab, Path folder, Path script, List<End> ends) {
        this.lab = lab;
        this.folder = folder;
        this.script = script;
        this.ends = ends;
        var keys = List.of(TunnelKeys.create(), TunnelKeys.create());
        try {
            for (int i = 0; i < ends.size(); i++) {
                programs.add(ends.get(i).start(lab, List.of("wireguard-go", "-f", name(i))));
            }
            for (int i = 0; i < ends.size(); i++) {
                configure(i, keys.get(i), keys.get(1 - i));
            }
        } catch (RuntimeException | AssertionError e) {
            close();
            throw e;
        }
    }

    private static String name(int end) {
        return "ibidem-wg" + end;
    }

    private static String inner(int end) {
        return "10.99.0." + (end + 1);
    }

    private void configure(int end, TunnelKeys own, TunnelKeys other) {
        var host = lab.machine(ends.get(end).host());
        var command =
                List.of(
                        "/usr/bin/python3",
                        script.toString(),
                        name(end),
                        "private_key=" + own.secret(),
                        "listen_port=" + (PORT + end),
                        "public_key=" + other.open(),
                        "endpoint=%s:%d".formatted(ends.get(1 - end).address(), PORT + 1 - end),
                        "persistent_keepalive_interval=1",
                        "allowed_ip=" + inner(1 - end) + "/32");
        assertThat(host.run(command.toArray(String[]::new)))
                .as(() -> "" + programs.get(end).lines())
                .containsExactly("errno=0");
        host.run("ip", "address", "add", inner(end) + "/24", "dev", name(end));
        host.run("ip", "link", "set", name(end), "up");
    }

    /// Brings a file from the first end to the second.
    void fetch() throws IOException {
        var bytes = new byte[BYTES];
        new Random(11).nextBytes(bytes);
        var shown = Files.createDirectories(folder.resolve("shown"));
        var file = Files.write(shown.resolve("file"), bytes);
        var got = folder.resolve("got");
        var serve = List.of("/usr/bin/python3", "-u", "-m", "http.server", "8080");
        var options = List.of("--bind", inner(0), "--directory", shown.toString());
        var all = new ArrayList<>(serve);
        all.addAll(options);
        try (var server = lab.machine(ends.getFirst().host()).start(all.toArray(String[]::new))) {
            server.any(line -> line.startsWith("Serving HTTP"), Town.LONG);
            var curl =
                    lab.machine(ends.getLast().host())
                            .start(
                                    "curl",
                                    "-sS",
                                    "--fail",
                                    "--max-time",
                                    Town.LONG.toSeconds() + "",
                                    "-o",
                                    got.toString(),
                                    "http://%s:8080/file".formatted(inner(0)));
            assertThat(curl.code(Town.LONG)).as(() -> curl.lines() + "" + programs).isZero();
        }
        assertThat(got).hasSameBinaryContentAs(file);
    }

    @Override
    public void close() {
        for (int i = 0; i < programs.size(); i++) {
            ends.get(i).end(programs.get(i));
        }
    }
}
