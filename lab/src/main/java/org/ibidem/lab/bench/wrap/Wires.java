package org.ibidem.lab.bench.wrap;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The other thing that people use today: a network of WireGuard's between two TUN devices, by
/// `wireguard-go`, whose datagrams go over this machine's loopback. One device is moved into a
/// network of its own, where clients run: so what they say to the server's address cannot take
/// another way.
final class Wires implements AutoCloseable {
    /// The server's machine, seen from there.
    static final String SERVER = "10.98.77.1";

    private static final String CLIENT = "10.98.77.2";
    private static final String NETWORK = "ibidem-bench-wires";
    private static final List<String> DEVICES = List.of("ibidem-wire0", "ibidem-wire1");
    private static final int PORT = 47_820;

    private final List<Process> programs = new ArrayList<>();

    /// Makes it.
    Wires() throws IOException, InterruptedException {
        var keys = List.of(TunnelKeys.create(), TunnelKeys.create());
        try {
            for (var device : DEVICES) {
                programs.add(begin(device));
            }
            configure(0, keys.get(0), keys.get(1), CLIENT);
            configure(1, keys.get(1), keys.get(0), SERVER);
            ip("netns", "add", NETWORK);
            ip("link", "set", DEVICES.get(1), "netns", NETWORK);
            up(List.of(), DEVICES.get(0), SERVER);
            up(List.of("-n", NETWORK), DEVICES.get(1), CLIENT);
        } catch (IOException | InterruptedException e) {
            close();
            throw e;
        }
    }

    /// Whether there can be any: only root makes networks.
    static boolean there() {
        return System.getProperty("user.name", "").equals("root")
                && Programs.there("wireguard-go", "ip")
                && Files.isWritable(Path.of("/dev/net/tun"));
    }

    /// What runs a program where only the tunnel leads to the server.
    List<String> within() {
        return List.of("ip", "netns", "exec", NETWORK);
    }

    private static Process begin(String device) throws IOException {
        var builder = new ProcessBuilder("wireguard-go", "-f", device).redirectErrorStream(true);
        builder.environment().put("LOG_LEVEL", "verbose"); // which says when it listens
        var process = builder.start();
        var reader = process.inputReader(StandardCharsets.UTF_8);
        var said = new StringBuilder();
        for (var line = reader.readLine(); line != null; line = reader.readLine()) {
            if (line.contains("UAPI listener started")) {
                return process;
            }
            said.append(line).append('\n');
        }
        throw new IOException("wireguard-go has ended: " + said);
    }

    private static void configure(int which, TunnelKeys own, TunnelKeys other, String theirs)
            throws IOException {
        var text =
                """
                set=1
                private_key=%s
                listen_port=%d
                public_key=%s
                endpoint=127.0.0.1:%d
                allowed_ip=%s/32

                """
                        .formatted(
                                own.secret(), PORT + which, other.open(), PORT + 1 - which, theirs);
        var at = UnixDomainSocketAddress.of("/var/run/wireguard/" + DEVICES.get(which) + ".sock");
        try (var line = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            line.connect(at);
            line.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
            var answer = ByteBuffer.allocate(64);
            line.read(answer);
            var said = new String(answer.array(), 0, answer.position(), StandardCharsets.US_ASCII);
            if (!said.startsWith("errno=0")) {
                throw new IOException("wireguard-go refuses what it was told: " + said.strip());
            }
        }
    }

    private static void up(List<String> where, String device, String address)
            throws IOException, InterruptedException {
        for (var words :
                List.of(
                        List.of("address", "add", address + "/24", "dev", device),
                        List.of("link", "set", device, "up"))) {
            var all = new ArrayList<>(where);
            all.addAll(words);
            ip(all.toArray(String[]::new));
        }
    }

    private static void ip(String... words) throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of("ip"));
        command.addAll(List.of(words));
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", command) + ": " + said.strip());
        }
    }

    @Override
    public void close() throws IOException {
        programs.forEach(Process::destroy); // their devices end with them
        try {
            ip("netns", "del", NETWORK);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
