package org.ibidem.lab.bench.wan;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
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

    private static void send(Node node, byte[] data, String... words) {
        var type = PortType.oneToOne().stack(words[4]);
        try (var port = SendPort.open(node, type, words[2])) {
            port.connect(NodeId.parse(words[1]), words[2], LIMIT);
            long end = end(words[3]);
            for (int at = 0; System.nanoTime() - end < 0; at = next(data, at)) {
                try (var message = port.newMessage()) {
                    message.writeArray(Arrays.copyOfRange(data, at, at + MESSAGE)).finish();
                }
            }
            System.out.println("way " + port.way(port.connections().getFirst()));
        }
        System.out.println("closed");
    }

    private static void send(byte[] data, String... words) throws IOException {
        try (var socket = new Socket(InetAddress.getByName(words[1]), Integer.parseInt(words[2]));
                var out = socket.getOutputStream()) {
            long end = end(words[3]);
            for (int at = 0; System.nanoTime() - end < 0; at = next(data, at)) {
                out.write(data, at, MESSAGE);
            }
        }
        System.out.println("way plain");
    }

    private static long end(String seconds) {
        return System.nanoTime() + Duration.ofSeconds(Long.parseLong(seconds)).toNanos();
    }

    private static int next(byte[] data, int at) {
        return at + 2 * MESSAGE > data.length ? 0 : at + MESSAGE;
    }
}
