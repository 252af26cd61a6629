package org.ibidem.lab.bench.wan;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import org.ibidem.IbidemException;
import org.ibidem.port.PortType;
import org.ibidem.port.ReceivePort;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;

/// The far end: takes what comes, and says how much of it came when. Arguments: the hub, the port
/// of a plain socket. Commands: `port NAME STACK`, `socket`, `count`.
final class Far {
    static final String POOL = "wan";

    private static volatile Count count = new Count();

    private Far() {}

    /// Runs until its input ends.
    public static void main(String[] arguments) throws IOException {
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (var listening = new ServerSocket(Integer.parseInt(arguments[1]));
                var node = Node.join(Join.pool(POOL).hub(arguments[0]).open(true))) {
            System.out.println("id " + node.id());
            for (var line = in.readLine(); line != null; line = in.readLine()) {
                var words = line.split(" ", 3);
                switch (words[0]) {
                    case "port" -> port(node, words[1], words[2]);
                    case "socket" -> {
                        count = new Count();
                        Thread.startVirtualThread(() -> take(listening));
                        System.out.println("ready");
                    }
                    default -> System.out.println("count " + count.text());
                }
            }
        }
        System.exit(0);
    }

    private static void port(Node node, String name, String stack) {
        var mine = new Count();
        count = mine;
        var port = ReceivePort.open(node, PortType.oneToOne().stack(stack), name);
        Thread.ofPlatform().daemon().start(() -> take(port, mine));
        System.out.println("ready");
    }

    private static void take(ReceivePort port, Count mine) {
        var bytes = new byte[Near.MESSAGE];
        try (port) {
            while (true) {
                try (var message = port.receive()) {
                    message.readArray(bytes);
                }
                mine.add(bytes.length);
            }
        } catch (IbidemException e) {
            System.out.println("over " + e.getMessage());
        }
    }

    private static void take(ServerSocket listening) {
        var mine = count;
        var bytes = new byte[64 << 10];
        try (var socket = listening.accept();
                var in = socket.getInputStream()) {
            for (int got = in.read(bytes); got > 0; got = in.read(bytes)) {
                mine.add(got);
            }
        } catch (IOException e) {
            System.out.println("over " + e.getMessage());
        }
    }
}
