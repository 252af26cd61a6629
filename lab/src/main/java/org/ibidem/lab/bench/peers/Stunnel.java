package org.ibidem.lab.bench.peers;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.CertificateEncodingException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.ibidem.lab.bench.Burst;
import org.ibidem.lab.bench.Contestant;
import org.ibidem.lab.bench.Measure;
import org.ibidem.lab.bench.Meeting;
import org.ibidem.lab.bench.Player;

/// A plain socket at each end and a `stunnel` beside each, which speak TLS 1.3, mutual, with each
/// other: what people put around programs that do not encrypt. Each stunnel is on the core of its
/// end.
///
/// @param waiting in which way the ends wait for bytes or room
public record Stunnel(Waiting waiting) implements Contestant {
    private static final List<Path> PLACES =
            List.of(
                    Path.of("/usr/bin/stunnel4"),
                    Path.of("/usr/bin/stunnel"),
                    Path.of("/usr/local/bin/stunnel"));
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final int LINE = 64;

    /// Waits for the program, and kills it when there is nothing more to be read.
    private static final String LEASH =
            "exec 3<&0; \"$@\" 3<&- & program=$!;"
                    + " { read -r _ <&3; kill -9 $program; } 2>/dev/null & wait $program";

    @Override
    public String name() {
        return "stunnel-" + waiting.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public String about() {
        return "a SocketChannel at each end, plain, and a stunnel beside each that encrypts";
    }

    @Override
    public boolean plays(Measure measure) {
        return measure.kind() == Measure.Kind.PING_PONG || measure.kind() == Measure.Kind.BANDWIDTH;
    }

    @Override
    public Optional<String> missing() {
        return place().isPresent()
                ? Optional.empty()
                : Optional.of("there is no stunnel4 (./ibidem setup)");
    }

    private static Optional<Path> place() {
        return PLACES.stream().filter(Files::isExecutable).findFirst();
    }

    @Override
    public Player open(Meeting meeting) throws IOException {
        var keys = TlsKeys.create();
        var folder = Files.createTempDirectory(meeting.folder(), name());
        try {
            var own = keys.certificate().getEncoded();
            meeting.tell(Base64.getEncoder().encodeToString(own));
            var theirs = Base64.getDecoder().decode(meeting.hear());
            Files.writeString(folder.resolve("own"), pem("CERTIFICATE", own));
            Files.writeString(folder.resolve("theirs"), pem("CERTIFICATE", theirs));
        } catch (CertificateEncodingException e) {
            throw new IOException(e);
        }
        var secret = folder.resolve("secret");
        Files.createFile(
                secret,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(secret, pem("PRIVATE KEY", keys.own().secret().getEncoded()));
        return meeting.leads() ? lead(folder, meeting) : follow(folder, meeting);
    }

    private Player lead(Path folder, Meeting meeting) throws IOException {
        int port = freePort();
        var stunnel = start(folder, "client = yes", port, Integer.parseInt(meeting.hear()));
        return over(connected(stunnel, port), stunnel);
    }

    private Player follow(Path folder, Meeting meeting) throws IOException {
        try (var plain = ServerSocketChannel.open()) {
            plain.bind(at(0));
            int port = freePort();
            int behind = plain.socket().getLocalPort();
            var stunnel = start(folder, "client = no", port, behind);
            connected(stunnel, port).close(); // it listens: that it hears nothing is only logged
            meeting.tell(Integer.toString(port));
            return over(plain.accept(), stunnel);
        }
    }

    private Player over(SocketChannel channel, Process stunnel) throws IOException {
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        return new Beside(new RawSocket(waiting).over(channel), stunnel);
    }

    private static Process start(Path folder, String side, int from, int to) throws IOException {
        var file = folder.resolve("stunnel.conf");
        Files.writeString(
                file,
                """
                foreground = yes
                pid =
                syslog = no
                debug = err
                socket = l:TCP_NODELAY=1
                socket = r:TCP_NODELAY=1
                [bench]
                %s
                accept = 127.0.0.1:%d
                connect = 127.0.0.1:%d
                cert = FOLDER/own
                key = FOLDER/secret
                CAfile = FOLDER/theirs
                verifyPeer = yes
                sslVersionMin = TLSv1.3
                ciphersuites = TLS_AES_256_GCM_SHA384
                """
                        .formatted(side, from, to)
                        .replace("FOLDER", folder.toString()));
        var log = folder.resolve("log").toFile();
        return leashed(log, place().orElseThrow().toString(), file.toString());
    }

    /// A program that ends when its standard input does: so it goes with this process however this
    /// one ends, also where it is killed and can do nothing any more.
    static Process leashed(File log, String... program) throws IOException {
        var command = new ArrayList<>(List.of("sh", "-c", LEASH, "sh"));
        command.addAll(List.of(program));
        return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log).start();
    }

    private static SocketChannel connected(Process stunnel, int port) throws IOException {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (true) {
            try {
                return SocketChannel.open(at(port));
            } catch (IOException e) {
                if (!stunnel.isAlive() || System.nanoTime() > end) {
                    throw new IOException("stunnel does not listen at port " + port, e);
                }
                LockSupport.parkNanos(1_000_000);
            }
        }
    }

    private static InetSocketAddress at(int port) {
        return new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port);
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static String pem(String what, byte[] der) {
        var text = Base64.getMimeEncoder(LINE, new byte[] {'\n'}).encodeToString(der);
        return "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n";
    }

    /// Plays, and ends the process that it needs.
    private record Beside(Player player, Process stunnel) implements Player {
        @Override
        public void lead(Measure measure, Burst burst, long[] nanos) throws Exception {
            player.lead(measure, burst, nanos);
        }

        @Override
        public void follow(Measure measure, Burst burst) throws Exception {
            player.follow(measure, burst);
        }

        @Override
        public void close() throws IOException {
            try {
                player.close();
            } finally {
                stunnel.getOutputStream().close();
            }
        }
    }
}
