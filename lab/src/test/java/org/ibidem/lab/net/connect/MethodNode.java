package org.ibidem.lab.net.connect;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.ibidem.IbidemException;
import org.ibidem.arbitration.Threads;
import org.ibidem.config.Services;
import org.ibidem.connect.Broker;
import org.ibidem.connect.Brokered;
import org.ibidem.connect.Check;
import org.ibidem.connect.ConnectMethod;
import org.ibidem.connect.Expected;
import org.ibidem.connect.MethodContext;
import org.ibidem.connect.SocketPath;
import org.ibidem.handshake.Admission;
import org.ibidem.handshake.Handshake;
import org.ibidem.handshake.Hello;
import org.ibidem.handshake.Proved;
import org.ibidem.identity.Identity;
import org.ibidem.topology.Contact;
import org.ibidem.topology.NodeId;

/// A process that connects to others by one method at a time, with real handshakes. Whoever started
/// it is the broker: he hands proposals over.
///
/// ```
/// says                          is told
/// id ID
/// N.I propose METHOD HEX        N.I answer HEX | N.I refuse REASON
/// N connected                   N connect METHOD PEER LIMIT DELAY OBSERVER ADDRESS…
/// M answer HEX | M refused WHY  M join METHOD PEER LIMIT DELAY OBSERVER HEX
/// M taken (a connection)
/// N failed WHY
/// ```
///
/// OBSERVER, and each ADDRESS, is `host:port`, or `-` for none. The end that asked says `hello N`
/// on the connection, and `connected` when it has heard it again.
public final class MethodNode {
    private static final String POOL = "laboratory";

    private final Identity identity = Identity.create();
    private final Threads threads = new Threads("node");
    private final Handshake handshake = new Handshake(identity, threads, Duration.ofSeconds(30));
    private final List<ConnectMethod> methods = Services.of(ConnectMethod.class);
    private final Map<String, CompletableFuture<String[]>> answers = new ConcurrentHashMap<>();

    private MethodNode() {}

    /// Argument: a port to listen on as well, as nodes do; 0 for none.
    public static void main(String[] args) throws IOException {
        new MethodNode().run(Integer.parseInt(args[0]));
    }

    private void run(int port) throws IOException {
        if (port != 0) {
            listen(port);
        }
        say(
                "id "
                        + HexFormat.of().toHexDigits(identity.id().high())
                        + HexFormat.of().toHexDigits(identity.id().low()));
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (var line = in.readLine(); line != null; line = in.readLine()) {
            var words = line.split(" ", -1);
            if (words[1].equals("answer") || words[1].equals("refuse")) {
                answers.remove(words[0]).complete(words);
            } else {
                threads.start("task", () -> perform(words));
            }
        }
        System.exit(0);
    }

    private static void say(String line) {
        synchronized (System.out) {
            System.out.println(line.replace('\n', ' '));
        }
    }

    /// Answers connections that come in by themselves.
    private void listen(int port) throws IOException {
        var server = ServerSocketChannel.open().bind(new InetSocketAddress(port));
        threads.start(
                "listener",
                () -> {
                    while (true) {
                        try {
                            var path = new SocketPath(server.accept());
                            threads.start(
                                    "accepted", () -> echo(handshake.respond(path, Admission.ALL)));
                        } catch (IOException | IbidemException _) {
                            // the next may be better
                        }
                    }
                });
    }

    private void perform(String[] words) {
        try {
            var method =
                    methods.stream()
                            .filter(each -> each.name().equals(words[2]))
                            .findFirst()
                            .orElseThrow();
            var limit = Duration.ofMillis(Long.parseLong(words[4]));
            var context = new MethodContext(threads, limit, new Harness(words), null, null);
            if (words[1].equals("connect")) {
                connect(method, context, words);
            } else {
                join((Brokered) method, context, words);
            }
        } catch (RuntimeException e) {
            say(words[0] + (words[1].equals("connect") ? " failed " : " refused ") + e);
        }
    }

    private void connect(ConnectMethod method, MethodContext context, String[] words) {
        var peer = NodeId.parse(words[3]);
        var addresses = Stream.of(words).skip(7).map(MethodNode::address).toList();
        var hello = Hello.service(POOL, peer);
        var proved =
                method.connect(
                        new Contact(peer, addresses, Map.of()),
                        path -> handshake.begin(path, hello)::finish,
                        context);
        try (var channel = proved.stream()) {
            write(channel, "hello " + words[0]);
            var heard = line(channel);
            if (!heard.equals("hello " + words[0])) {
                throw new IOException("heard '" + heard + "'");
            }
            say(words[0] + " connected");
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void join(Brokered method, MethodContext context, String[] words) {
        var peer = NodeId.parse(words[3]);
        Check<Proved> check =
                path -> {
                    var proved = handshake.respond(path, Admission.ALL);
                    if (!proved.peer().equals(peer)) {
                        throw new IOException("it is " + proved.peer());
                    }
                    return () -> {
                        say(words[0] + " taken");
                        threads.start("joined", () -> echo(proved));
                        return proved;
                    };
                };
        var contact = new Contact(peer, List.of(), Map.of());
        var answer = method.join(contact, HexFormat.of().parseHex(words[7]), check, context);
        say(words[0] + " answer " + HexFormat.of().formatHex(answer));
    }

    private static void echo(Proved proved) {
        try (var channel = proved.stream()) {
            write(channel, line(channel));
            line(channel); // until it ends
        } catch (IOException _) {
            // it has ended
        }
    }

    private static void write(WritableByteChannel channel, String line) throws IOException {
        channel.write(ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8)));
    }

    private static String line(ReadableByteChannel channel) throws IOException {
        var line = new StringBuilder();
        var in = Channels.newInputStream(channel);
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new IOException("ended");
            }
            line.append((char) next);
        }
        return line.toString();
    }

    private static InetSocketAddress address(String text) {
        int colon = text.lastIndexOf(':');
        return new InetSocketAddress(
                InetAddress.ofLiteral(text.substring(0, colon).replaceAll("[\\[\\]]", "")),
                Integer.parseInt(text.substring(colon + 1)));
    }

    /// Whoever started this process, as a broker.
    private final class Harness implements Broker {
        private final AtomicInteger questions = new AtomicInteger();
        private final String number;
        private final Duration delay;
        private final String observer;

        Harness(String[] words) {
            number = words[0];
            delay = Duration.ofMillis(Long.parseLong(words[5]));
            observer = words[6];
        }

        @Override
        public byte[] propose(String method, byte[] proposal, Duration limit) {
            var answer = new CompletableFuture<String[]>();
            var question = number + "." + questions.incrementAndGet();
            answers.put(question, answer);
            say(question + " propose " + method + " " + HexFormat.of().formatHex(proposal));
            var words = answer.orTimeout(limit.toMillis(), TimeUnit.MILLISECONDS).join();
            if (words[1].equals("refuse")) {
                throw new IbidemException(
                        "the peer refused: "
                                + String.join(" ", Arrays.copyOfRange(words, 2, words.length)));
            }
            return HexFormat.of().parseHex(words[2]);
        }

        @Override
        public Duration delay() {
            return delay;
        }

        @Override
        public InetSocketAddress observe(SocketChannel socket, Duration limit) throws IOException {
            if (observer.equals("-")) {
                return null;
            }
            socket.socket().connect(address(observer), (int) limit.toMillis());
            var seen = line(socket).split(" ", -1);
            return new InetSocketAddress(InetAddress.ofLiteral(seen[0]), Integer.parseInt(seen[1]));
        }

        @Override
        public Expected expect() {
            throw new IbidemException("nobody is let in here");
        }
    }
}
