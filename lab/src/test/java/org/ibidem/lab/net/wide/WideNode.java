package org.ibidem.lab.net.wide;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.ibidem.IbidemException;
import org.ibidem.arbitration.Threads;
import org.ibidem.hub.Hub;
import org.ibidem.peer.Deliberation;
import org.ibidem.peer.Deliberation.Tried;
import org.ibidem.peer.Purpose;
import org.ibidem.port.PortType;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.SendPort;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.ibidem.registry.PoolEvent;
import org.ibidem.registry.operation.Diagnosis;
import org.ibidem.topology.NodeId;

/// A hub, or a node that connects to others, sends and receives when it is told to.
///
/// ```
/// is told                says
///                        ready PORT (a hub) | id ID (a node)
/// N ping ID              N pinged METHOD
/// N try ID               N tried METHOD... (those that connect, of those allowed)
/// N offer STACK          N offered STACK (there is a port of such a type)
/// N open ID [STACK]      N opened METHOD
/// N way                  N goes STACK (what its link is made of)
/// N write COUNT BYTES    N wrote COUNT
/// N elect NAME           N elected ID
///                        got N I (the other node, for each message, I counted from 0)
///                        N failed WHY (of whatever was asked)
///                        dead ID WHY, suspected ID WHY (a member)
///                        gone WHY (a connection to it was lost)
/// memory                 memory BYTES (of heap, after a collection)
/// ```
///
/// A STACK behind `secret` is that of a port whose messages are.
///
/// What is in a message follows from whose it is and from its number, so that it is checked.
public final class WideNode {
    private static final Duration LIMIT = Duration.ofSeconds(40);
    private static final String SECRET = "secret ";

    private final Node node;
    private final PortType type = type(System.getProperty("lab.stack", "tcp"));
    private final Threads threads = new Threads("wide");
    private final Map<String, SendPort> ports = new ConcurrentHashMap<>();
    private final Map<String, Integer> written = new ConcurrentHashMap<>();

    private WideNode(Node node) {
        this.node = node;
    }

    /// Arguments: `hub PORT`, or `HUB POOL`.
    public static void main(String[] args) throws Exception {
        if (args[0].equals("hub")) {
            try (var hub =
                    Hub.start(Hub.Options.DEFAULT.port(Integer.parseInt(args[1])).open(true))) {
                say("ready " + hub.port());
                listenToMaster(_ -> {});
            }
            return;
        }
        var join = Join.pool(args[1]).hub(args[0]).open(true).limit(LIMIT);
        var known = Join.fromEnvironment().identity();
        join = known == null ? join : join.identity(known);
        try (var node = Node.join(join)) {
            new WideNode(node).run();
        }
        System.exit(0);
    }

    private static void say(String line) {
        synchronized (System.out) {
            System.out.println(line.replace('\n', ' '));
        }
    }

    private interface Order {
        void obey(String[] words);
    }

    private static void listenToMaster(Order order) throws IOException {
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (var line = in.readLine(); line != null; line = in.readLine()) {
            if (line.equals("memory")) {
                say("memory " + memory());
            } else {
                order.obey(line.split(" ", -1));
            }
        }
    }

    private static long memory() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private static PortType type(String stack) {
        var type = PortType.manyToOne();
        return stack.startsWith(SECRET)
                ? type.stack(stack.substring(SECRET.length())).secret()
                : type.stack(stack);
    }

    private void run() throws IOException, InterruptedException {
        node.events(event -> {
            if (event instanceof PoolEvent.HubBack) {
                say("hub back");
            } else if (event instanceof PoolEvent.Died(var member, var why)) {
                say("dead " + member.id() + " " + why);
            } else if (event instanceof PoolEvent.Suspected(var member, var why)) {
                say("suspected " + member.id() + " " + why);
            }
        });
        try (var port = ReceivePort.open(node, type, "in")) {
            threads.start("listen", () -> listen(port));
            node.egress(LIMIT); // it is asked for once, and not in the middle of a test
            say("id " + node.id());
            listenToMaster(words -> threads.start("order", () -> obey(words)));
        }
    }

    private static void listen(ReceivePort port) {
        while (true) {
            try (var message = port.receive()) {
                var number = message.readString();
                int i = message.readInt();
                var bytes = new byte[message.readInt()];
                message.readArray(bytes);
                boolean whole = Arrays.equals(bytes, noise(number, i, bytes.length));
                say((whole ? "got " : "got garbage in ") + number + " " + i);
            } catch (IbidemException e) {
                say("gone " + e.getMessage());
            }
        }
    }

    private void obey(String[] words) {
        var number = words[0];
        try {
            switch (words[1]) {
                case "ping" -> {
                    var peer = NodeId.parse(words[2]);
                    Diagnosis.of(node).ping(peer, LIMIT);
                    say(number + " pinged " + method(peer, Purpose.SERVICE));
                }
                case "try" -> {
                    var peer = NodeId.parse(words[2]);
                    var tried = Diagnosis.of(node).explain(peer, Duration.ofSeconds(6)).tried();
                    say(
                            number
                                    + " tried "
                                    + tried.stream()
                                            .filter(Tried::connected)
                                            .map(Tried::method)
                                            .collect(Collectors.joining(" ")));
                }
                case "elect" ->
                        say(number + " elected " + node.elections().elect(words[2]).winner().id());
                case "offer" -> offer(number, rest(words, 2));
                case "open" -> open(number, NodeId.parse(words[2]), rest(words, 3));
                case "way" -> {
                    var out = ports.get(number);
                    say(number + " goes " + out.way(out.connections().getFirst()));
                }
                default -> write(number, Integer.parseInt(words[2]), Integer.parseInt(words[3]));
            }
        } catch (IbidemException e) {
            say(number + " failed " + e.getMessage());
        }
    }

    private static String rest(String[] words, int from) {
        return String.join(" ", List.of(words).subList(from, words.length));
    }

    private void offer(String number, String stack) {
        var port = ReceivePort.open(node, type(stack), "in " + stack);
        threads.start("listen", () -> listen(port));
        say(number + " offered " + stack);
    }

    private void open(String number, NodeId peer, String stack) {
        var own = stack.isEmpty() ? type : type(stack);
        var out = SendPort.open(node, own, "to " + number);
        out.connect(peer, stack.isEmpty() ? "in" : "in " + stack, LIMIT);
        ports.put(number, out);
        boolean shared = own.stack().contains("multiplex");
        say(number + " opened " + method(peer, shared ? Purpose.SHARED : Purpose.DATA));
    }

    private String method(NodeId peer, Purpose purpose) {
        return Diagnosis.of(node)
                .deliberation(peer, purpose)
                .map(Deliberation::method)
                .orElse("accepted");
    }

    private void write(String number, int count, int bytes) {
        var out = ports.get(number);
        int from = written.merge(number, count, Integer::sum) - count;
        for (int i = from; i < from + count; i++) {
            var data = noise(number, i, bytes);
            try (var message = out.newMessage()) {
                message.writeString(number).writeInt(i).writeInt(bytes).writeArray(data).finish();
            }
        }
        say(number + " wrote " + count);
    }

    private static byte[] noise(String number, int i, int bytes) {
        var noise = new byte[bytes];
        new Random(31L * number.hashCode() + i).nextBytes(noise);
        return noise;
    }
}
