package org.ibidem.lab.net;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/// A program that tries things out on a host, with the plain sockets of the JDK: what the network
/// between two hosts does must not be found out with what is to be tested in it.
///
/// Each line of its input is a task, `NUMBER VERB ARGUMENTS`; they run side by side and answer
/// `NUMBER ok RESULT` or `NUMBER no REASON`.
public final class Probe {
    private static final int UDP_MILLIS = 20_000;
    private static final int ATTEMPT_MILLIS = 3_000;

    /// For what must succeed, on a busy machine too.
    private static final int CERTAIN_MILLIS = 20_000;

    private static final int CHUNK = 1 << 16;

    /// What stays open: a mapping lives as long as its connection.
    private static final List<AutoCloseable> OPEN = new ArrayList<>();

    private static final AtomicLong COUNTED = new AtomicLong();

    private final String name;

    private Probe(String name) {
        this.name = name;
    }

    /// Argument: who this is.
    public static void main(String[] args) throws IOException {
        var probe = new Probe(args[0]);
        System.out.println("probing");
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (var line = in.readLine(); line != null; line = in.readLine()) {
            var words = line.split(" ");
            Thread.ofPlatform().daemon().start(() -> probe.perform(words));
        }
        System.exit(0);
    }

    private void perform(String[] words) {
        String answer;
        try {
            answer = "ok " + task(words[1], Arrays.copyOfRange(words, 2, words.length));
        } catch (SocketTimeoutException _) {
            answer = "no silence";
        } catch (ConnectException e) {
            answer = "no " + (e.getMessage().contains("refused") ? "refused" : e.getMessage());
        } catch (Exception e) {
            answer = "no " + e;
        }
        synchronized (System.out) {
            System.out.println(words[0] + " " + answer);
        }
    }

    private Object task(String verb, String[] words) throws Exception {
        return switch (verb) {
            case "listen" -> listen(Integer.parseInt(words[0]));
            case "connect" -> connect(to(words), Integer.parseInt(words[2]));
            case "seen" -> seen(Integer.parseInt(words[2]), to(words));
            case "splice" ->
                    splice(Integer.parseInt(words[2]), to(words), Integer.parseInt(words[3]));
            case "sink" -> sink(Integer.parseInt(words[0]));
            case "send" -> send(to(words), Long.parseLong(words[2]));
            case "echo" -> echo(Integer.parseInt(words[0]));
            case "socks", "bind", "tunnel" -> new ProxyProbe(words).perform(verb);
            case "count" -> count(Integer.parseInt(words[0]));
            case "counted" -> COUNTED.get();
            case "blast" -> blast(to(words), Integer.parseInt(words[2]));
            case "rtt" -> roundTrips(to(words), Integer.parseInt(words[2]));
            case "close" -> close();
            case "talk" -> talk(to(words));
            case "say" -> say(Integer.parseInt(words[0]));
            default -> throw new IllegalArgumentException(verb);
        };
    }

    private static InetSocketAddress to(String[] words) {
        return new InetSocketAddress(words[0], Integer.parseInt(words[1]));
    }

    private static <T extends AutoCloseable> T keep(T open) {
        synchronized (OPEN) {
            OPEN.add(open);
        }
        return open;
    }

    /// Tells everybody who connects which address he comes from, then sends back what he sends.
    private static String listen(int port) throws IOException {
        var server = keep(new ServerSocket(port));
        Thread.ofVirtual()
                .start(() -> {
                    while (true) {
                        try {
                            var client = keep(server.accept());
                            client.setTcpNoDelay(true);
                            Thread.ofVirtual().start(() -> serve(client));
                        } catch (IOException _) {
                            return;
                        }
                    }
                });
        return server.getLocalPort() + "";
    }

    private static void serve(Socket client) {
        try {
            var from = (InetSocketAddress) client.getRemoteSocketAddress();
            line(client, from.getAddress().getHostAddress() + " " + from.getPort());
            client.getInputStream().transferTo(client.getOutputStream());
        } catch (IOException _) {
            // he has gone
        }
    }

    static void line(Socket socket, String text) throws IOException {
        socket.getOutputStream().write((text + "\n").getBytes(StandardCharsets.UTF_8));
    }

    static String line(InputStream in) throws IOException {
        var text = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new IOException("ended");
            }
            text.append((char) next);
        }
        return text.toString();
    }

    private static String connect(InetSocketAddress to, int millis) throws IOException {
        try (var socket = new Socket()) {
            socket.connect(to, millis);
            return "connected";
        }
    }

    /// Which address a listener sees us come from, when we come from this port.
    private static String seen(int from, InetSocketAddress to) throws IOException {
        var socket = keep(new Socket());
        socket.setReuseAddress(true);
        socket.bind(new InetSocketAddress(from));
        socket.connect(to, CERTAIN_MILLIS);
        socket.setSoTimeout(CERTAIN_MILLIS);
        return line(socket.getInputStream());
    }

    /// A connection from both ends at once; the peers tell each other who they are.
    private String splice(int from, InetSocketAddress to, int millis) throws Exception {
        long end = System.nanoTime() + millis * 1_000_000L;
        var last = "no time";
        for (int tries = 1; System.nanoTime() < end; tries++) {
            var socket = new Socket();
            try {
                socket.setReuseAddress(true);
                socket.bind(new InetSocketAddress(from));
                int left = (int) Math.max(1, (end - System.nanoTime()) / 1_000_000);
                socket.connect(to, Math.min(ATTEMPT_MILLIS, left));
                socket.setSoTimeout(ATTEMPT_MILLIS);
                line(socket, name);
                return line(keep(socket).getInputStream()) + " " + tries;
            } catch (IOException e) {
                last = String.valueOf(e.getMessage());
                socket.close();
                LockSupport.parkNanos(ThreadLocalRandom.current().nextInt(1, 20) * 1_000_000L);
            }
        }
        throw new IOException(last);
    }

    private static String sink(int port) throws IOException {
        var server = keep(new ServerSocket(port));
        Thread.ofVirtual()
                .start(() -> {
                    var bytes = new byte[CHUNK];
                    while (true) {
                        try (var client = server.accept()) {
                            var in = client.getInputStream();
                            long count = 0;
                            for (int n = in.read(bytes); n >= 0; n = in.read(bytes)) {
                                count += n;
                            }
                            line(client, count + "");
                        } catch (IOException _) {
                            return;
                        }
                    }
                });
        return server.getLocalPort() + "";
    }

    /// Sends so many bytes, waits until all of them were read, and says how many milliseconds that
    /// took.
    private static String send(InetSocketAddress to, long count) throws IOException {
        try (var socket = new Socket()) {
            socket.connect(to, ATTEMPT_MILLIS);
            long begin = System.nanoTime();
            var bytes = new byte[CHUNK];
            for (long left = count; left > 0; left -= Math.min(left, CHUNK)) {
                socket.getOutputStream().write(bytes, 0, (int) Math.min(left, CHUNK));
            }
            socket.shutdownOutput();
            if (Long.parseLong(line(socket.getInputStream())) != count) {
                throw new IOException("not all arrived");
            }
            return (System.nanoTime() - begin) / 1_000_000 + "";
        }
    }

    private static String echo(int port) throws IOException {
        var socket = keep(new DatagramSocket(port));
        // A thread of its own, as it is quicker to wake than a virtual one.
        Thread.ofPlatform().daemon().start(() -> echo(socket));
        return socket.getLocalPort() + "";
    }

    private static void echo(DatagramSocket socket) {
        try {
            var packet = new DatagramPacket(new byte[2048], 2048);
            while (true) {
                packet.setLength(2048);
                socket.receive(packet);
                socket.send(packet);
            }
        } catch (IOException _) {
            // closed
        }
    }

    /// Counts the datagrams that come.
    private static String count(int port) throws IOException {
        var socket = keep(new DatagramSocket(port));
        socket.setReceiveBufferSize(1 << 20);
        COUNTED.set(0);
        Thread.ofPlatform()
                .daemon()
                .start(() -> {
                    try {
                        var packet = new DatagramPacket(new byte[64], 64);
                        while (true) {
                            socket.receive(packet);
                            COUNTED.incrementAndGet();
                        }
                    } catch (IOException _) {
                        // closed
                    }
                });
        return socket.getLocalPort() + "";
    }

    /// Sends so many datagrams, not all at once.
    private static String blast(InetSocketAddress to, int count) throws IOException {
        try (var socket = new DatagramSocket()) {
            for (int i = 0; i < count; i++) {
                socket.send(new DatagramPacket(new byte[32], 32, to));
                if (i % 50 == 49) {
                    LockSupport.parkNanos(1_000_000);
                }
            }
            return count + "";
        }
    }

    /// The round trips of so many datagrams, one after the other, in microseconds; -1 for one that
    /// got no answer.
    private static String roundTrips(InetSocketAddress to, int count) throws IOException {
        var times = new StringBuilder();
        try (var socket = new DatagramSocket()) {
            socket.setSoTimeout(UDP_MILLIS);
            for (int i = 0; i < count; i++) {
                var packet = new DatagramPacket(new byte[] {(byte) i}, 1, to);
                long begin = System.nanoTime();
                socket.send(packet);
                try {
                    socket.receive(packet);
                    times.append((System.nanoTime() - begin) / 1_000).append(' ');
                } catch (SocketTimeoutException _) {
                    times.append("-1 ");
                }
            }
        }
        return times.toString().strip();
    }

    /// Closes all that is open, at once.
    private static String close() throws Exception {
        synchronized (OPEN) {
            for (var each : OPEN) {
                if (each instanceof Socket socket && !socket.isClosed()) {
                    socket.setSoLinger(true, 0);
                }
                each.close();
            }
            OPEN.clear();
        }
        return "";
    }

    /// Connects and keeps the connection for `say`.
    private static String talk(InetSocketAddress to) throws IOException {
        var socket = keep(new Socket());
        socket.setTcpNoDelay(true);
        socket.connect(to, CERTAIN_MILLIS);
        socket.setSoTimeout(CERTAIN_MILLIS);
        line(socket.getInputStream());
        socket.setSoTimeout(ATTEMPT_MILLIS); // silence is found, too
        synchronized (OPEN) {
            return OPEN.indexOf(socket) + "";
        }
    }

    /// Says something over a connection and waits for the echo.
    private static String say(int which) throws IOException {
        Socket socket;
        synchronized (OPEN) {
            socket = (Socket) OPEN.get(which);
        }
        line(socket, "hello");
        return line(socket.getInputStream());
    }
}
