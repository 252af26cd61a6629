package org.ibidem.personality.sockets;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;

/// A program of sockets, and of nothing else: an echo server that also speaks a little HTTP, and
/// its clients.
public final class PlainEcho {
    private static final int SIZE = 1_000_000;
    private static final int ROUNDS = 200;

    private PlainEcho() {}

    /// Either the server, or a client of the server there.
    ///
    /// @param arguments `server PORT CLIENTS`, `echo HOST PORT` or `http HOST PORT`
    public static void main(String[] arguments) throws IOException {
        switch (arguments[0]) {
            case "server" -> serve(Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]));
            case "echo" -> echo(arguments[1], Integer.parseInt(arguments[2]));
            case "http" -> http(arguments[1], Integer.parseInt(arguments[2]));
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    private static void serve(int port, int clients) throws IOException {
        try (var listener = new ServerSocket(port)) {
            System.out.println("listening on " + listener.getLocalPort());
            for (int i = 0; i < clients; i++) {
                try (var socket = listener.accept()) {
                    serve(socket);
                }
            }
        }
        System.out.println("served " + clients);
    }

    private static void serve(Socket socket) throws IOException {
        var in = socket.getInputStream();
        var out = socket.getOutputStream();
        int first = in.read();
        if (first == 'G') {
            var reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.US_ASCII));
            var path = reader.readLine().split(" ", -1)[1];
            while (!reader.readLine().isEmpty()) {}
            var body = "you asked for " + path;
            out.write(
                    ("HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body)
                            .getBytes(StandardCharsets.US_ASCII));
            return;
        }
        out.write(first);
        var buffer = new byte[10_000];
        for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
            out.write(buffer, 0, count);
        }
        socket.shutdownOutput();
    }

    private static void echo(String host, int port) throws IOException {
        var bytes = new byte[SIZE];
        new Random(1).nextBytes(bytes);
        try (var socket = new Socket(host, port)) {
            var in = socket.getInputStream();
            var out = socket.getOutputStream();
            for (int i = 0; i < ROUNDS; i++) {
                out.write(i);
                require(in.read() == (i & 0xFF), "a byte came back as another");
            }
            var reading = new Thread(() -> write(socket, bytes));
            reading.start();
            require(Arrays.equals(in.readNBytes(SIZE), bytes), "bytes came back as others");
            require(in.read() == -1, "there were more");
        }
        System.out.println("echoed");
    }

    private static void write(Socket socket, byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
            socket.shutdownOutput();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void http(String host, int port) throws IOException {
        var connection =
                URI.create("http://" + host + ":" + port + "/here").toURL().openConnection();
        try (InputStream in = connection.getInputStream()) {
            System.out.println(new String(in.readAllBytes(), StandardCharsets.US_ASCII));
        }
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalStateException(otherwise);
        }
    }
}
