package org.ibidem.lab.programs;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/// A word there and back, by a channel and by a socket: `WordEcho server PORT`, `WordEcho client
/// PORT HOST …`. Of each host the client says what its channel is, or why there is none.
public final class WordEcho {
    private static final byte[] WORD = "a word that may be read".getBytes(StandardCharsets.UTF_8);

    private WordEcho() {}

    /// Serves, or asks.
    ///
    /// @param args `server`, port; or `client`, port, hosts
    public static void main(String[] args) throws IOException {
        int port = Integer.parseInt(args[1]);
        if (args[0].equals("server")) {
            serve(port);
            return;
        }
        for (int i = 2; i < args.length; i++) {
            try {
                var channel = byChannel(args[i], port);
                bySocket(args[i], port);
                System.out.println(args[i] + " answers: " + channel);
            } catch (SocketException e) {
                System.out.println(args[i] + " does not: " + e + ", " + e.getCause());
            }
        }
    }

    private static void serve(int port) throws IOException {
        try (var server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(port));
            System.out.println("listening on " + server.socket().getLocalPort());
            while (server.isOpen()) {
                try (var client = server.accept()) {
                    echo(client);
                }
            }
        }
    }

    private static void echo(SocketChannel client) throws IOException {
        var some = ByteBuffer.allocate(WORD.length);
        while (client.read(some.clear()) >= 0) {
            some.flip();
            while (some.hasRemaining()) {
                client.write(some);
            }
        }
    }

    private static String byChannel(String host, int port) throws IOException {
        try (var channel = SocketChannel.open(new InetSocketAddress(host, port))) {
            channel.write(ByteBuffer.wrap(WORD));
            channel.shutdownOutput();
            same(channel.socket().getInputStream().readAllBytes());
            return channel.toString();
        }
    }

    private static void bySocket(String host, int port) throws IOException {
        try (var socket = new Socket(host, port)) {
            socket.getOutputStream().write(WORD);
            socket.shutdownOutput();
            same(socket.getInputStream().readAllBytes());
        }
    }

    private static void same(byte[] got) {
        Exchanges.same(
                new String(got, StandardCharsets.UTF_8), new String(WORD, StandardCharsets.UTF_8));
    }
}
