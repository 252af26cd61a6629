package org.ibidem.lab.bench.wan;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.ibidem.port.PortType;
import org.ibidem.port.SendPort;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.ibidem.topology.NodeId;

/// The near end: sends for so many seconds. Arguments: the hub, what to send. Commands: `port ID
/// NAME SECONDS STACK`, `socket ADDRESS PORT SECONDS`.
final class Near {
    /// Bytes of a message.
    static final int MESSAGE = 64 << 10;

    private static final Duration LIMIT = Duration.ofSeconds(30);

    private Near() {}

    /// Runs until its input ends.
    public static void main(String[] arguments) throws IOException {
        var data = Material.valueOf(arguments[1]).make();
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (var node = Node.join(Join.pool(Far.POOL).hub(arguments[0]).open(true))) {
            System.out.println("joined");
            for (var line = in.readLine(); line != null; line = in.readLine()) {
                var words = line.split(" ", 5);
                if (words[0].equals("port")) {
                    send(node, data, words);
                } else {
                    send(data, words);
                }
            }
        }
        System.exit(0);
    }

    private static void send(Node node, List<byte[]> data, String... words) {
        var type = PortType.oneToOne().stack(words[4]);
        try (var port = SendPort.open(node, type, words[2])) {
            port.connect(NodeId.parse(words[1]), words[2], LIMIT);
            var decided = new Decided();
            for (var pieces = new Pieces(data, words[3]); pieces.next(); ) {
                try (var message = port.newMessage()) {
                    message.writeArray(pieces.copy()).finish();
                }
                decided.look(port);
            }
            System.out.println("decided " + decided.text());
            System.out.println("way " + port.way(port.connections().getFirst()));
        }
        System.out.println("closed");
    }

    private static void send(List<byte[]> data, String... words) throws IOException {
        try (var socket = new Socket(InetAddress.getByName(words[1]), Integer.parseInt(words[2]));
                var out = socket.getOutputStream()) {
            for (var pieces = new Pieces(data, words[3]); pieces.next(); ) {
                out.write(pieces.copy());
            }
        }
        System.out.println("decided");
        System.out.println("way plain");
    }

    /// Messages for so many seconds.
    private static final class Pieces {
        private final List<byte[]> data;
        private final long began = System.nanoTime();
        private final long nanos;
        private byte[] now;
        private int at;

        Pieces(List<byte[]> data, String seconds) {
            this.data = data;
            this.now = data.getFirst();
            this.nanos = Duration.ofSeconds(Long.parseLong(seconds)).toNanos();
        }

        /// Goes on to the next one.
        ///
        /// @return false: the time is over
        boolean next() {
            long since = System.nanoTime() - began;
            if (since >= nanos) {
                return false;
            }
            now = data.get((int) (since * data.size() / nanos));
            at = at + 2 * MESSAGE > now.length ? 0 : at + MESSAGE;
            return true;
        }

        byte[] copy() {
            return Arrays.copyOfRange(now, at, at + MESSAGE);
        }
    }

    /// What was decided when, as far as looking now and then shows it.
    private static final class Decided {
        private static final long EVERY = 50_000_000;

        private final Map<String, String> known = new HashMap<>();
        private final List<String> all = new ArrayList<>();
        private long looked = System.nanoTime() - EVERY;

        void look(SendPort port) {
            long now = System.nanoTime();
            if (now - looked < EVERY) {
                return;
            }
            looked = now;
            for (var each : port.way().decisions()) {
                var brief = each.replaceFirst(", as .*", "");
                var what = brief.replaceFirst(":.*", "");
                if (!brief.equals(known.put(what, brief))) {
                    all.add(now + " " + brief);
                }
            }
        }

        String text() {
            return String.join(Decision.BETWEEN, all);
        }
    }
}
