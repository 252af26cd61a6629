package org.ibidem.personality.aio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;
import java.nio.channels.spi.AsynchronousChannelProvider;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/// Two channels that are connected, and their listener.
final class Ends implements AutoCloseable {
    static final int BULK = 2_000_000;
    static final int MOST = 256 << 20;

    final AsynchronousServerSocketChannel listener;
    final AsynchronousSocketChannel client;
    final AsynchronousSocketChannel server;

    Ends(AsynchronousContractTest.Kind kind) throws Exception {
        listener = listening(kind.server());
        var accepting = listener.accept();
        client = kind.client().openAsynchronousSocketChannel(null);
        assertThat(in(client.connect(kind.to(port(listener))))).isNull();
        server = in(accepting);
    }

    @Override
    public void close() throws IOException {
        client.close();
        server.close();
        listener.close();
    }

    static AsynchronousServerSocketChannel listening(AsynchronousChannelProvider provider)
            throws IOException {
        return provider.openAsynchronousServerSocketChannel(null)
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    static int port(AsynchronousServerSocketChannel listener) throws IOException {
        return ((InetSocketAddress) listener.getLocalAddress()).getPort();
    }

    static <T> T in(Future<T> future) throws Exception {
        return future.get(60, TimeUnit.SECONDS);
    }

    static void failsWith(Class<? extends Throwable> what, ThrowingCallable use) {
        assertThatThrownBy(use).isInstanceOf(ExecutionException.class).cause().isInstanceOf(what);
    }

    /// A handler that can be waited for; the attachment is checked.
    static final class Told<V> extends CompletableFuture<V>
            implements CompletionHandler<V, Object> {
        @Override
        public void completed(V result, Object attachment) {
            assertThat(attachment).isSameAs(this);
            complete(result);
        }

        @Override
        public void failed(Throwable why, Object attachment) {
            assertThat(attachment).isSameAs(this);
            completeExceptionally(why);
        }
    }

    static ByteBuffer bytes(int... values) {
        var buffer = ByteBuffer.allocate(values.length);
        for (int value : values) {
            buffer.put((byte) value);
        }
        return buffer.flip();
    }

    /// Writes until one is pending, since nobody reads.
    static Future<Integer> fill(AsynchronousSocketChannel client) throws Exception {
        var much = ByteBuffer.allocate(1 << 20);
        for (int written = 0; written < MOST; ) {
            var writing = client.write(much.clear());
            try {
                written += writing.get(200, TimeUnit.MILLISECONDS);
            } catch (TimeoutException _) {
                return writing;
            }
        }
        throw new AssertionError("nobody reads, and " + MOST + " bytes were taken");
    }

    /// One direction of much: each handler begins the next operation.
    static final class Bulk implements CompletionHandler<Integer, Void> {
        final CompletableFuture<Integer> over = new CompletableFuture<>();
        private final AsynchronousSocketChannel channel;
        private final boolean reads;
        private final ByteBuffer buffer = ByteBuffer.allocateDirect(30_000);
        private int at;

        Bulk(AsynchronousSocketChannel channel, boolean reads) {
            this.channel = channel;
            this.reads = reads;
        }

        void next() {
            if (at == BULK) {
                over.complete(at);
                return;
            }
            buffer.clear().limit(Math.min(buffer.capacity(), BULK - at));
            if (reads) {
                channel.read(buffer, null, this);
            } else {
                for (int i = 0; i < buffer.limit(); i++) {
                    buffer.put(i, (byte) (at + i));
                }
                channel.write(buffer, null, this);
            }
        }

        @Override
        public void completed(Integer count, Void nothing) {
            for (int i = 0; reads && i < count; i++) {
                if (buffer.get(i) != (byte) (at + i)) {
                    over.completeExceptionally(new AssertionError("byte " + (at + i)));
                    return;
                }
            }
            at += count;
            next();
        }

        @Override
        public void failed(Throwable why, Void nothing) {
            over.completeExceptionally(why);
        }
    }
}
