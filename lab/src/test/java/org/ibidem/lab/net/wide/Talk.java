package org.ibidem.lab.net.wide;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.Random;

/// Talk serve PORT: says who connects, and sends back what comes. Talk HOST PORT: sends a megabyte
/// and looks at what comes back.
final class Talk {
    private static final int BYTES = 1 << 20;

    private Talk() {}

    public static void main(String[] arguments) throws Exception {
        if (arguments[0].equals("serve")) {
            serve(Integer.parseInt(arguments[1]));
        } else {
            call(arguments[0], Integer.parseInt(arguments[1]));
        }
    }

    private static void serve(int port) throws IOException {
        try (var server = new ServerSocket(port)) {
            System.out.println("ready");
            while (true) {
                try (var socket = server.accept()) {
                    System.out.println("from " + socket.getInetAddress().getHostAddress());
                    socket.getInputStream().transferTo(socket.getOutputStream());
                }
            }
        }
    }

    private static void call(String host, int port) throws Exception {
        var bytes = new byte[BYTES];
        new Random(5).nextBytes(bytes);
        var back = new byte[BYTES];
        try (var socket = new Socket(host, port)) {
            var writer =
                    Thread.ofVirtual()
                            .start(() -> {
                                try {
                                    socket.getOutputStream().write(bytes);
                                    socket.shutdownOutput();
                                } catch (IOException e) {
                                    System.out.println(e);
                                }
                            });
            var in = new DataInputStream(socket.getInputStream());
            in.readFully(back);
            writer.join();
            var end = in.read() == -1 ? "the end" : "more";
            System.out.println((Arrays.equals(bytes, back) ? "right, " : "wrong, ") + end);
        }
    }
}
