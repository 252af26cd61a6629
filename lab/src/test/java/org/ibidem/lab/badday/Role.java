package org.ibidem.lab.badday;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGeneratorFactory;
import org.ibidem.arbitration.WaitPolicy;
import org.ibidem.hub.Hub;
import org.ibidem.port.PortType;
import org.ibidem.port.ReadMessage;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.SendPort;
import org.ibidem.port.Target;
import org.ibidem.port.WriteMessage;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;

/// What runs in [Other] processes. A message is its number, and so many bytes of that number.
final class Role {
    /// More than the buffers of all kernels on the way hold: such a message is never wholly sent
    /// before it is read.
    static final int BYTES = 20_000_000;

    static final int SMALL = 10_000;

    private static final Duration SHORT = Duration.ofMillis(50);

    /// Of messages of random size.
    static final int LARGEST = 2_000_000;

    /// This process was told to come to an end.
    private static volatile boolean ending;

    /// How often it was told something that it has not asked for yet.
    private static final AtomicInteger WORDS = new AtomicInteger();

    private Role() {}

    /// `hub PORT`, `sender HUB STACK` (sends for ever to port `in` of rank 0), `claimer HUB STACK`
    /// (sends one message and begins another), `idler HUB STACK` (connected, but never reads),
    /// `reader HUB STACK COUNT`, `listener HUB STACK` (one of several receivers: reads messages of
    /// any size to the one without bytes, which is the last), `follower HUB STACK` (one of several
    /// that come and go: whenever a connection has ended says which messages came over it), `echo
    /// HUB STACK` (connects to port `in` of rank 0 and sends it whatever it receives), `clocked HUB
    /// STACK` (the same, but waits in vain as long as it is told, and answers with its time of
    /// day), `talker HUB STACK SEED` (one of several senders: sends such messages to port `in` of
    /// rank 0 until it is told to end), `callee`, `caller`, `holder HUB STACK` ([Calls]).
    public static void main(String[] arguments) throws IOException {
        int port = Integer.parseInt(arguments[1]);
        if (arguments[0].equals("hub")) {
            System.out.println("ready " + Hub.start(Hub.Options.DEFAULT.port(port)).port());
        } else {
            var join = Join.pool("demo").hub("localhost:" + port).limit(Duration.ofSeconds(30));
            var node = Node.join(join);
            var type = PortType.oneToOne().stack(arguments[2]);
            Thread.ofPlatform()
                    .daemon()
                    .uncaughtExceptionHandler(
                            (_, failure) -> System.out.println("failed " + failure))
                    .start(() -> play(node, type, arguments));
        }
        while (System.in.read() >= 0) { // ends when its parent does
            ending = true;
            WORDS.incrementAndGet();
        }
        Runtime.getRuntime().halt(0);
    }

    /// Whether this process was told something since it has last asked.
    static boolean wasTold() {
        return WORDS.getAndUpdate(count -> Math.max(0, count - 1)) > 0;
    }

    private static void play(Node node, PortType type, String[] arguments) {
        switch (arguments[0]) {
            case "sender" -> sendForEver(node, type);
            case "claimer" -> claim(node, type);
            case "idler" -> {
                ReceivePort.open(node, type, "in");
                System.out.println("ready " + node.id());
            }
            case "talker" ->
                    talk(
                            node,
                            PortType.manyToOne().stack(arguments[2]),
                            Long.parseLong(arguments[3]));
            case "listener" -> listen(node, PortType.oneToMany().stack(arguments[2]));
            case "echo" -> echo(node, type);
            case "clocked" -> tellTime(node, type);
            case "callee" -> Calls.serve(node, arguments[2]);
            case "caller" -> Calls.call(node, arguments[2]);
            case "holder" -> Calls.hold(node, arguments[2]);
            case "follower" -> follow(node, PortType.oneToMany().stack(arguments[2]));
            default -> read(node, type, Integer.parseInt(arguments[3]));
        }
    }

    private static void sendForEver(Node node, PortType type) {
        var out = SendPort.open(node, type, "out");
        out.connect(node.member(0).orElseThrow().id(), "in");
        System.out.println("ready " + node.id());
        for (int i = 0; ; i++) {
            try (var message = out.newMessage()) {
                write(message, i, BYTES);
            }
        }
    }

    /// Sends one message, and fills in another that it never finishes.
    private static void claim(Node node, PortType type) {
        var out = SendPort.open(node, type, "out");
        out.connect(node.member(0).orElseThrow().id(), "in");
        try (var message = out.newMessage()) {
            write(message, 0, SMALL);
        }
        out.newMessage().writeInt(1).writeArray(new byte[100]);
        System.out.println("ready " + node.id());
    }

    private static void read(Node node, PortType type, int count) {
        var in = ReceivePort.open(node, type, "in");
        System.out.println("ready " + node.id());
        for (int i = 0; i < count; i++) {
            try (var message = in.receive()) {
                verify(message, i, SMALL);
            }
        }
        System.out.println("read " + count);
    }

    private static void echo(Node node, PortType type) {
        var in = ReceivePort.open(node, type, "in");
        var out = SendPort.open(node, type, "out");
        out.connect(node.member(0).orElseThrow().id(), "in");
        System.out.println("way " + out.way(new Target(node.member(0).orElseThrow().id(), "in")));
        System.out.println("ready " + node.id());
        for (int i = 0; ; i++) {
            try (var message = in.receive()) {
                verify(message, i, SMALL);
            }
            try (var message = out.newMessage()) {
                write(message, i, SMALL);
            }
        }
    }

    private static void tellTime(Node node, PortType type) {
        var in = ReceivePort.open(node, type, "in");
        var out = SendPort.open(node, type, "out");
        out.connect(node.member(0).orElseThrow().id(), "in");
        in.waiting(WaitPolicy.SPIN_ONLY); // looks at the clock all the time
        System.out.println("ready " + node.id());
        while (true) {
            Duration limit;
            try (var message = in.receive()) {
                limit = Duration.ofMillis(message.readLong());
            }
            if (!limit.isZero() && in.receive(limit) != null) {
                throw new AssertionError("nobody has sent this");
            }
            try (var message = out.newMessage()) {
                message.writeLong(System.currentTimeMillis()).finish();
            }
        }
    }

    private static void listen(Node node, PortType type) {
        var in = ReceivePort.open(node, type, "in");
        System.out.println("ready " + node.id());
        int bytes = 1;
        int count = 0;
        while (bytes > 0) {
            try (var message = in.receive()) {
                bytes = message.readInt();
                verify(message, count++, bytes);
            }
        }
        System.out.println("read " + count);
    }

    private static void follow(Node node, PortType type) {
        var in = ReceivePort.open(node, type, "in");
        System.out.println("ready " + node.id());
        int first = -1;
        int last = -1;
        while (true) {
            try (var message = in.receive(SHORT)) {
                if (message != null) {
                    int bytes = message.readInt();
                    int number = last < 0 ? message.readInt() : last + 1;
                    first = last < 0 ? number : first;
                    verify(message, number, bytes, last < 0);
                    last = number;
                    continue;
                }
            }
            if (last >= 0 && in.connections().isEmpty()) {
                System.out.println("read " + first + " to " + last);
                last = -1;
            }
        }
    }

    private static void talk(Node node, PortType type, long seed) {
        var random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        var out = SendPort.open(node, type, "out");
        out.connect(node.member(0).orElseThrow().id(), "in");
        System.out.println("ready " + node.id());
        int count = 0;
        for (boolean last = false; !last; count++) {
            last = ending;
            int bytes = last ? 0 : 1 + random.nextInt(1 + random.nextInt(LARGEST));
            try (var message = out.newMessage()) {
                message.writeInt(bytes);
                write(message, count, bytes);
            }
        }
        System.out.println("sent " + count);
    }

    static void write(WriteMessage message, int number, int bytes) {
        var data = new byte[bytes];
        Arrays.fill(data, (byte) number);
        message.writeInt(number).writeArray(data).finish();
    }

    /// Reads a message, which must be whole and the one with this number.
    static void verify(ReadMessage message, int number, int bytes) {
        verify(message, number, bytes, false);
    }

    private static void verify(ReadMessage message, int number, int bytes, boolean known) {
        int got = known ? number : message.readInt();
        var data = new byte[bytes];
        message.readArray(data);
        for (byte b : data) {
            if (got != number || b != (byte) number) {
                throw new AssertionError("message " + number + " is torn: " + got + ", " + b);
            }
        }
    }
}
