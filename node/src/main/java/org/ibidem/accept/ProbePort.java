package org.ibidem.accept;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.ibidem.config.NativeChannels;
import org.ibidem.connect.Prelude;
import org.ibidem.task.Tasks;

/// A port of this node that somebody outside is asked to connect to.
public final class ProbePort implements AutoCloseable {
    private final int port;
    private final UUID token;
    private final CompletableFuture<Boolean> came = new CompletableFuture<>();
    private final Tasks.Task task;
    private final Shut shut;

    /// Returns when the token was said.
    @FunctionalInterface
    private interface Watch {
        void await() throws IOException, InterruptedException;
    }

    @FunctionalInterface
    private interface Shut {
        void close() throws IOException;
    }

    private ProbePort(int port, UUID token, Watch watch, Shut shut, Tasks tasks) {
        this.port = port;
        this.token = token;
        this.shut = shut;
        this.task = tasks.start("await a probe", () -> run(watch));
    }

    private void run(Watch watch) {
        try {
            watch.await();
            came.complete(true);
        } catch (IOException _) {
            came.complete(false); // it was shut
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            came.complete(false);
        }
    }

    /// Where peers come in.
    public static ProbePort of(Listener listener, Tasks tasks) {
        var expected = listener.expect();
        var in = ByteBuffer.wrap(expected.greeting().token());
        return new ProbePort(
                listener.port(),
                new UUID(in.getLong(), in.getLong()),
                () -> expected.await().close(),
                expected::close,
                tasks);
    }

    /// A port that a NAT has just given to one of this machine, for a connection to an observer.
    ///
    /// @param observer a hub
    /// @throws IOException when he cannot be asked, or no port can be had
    public static ProbePort mapped(InetSocketAddress observer, Duration limit, Tasks tasks)
            throws IOException {
        var server = NativeChannels.provider().openServerSocketChannel();
        var socket = NativeChannels.provider().openSocketChannel();
        try {
            // Both on one port: on the way out of the one the other is to be reached.
            server.setOption(StandardSocketOptions.SO_REUSEPORT, true);
            server.bind(new InetSocketAddress(0));
            socket.setOption(StandardSocketOptions.SO_REUSEPORT, true);
            var mine = (InetSocketAddress) server.getLocalAddress();
            socket.bind(new InetSocketAddress(mine.getPort()));
            int port = Observation.ask(socket, observer, limit).seen().getPort();
            var token = UUID.randomUUID();
            Shut shut =
                    () -> {
                        server.close();
                        socket.close();
                    };
            return new ProbePort(port, token, () -> await(server, token), shut, tasks);
        } catch (IOException | RuntimeException e) {
            server.close();
            socket.close();
            throw e;
        }
    }

    private static void await(ServerSocketChannel server, UUID token) throws IOException {
        var wanted = new Prelude.Turn(bytes(token)).encode();
        while (true) {
            try (var caller = server.accept()) {
                // One connection after the other: whoever says nothing keeps the others out, and
                // the door is shut soon.
                var said = ByteBuffer.allocate(wanted.length);
                while (said.hasRemaining() && caller.read(said) >= 0) {
                    // the rest is on its way
                }
                if (Arrays.equals(said.array(), wanted)) {
                    return;
                }
            }
        }
    }

    /// The bytes of a token.
    public static byte[] bytes(UUID token) {
        return ByteBuffer.allocate(Prelude.TOKEN_BYTES)
                .putLong(token.getMostSignificantBits())
                .putLong(token.getLeastSignificantBits())
                .array();
    }

    /// As it is seen from outside.
    public int port() {
        return port;
    }

    /// What is to be said there.
    public UUID token() {
        return token;
    }

    /// Whether that was said here; waits for a while.
    public boolean opened(Duration limit) {
        try {
            return came.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException | ExecutionException _) {
            return false;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /// Nobody is let in any more.
    @Override
    public void close() {
        task.stop();
        try {
            shut.close();
        } catch (IOException _) {
            // it is given up in any case
        }
    }
}
