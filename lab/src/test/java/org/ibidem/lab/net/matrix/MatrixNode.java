package org.ibidem.lab.net.matrix;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.ibidem.IbidemException;
import org.ibidem.arbitration.Threads;
import org.ibidem.hub.Hub;
import org.ibidem.peer.Deliberation;
import org.ibidem.peer.Purpose;
import org.ibidem.port.PortType;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.SendPort;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.ibidem.registry.operation.Diagnosis;
import org.ibidem.topology.NodeId;

/// A hub, or a node that connects to others when it is told to.
///
/// ```
/// says                                  is told
/// ready (a hub)
/// id ID (a node)                        N connect ID
/// N bootstrap METHOD MILLIS REASONS
/// N data METHOD MILLIS REASONS | N failed WHY (also: over something else than `lab.stack`)
/// heard N (at the other node)
/// ```
public final class MatrixNode {
    private static final Duration LIMIT = Duration.ofSeconds(40);

    private final Node node;
    private final String stack = System.getProperty("lab.stack", "tcp");
    private final PortType type = PortType.manyToOne().stack(stack);
    private final Threads threads = new Threads("matrix");

    private MatrixNode(Node node) {
        this.node = node;
    }

    /// Arguments: `hub PORT`, or `HUB POOL`.
    public static void main(String[] args) throws Exception {
        if (args[0].equals("hub")) {
            var port = Integer.parseInt(args[1]);
            try (var hub = Hub.start(Hub.Options.DEFAULT.port(port).open(true))) {
                say("ready " + hub.port());
                System.in.transferTo(OutputStream.nullOutputStream());
            }
            return;
        }
        var join = Join.pool(args[1]).hub(args[0]).open(true).limit(LIMIT);
        try (var node = Node.join(join)) {
            new MatrixNode(node).run();
        }
        System.exit(0);
    }

    private static void say(String line) {
        synchronized (System.out) {
            System.out.println(line.replace('\n', ' '));
        }
    }

    private void run() throws IOException {
        try (var port = ReceivePort.open(node, type, "in")) {
            threads.start("listen", () -> listen(port));
            say("id " + node.id());
            var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (var line = in.readLine(); line != null; line = in.readLine()) {
                var words = line.split(" ", -1);
                threads.start("task", () -> connect(words[0], NodeId.parse(words[2])));
            }
        }
    }

    private static void listen(ReceivePort port) {
        while (true) {
            try (var message = port.receive()) {
                say("heard " + message.readString());
            }
        }
    }

    private void connect(String number, NodeId peer) {
        try {
            long begin = System.nanoTime();
            Diagnosis.of(node).ping(peer, LIMIT);
            told(number, "bootstrap", peer, Purpose.SERVICE, begin);
            begin = System.nanoTime();
            try (var out = SendPort.open(node, type, "to " + number)) {
                out.connect(peer, "in", LIMIT);
                try (var message = out.newMessage()) {
                    message.writeString(number);
                    message.finish();
                }
                var way = String.valueOf(out.way(out.connections().getFirst()));
                if (way.startsWith(stack + " by ")) {
                    told(number, "data", peer, Purpose.DATA, begin);
                } else {
                    say(number + " failed it goes " + way);
                }
            }
        } catch (IbidemException e) {
            say(number + " failed " + e.getMessage());
        }
    }

    private void told(String number, String what, NodeId peer, Purpose purpose, long begin) {
        long millis = (System.nanoTime() - begin) / 1_000_000;
        var how = Diagnosis.of(node).deliberation(peer, purpose);
        say(
                number
                        + " "
                        + what
                        + " "
                        + how.map(Deliberation::method).orElse("accepted")
                        + " "
                        + millis
                        + " "
                        + how.map(Deliberation::reasons).orElse(""));
    }
}
