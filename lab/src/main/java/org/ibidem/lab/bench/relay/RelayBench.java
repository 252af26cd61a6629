package org.ibidem.lab.bench.relay;

import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.ibidem.lab.bench.crowd.Worker;

/// `./bench relay`: what a hub forwards, beside HAProxy in TCP mode. For every turn each of them is
/// started anew, with a source and a sink in processes of their own; they take turns.
///
/// The hub's ends speak frames over one connection each, as nodes do; HAProxy's ends have a
/// connection for each stream. Both write and read as plainly as can be, so that what is in the
/// middle has as much of the machine as it can get.
public final class RelayBench {
    private static final double AIM = 0.9;
    private static final long MOST_MEMORY = 256L << 20;
    private static final double MEGA = 1e6;
    private static final double GIGA = 1e9;
    private static final long MEBI = 1 << 20;
    private static final List<String> HEAP = List.of("-Xmx96m", "-XX:+UseSerialGC");
    private static final int[] STREAMS = {1, 100, 1000};

    private final int rounds;
    private final long warmUpNanos;
    private final long windowNanos;
    private final Map<String, List<Turn>> turns = new LinkedHashMap<>();

    /// What one of them did in one turn.
    ///
    /// @param rate bytes a second
    /// @param cpu seconds of processor time for a gigabyte
    /// @param memory the most resident at once, in bytes
    private record Turn(double rate, double cpu, long memory) {}

    private RelayBench(int rounds, double seconds) {
        this.rounds = rounds;
        this.windowNanos = (long) (seconds * GIGA);
        this.warmUpNanos = windowNanos;
    }

    /// Runs it from the command line, and prints its table.
    public static void run(String... arguments) throws IOException {
        boolean quick = List.of(arguments).equals(List.of("--quick"));
        if (arguments.length > 0 && !quick) {
            throw new IllegalArgumentException("known: --quick");
        }
        new RelayBench(quick ? 1 : 5, quick ? 0.3 : 1.5).play(System.out);
    }

    private void play(PrintStream out) throws IOException {
        boolean peer = Haproxy.isThere();
        for (int round = 0; round < rounds; round++) {
            for (int streams : STREAMS) {
                System.err.println("bench: round " + (round + 1) + ", " + streams + " streams");
                if (peer && round % 2 == 0) {
                    add("haproxy", streams, haproxy(streams));
                }
                add("hub", streams, hub(streams));
                if (peer && round % 2 == 1) {
                    add("haproxy", streams, haproxy(streams));
                }
            }
        }
        print(out, peer);
    }

    private void add(String who, int streams, Turn turn) {
        turns.computeIfAbsent(who + " " + streams, _ -> new ArrayList<>()).add(turn);
    }

    private Turn hub(int streams) throws IOException {
        try (var middle = new Worker(HubPart.class, List.of("-Xmx160m", "-XX:+UseSerialGC"))) {
            var where = middle.answer();
            try (var sink = new Worker(Sink.class, HEAP, words("hub " + where));
                    var source =
                            new Worker(
                                    Source.class,
                                    HEAP,
                                    words("hub " + where + " " + sink.answer() + " " + streams))) {
                source.answer();
                return measure(middle, sink);
            }
        }
    }

    private Turn haproxy(int streams) throws IOException {
        try (var sink = new Worker(Sink.class, HEAP, "plain");
                var proxy = new Haproxy(Integer.parseInt(sink.answer()));
                var source =
                        new Worker(
                                Source.class,
                                HEAP,
                                words("plain " + proxy.port() + " " + streams))) {
            source.answer();
            return measure(proxy.worker(), sink);
        }
    }

    private static String[] words(String text) {
        return text.split(" ", -1);
    }

    private Turn measure(Worker middle, Worker sink) throws IOException {
        pass(warmUpNanos);
        var cpu = middle.cpu();
        long begin = System.nanoTime();
        long before = Long.parseLong(sink.ask("count"));
        pass(windowNanos);
        long bytes = Long.parseLong(sink.ask("count")) - before;
        double seconds = (System.nanoTime() - begin) / GIGA;
        double used = middle.cpu().minus(cpu).toNanos() / GIGA;
        return new Turn(bytes / seconds, used / (bytes / GIGA), middle.peak());
    }

    private static void pass(long nanos) {
        long end = System.nanoTime() + nanos;
        for (long left = nanos; left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    private void print(PrintStream out, boolean peer) {
        out.printf(
                "%-14s %12s %12s %12s %12s%n",
                "through, streams", "best MB/s", "median MB/s", "CPU s/GB", "resident MiB");
        turns.forEach((name, all) ->
                out.printf(
                        Locale.ROOT,
                        "%-16s %12.0f %12.0f %12.2f %12d%n",
                        name,
                        best(all) / MEGA,
                        median(all, Comparator.comparingDouble(Turn::rate)).rate / MEGA,
                        median(all, Comparator.comparingDouble(Turn::cpu)).cpu,
                        memory(all) / MEBI));
        out.println();
        for (int streams : STREAMS) {
            var hub = turns.get("hub " + streams);
            var other = turns.get("haproxy " + streams);
            if (hub != null && other != null) {
                out.printf(
                        Locale.ROOT,
                        "ratio relay-%d haproxy %.2f %.2f%n",
                        streams,
                        best(hub) / best(other),
                        AIM);
            }
        }
        var many = turns.get("hub 1000");
        if (many != null) {
            out.printf(
                    Locale.ROOT,
                    "limit relay-memory MiB %d %d%n",
                    memory(many) / MEBI,
                    MOST_MEMORY / MEBI);
        }
        if (!peer) {
            out.println("# there is no haproxy here: ./ibidem setup installs it");
        }
    }

    private static double best(List<Turn> all) {
        return all.stream().mapToDouble(Turn::rate).max().orElse(0);
    }

    private static Turn median(List<Turn> all, Comparator<Turn> order) {
        return all.stream().sorted(order).toList().get(all.size() / 2);
    }

    private static long memory(List<Turn> all) {
        return all.stream().mapToLong(Turn::memory).max().orElse(0);
    }

    /// HAProxy as a relay to one port.
    private static final class Haproxy implements AutoCloseable {
        private static final Path[] PLACES = {
            Path.of("/usr/sbin/haproxy"), Path.of("/usr/local/sbin/haproxy")
        };

        private final Path file;
        private final Worker worker;
        private final int port;

        Haproxy(int sink) throws IOException {
            port = freePort();
            file = Files.createTempFile("ibidem-relay", ".cfg");
            Files.writeString(
                    file,
                    """
                    global
                      maxconn 5000
                    defaults
                      mode tcp
                      timeout connect 5s
                      timeout client 1m
                      timeout server 1m
                    listen relay
                      bind 127.0.0.1:%d
                      server sink 127.0.0.1:%d
                    """
                            .formatted(port, sink));
            worker = new Worker(List.of(place().toString(), "-db", "-f", file.toString()));
            while (!answers(port)) {
                LockSupport.parkNanos(1_000_000);
            }
        }

        static boolean isThere() {
            return List.of(PLACES).stream().anyMatch(Files::isExecutable);
        }

        private static Path place() {
            return List.of(PLACES).stream().filter(Files::isExecutable).findFirst().orElseThrow();
        }

        private static int freePort() throws IOException {
            try (var socket = new ServerSocket(0)) {
                return socket.getLocalPort();
            }
        }

        private static boolean answers(int port) {
            try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return socket.isConnected();
            } catch (IOException _) {
                return false;
            }
        }

        int port() {
            return port;
        }

        Worker worker() {
            return worker;
        }

        @Override
        public void close() throws IOException {
            worker.close();
            Files.delete(file);
        }
    }
}
