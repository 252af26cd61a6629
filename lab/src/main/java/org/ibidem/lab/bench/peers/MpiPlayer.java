package org.ibidem.lab.bench.peers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.ibidem.lab.bench.Burst;
import org.ibidem.lab.bench.Measure;
import org.ibidem.lab.bench.Payload;
import org.ibidem.lab.bench.Player;
import org.jspecify.annotations.Nullable;

/// Commands one rank of an MPI job, and sleeps while it plays.
final class MpiPlayer implements Player {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String ALLOWED = "Cpus_allowed_list:";
    private static final int MEET_MILLIS = 30_000;
    private static final int END_SECONDS = 5;

    private final boolean leads;
    private final ServerSocket server;
    private final Map<String, String> known = new HashMap<>();
    private @Nullable Process job;
    private @Nullable Socket socket;
    private @Nullable PrintStream out;
    private @Nullable BufferedReader in;

    MpiPlayer(boolean leads) throws IOException {
        this.leads = leads;
        this.server = new ServerSocket();
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        server.setSoTimeout(MEET_MILLIS);
    }

    int port() {
        return server.getLocalPort();
    }

    /// The job that this one has started, and ends.
    void launches(Process launched) {
        job = launched;
    }

    /// Waits for the rank, and tells it which core is its own.
    void meet() throws IOException {
        var rank = server.accept();
        server.close();
        rank.setTcpNoDelay(true);
        socket = rank;
        out = new PrintStream(rank.getOutputStream(), true, StandardCharsets.US_ASCII);
        in =
                new BufferedReader(
                        new InputStreamReader(rank.getInputStream(), StandardCharsets.US_ASCII));
        out.println(core());
    }

    /// The one core this process is pinned to; -1: it is not.
    private static int core() throws IOException {
        for (var line : Files.readAllLines(STATUS)) {
            if (line.startsWith(ALLOWED)) {
                var list = line.substring(ALLOWED.length()).strip();
                return list.matches("\\d+") ? Integer.parseInt(list) : -1;
            }
        }
        return -1;
    }

    @Override
    public void lead(Measure measure, Burst burst, long[] nanos) throws IOException {
        command(measure, burst);
        for (int i = 0; i < nanos.length; i++) {
            nanos[i] = answer();
        }
    }

    @Override
    public void follow(Measure measure, Burst burst) throws IOException {
        command(measure, burst);
        answer();
    }

    private void command(Measure measure, Burst burst) throws IOException {
        var to = out;
        if (to == null) {
            throw new IOException("the rank has not been met");
        }
        var what = known.computeIfAbsent(measure.name(), _ -> described(measure));
        to.println(what + " " + burst.samples() + " " + burst.times());
    }

    private static String described(Measure measure) {
        var payload = measure.payload().get();
        int kind = measure.kind() == Measure.Kind.PING_PONG ? 0 : 1;
        return kind + " " + letter(payload) + " " + payload.bytes() + " " + parts(payload);
    }

    /// The distance of doubles, or the messages of a window.
    private static int parts(Payload payload) {
        return switch (payload) {
            case Payload.Bytes it -> it.pieces;
            case Payload.Doubles it -> it.stride;
            default -> 1;
        };
    }

    private static char letter(Payload payload) {
        return switch (payload) {
            case Payload.Word _ -> 'w';
            case Payload.Five _ -> 'f';
            case Payload.Bytes _ -> 'b';
            case Payload.Ints _ -> 'i';
            case Payload.Doubles _ -> 'd';
            case Payload.Tree _ -> throw new IllegalArgumentException("C has no such objects");
        };
    }

    private long answer() throws IOException {
        var line = in == null ? null : in.readLine();
        if (line == null) {
            throw new IOException("the MPI job has ended");
        }
        return Long.parseLong(line);
    }

    @Override
    public void close() throws IOException {
        if (socket != null) {
            socket.close();
        }
        var mine = job;
        if (leads && mine != null) {
            try {
                if (!mine.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                    mine.destroyForcibly();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
