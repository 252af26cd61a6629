package org.ibidem.lab.bench.peers;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.ibidem.lab.bench.Contestant;
import org.ibidem.lab.bench.Measure;
import org.ibidem.lab.bench.Meeting;
import org.ibidem.lab.bench.Payload;
import org.ibidem.lab.bench.Player;

/// MPJ Express 0.44 as Debian has it: the loops are `Mpj.java`, compiled here. Over `niodev` each
/// of the two processes starts a rank, on its own core; in the form `multicore` both ranks are
/// threads of one JVM, on whatever cores there are.
///
/// @param device `niodev` or `multicore`
public record MpjExpress(String device) implements Contestant {
    private static final String SOURCE = "Mpj.java";
    private static final Path HOME = Path.of("/usr/share/mpj");
    private static final Path LOGGING = Path.of("/usr/share/java/log4j-1.2.jar");
    private static final int COMPILE_SECONDS = 60;
    private static final List<String> JVM =
            List.of("-Xms256m", "-Xmx256m", "-XX:+UseSerialGC", "-XX:+AlwaysPreTouch");

    @Override
    public String name() {
        return "mpj-express-" + device;
    }

    @Override
    public Waiting waiting() {
        return Waiting.USUAL;
    }

    @Override
    public String about() {
        return "MPJ Express 0.44, " + device + ", Send and Recv, default settings";
    }

    @Override
    public boolean plays(Measure measure) {
        var payload = measure.payload().get();
        return !(payload instanceof Payload.Tree || payload instanceof Payload.Five);
    }

    @Override
    public Optional<String> missing() {
        return List.of(HOME.resolve("lib/mpj.jar"), HOME.resolve("lib/starter.jar"), LOGGING)
                .stream()
                .filter(file -> !Files.exists(file))
                .findFirst()
                .map(file -> "there is no " + file + " (package libmpj-java; ./ibidem setup)");
    }

    @Override
    public Player open(Meeting meeting) throws IOException, InterruptedException {
        var player = new MpiPlayer(meeting.leads());
        var own = Integer.toString(player.port());
        if (device.equals("niodev")) {
            var program = compiled(Files.createTempDirectory(meeting.folder(), "mpj"));
            player.launches(start(program, niodev(program, meeting, own)));
        } else if (meeting.leads()) {
            var program = compiled(Files.createTempDirectory(meeting.folder(), "mpj"));
            player.launches(start(program, multicore(program, own, meeting.hear())));
        } else {
            meeting.tell(own);
        }
        player.meet();
        return player;
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    private static String path(Path... entries) {
        var all = new ArrayList<String>();
        for (var entry : entries) {
            all.add(entry.toString());
        }
        return String.join(File.pathSeparator, all);
    }

    private static Path compiled(Path folder) throws IOException, InterruptedException {
        var source = folder.resolve(SOURCE);
        try (var in = MpjExpress.class.getResourceAsStream(SOURCE)) {
            if (in == null) {
                throw new IOException("the program " + SOURCE + " is not in the jar");
            }
            Files.copy(in, source);
        }
        var log = folder.resolve("log");
        var compiler =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "javac").toString(),
                                "-cp",
                                HOME.resolve("lib/mpj.jar").toString(),
                                "-d",
                                folder.toString(),
                                source.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        if (!compiler.waitFor(COMPILE_SECONDS, TimeUnit.SECONDS) || compiler.exitValue() != 0) {
            compiler.destroyForcibly();
            throw new IOException("javac failed: " + Files.readString(log));
        }
        return folder;
    }

    /// Its ranks ask a server of their launcher, which is this, where the others are.
    private static List<String> niodev(Path program, Meeting meeting, String own)
            throws IOException {
        int port;
        if (meeting.leads()) {
            var server = new ServerSocket(0, 2, InetAddress.getLoopbackAddress());
            port = server.getLocalPort();
            Thread.ofPlatform().daemon().name("mpj-express").start(() -> introduce(server));
            meeting.tell(Integer.toString(port));
        } else {
            port = Integer.parseInt(meeting.hear());
        }
        var command = new ArrayList<>(List.of(java()));
        command.addAll(JVM);
        command.addAll(List.of("-cp", path(HOME.resolve("lib/mpj.jar"), LOGGING, program), "Mpj"));
        command.add(meeting.leads() ? "0" : "1");
        command.add(
                "#Number of Processes;2;#Protocol Switch Limit;131072;#Server Name;127.0.0.1;#Server Port;"
                        + port);
        command.addAll(List.of("niodev", own, own));
        return command;
    }

    /// Each says its ports and its rank, and hears those of all in the order of their ranks: in any
    /// other order they wait for each other without end.
    private static void introduce(ServerSocket server) {
        try (server;
                var one = server.accept();
                var other = server.accept()) {
            var first = portsOf(one);
            var second = portsOf(other);
            var all =
                    "#Peer Information;"
                            + (first.rank == 0 ? first + ";" + second : second + ";" + first);
            for (var rank : List.of(one, other)) {
                var out = new DataOutputStream(rank.getOutputStream());
                out.writeUTF(all);
                out.flush();
            }
        } catch (IOException e) {
            System.err.println("the ranks of MPJ Express do not meet: " + e);
        }
    }

    private record RankPorts(int reads, int writes, int rank) {
        @Override
        public String toString() {
            return "127.0.0.1@" + reads + "@" + writes + "@" + rank;
        }
    }

    private static RankPorts portsOf(Socket socket) throws IOException {
        var in = new DataInputStream(socket.getInputStream());
        in.readUTF(); // that it says where it is
        int writes = in.readInt();
        int reads = in.readInt();
        return new RankPorts(reads, writes, in.readInt());
    }

    /// On any core: whoever starts it has only one.
    private static List<String> multicore(Path program, String own, String other) {
        var command = new ArrayList<>(List.of("taskset", "-c", "0-1023", java()));
        command.addAll(List.of("-cp", path(HOME.resolve("lib/starter.jar"), LOGGING)));
        command.addAll(List.of("runtime.starter.MPJRun", "-np", "2", "-dev", "multicore"));
        command.addAll(List.of("-cp", program.toString(), "Mpj", own, other));
        return command;
    }

    private static Process start(Path program, List<String> command) throws IOException {
        var builder = new ProcessBuilder(command).directory(program.toFile());
        var bin = Path.of(System.getProperty("java.home"), "bin");
        builder.environment().merge("PATH", bin.toString(), (old, mine) -> mine + ":" + old);
        builder.environment().put("MPJ_HOME", HOME.toString());
        builder.environment()
                .put(
                        "JDK_JAVA_OPTIONS",
                        "-Xbootclasspath/a:" + LOGGING); // for who is started by it
        return builder.redirectError(ProcessBuilder.Redirect.INHERIT)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }
}
