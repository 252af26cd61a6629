package org.ibidem.personality.sockets;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;
import java.util.concurrent.CompletableFuture;

/// An echo of the JDK's asynchronous channels, and of nothing else.
public final class PlainAsynchronous {
    private static final int ROUNDS = 200;
    private static final int SIZE = 10_000;

    private PlainAsynchronous() {}

    /// Either end.
    ///
    /// @param arguments `server`, or `client HOST PORT`
    public static void main(String[] arguments) throws Exception {
        if (arguments[0].equals("server")) {
            serve();
        } else {
            ask(arguments[1], arguments[2]);
        }
    }

    private static void serve() throws Exception {
        try (var listener = AsynchronousServerSocketChannel.open()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            var at = (InetSocketAddress) listener.getLocalAddress();
            System.out.println("listening on " + at.getPort());
            try (var client = listener.accept().get()) {
                var echo = new Echo(client);
                client.read(echo.buffer, true, echo);
                echo.over.get();
            }
        }
    }

    /// The attachment: it was a read.
    private static final class Echo implements CompletionHandler<Integer, Boolean> {
        final CompletableFuture<Void> over = new CompletableFuture<>();
        final ByteBuffer buffer = ByteBuffer.allocate(4096);
        private final AsynchronousSocketChannel client;

        Echo(AsynchronousSocketChannel client) {
            this.client = client;
        }

        @Override
        public void completed(Integer count, Boolean read) {
            if (count < 0) {
                over.complete(null);
            } else if (read) {
                client.write(buffer.flip(), false, this);
            } else if (buffer.hasRemaining()) {
                client.write(buffer, false, this);
            } else {
                client.read(buffer.clear(), true, this);
            }
        }

        @Override
        public void failed(Throwable why, Boolean read) {
            over.completeExceptionally(why);
        }
    }

    private static void ask(String host, String port) throws Exception {
        try (var server = AsynchronousSocketChannel.open()) {
            server.connect(new InetSocketAddress(host, Integer.parseInt(port))).get();
            for (int i = 0; i < ROUNDS; i++) {
                var body = ByteBuffer.allocate(SIZE + i).put(i, (byte) i);
                body.clear();
                var answer = ByteBuffer.allocate(SIZE + i);
                while (body.hasRemaining()) {
                    server.write(body).get();
                }
                while (answer.hasRemaining()) {
                    if (server.read(answer).get() < 0) {
                        throw new IllegalStateException("answer " + i + " is too short");
                    }
                }
                if (!answer.flip().equals(body.flip())) {
                    throw new IllegalStateException("answer " + i + " is another");
                }
            }
        }
        System.out.println(ROUNDS + " times");
    }
}
