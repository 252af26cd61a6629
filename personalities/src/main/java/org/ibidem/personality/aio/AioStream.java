package org.ibidem.personality.aio;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ReadPendingException;
import java.nio.channels.WritePendingException;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.ibidem.personality.aio.Direction.Moving;
import org.ibidem.personality.vio.VioSocket;
import org.ibidem.vlink.VLink;
import org.jspecify.annotations.Nullable;

/// What is read from and written to a channel that has become a VLink.
final class AioStream {
    private final VioSocket vio;
    private final Direction reading;
    private final Direction writing;
    private volatile boolean inputOver;
    private volatile boolean outputOver;
    private volatile boolean closed;

    /// How long an operation may take; 0 or less: for ever.
    record Limit(long time, TimeUnit unit) {
        static final Limit NONE = new Limit(0, TimeUnit.NANOSECONDS);
    }

    /// @param closing closes the channel
    AioStream(VioSocket vio, Runnable closing) {
        this.vio = vio;
        this.reading =
                new Direction(
                        vio.link()::whenReadable, "Reading", ReadPendingException::new, closing);
        this.writing =
                new Direction(
                        vio.link()::whenWritable, "Writing", WritePendingException::new, closing);
    }

    VLink link() {
        return vio.link();
    }

    private <V> Operation<V> begin(
            Direction direction, Operation<V> operation, Moving<V> moving, Limit limit) {
        if (closed) {
            operation.fail(new ClosedChannelException());
        } else {
            direction.start(operation, moving, limit.time, limit.unit);
        }
        return operation;
    }

    Operation<Integer> read(Operation<Integer> operation, ByteBuffer into, Limit limit) {
        requireWritable(into);
        return begin(reading, operation, () -> readNow(into), limit);
    }

    Operation<Integer> write(Operation<Integer> operation, ByteBuffer from, Limit limit) {
        var one = new ByteBuffer[] {from};
        return begin(
                writing,
                operation,
                () -> {
                    var done = writeNow(one);
                    return done == null ? null : Integer.valueOf(done.intValue());
                },
                limit);
    }

    Operation<Long> scatter(Operation<Long> operation, ByteBuffer[] into, Limit limit) {
        for (var one : into) {
            requireWritable(one);
        }
        return begin(
                reading, operation, () -> inputOver ? Long.valueOf(-1) : scattered(into), limit);
    }

    Operation<Long> gather(Operation<Long> operation, ByteBuffer[] from, Limit limit) {
        return begin(writing, operation, () -> writeNow(from), limit);
    }

    /// Those of them that count.
    static ByteBuffer[] some(ByteBuffer[] all, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, all.length);
        return Arrays.copyOfRange(all, offset, offset + length);
    }

    private static void requireWritable(ByteBuffer into) {
        if (into.isReadOnly()) {
            throw new IllegalArgumentException("Read-only buffer");
        }
    }

    /// @return null: nothing now
    private @Nullable Integer readNow(ByteBuffer into) throws IOException {
        if (inputOver) {
            return -1;
        }
        return moved(into, into.hasRemaining() ? vio.readNow(into) : 0);
    }

    private @Nullable Long writeNow(ByteBuffer[] from) throws IOException {
        if (outputOver) {
            throw new ClosedChannelException();
        }
        boolean any = VioSocket.isLeft(from, 0, from.length);
        long done = any ? vio.writeNow(from, 0, from.length) : 0;
        return any ? noneOr(done) : Long.valueOf(0);
    }

    private static @Nullable Integer moved(ByteBuffer buffer, int bytes) {
        return bytes == 0 && buffer.hasRemaining() ? null : Integer.valueOf(bytes);
    }

    /// As much as comes now; what went wrong after something went is for the next operation.
    private @Nullable Long scattered(ByteBuffer[] all) throws IOException {
        long sum = 0;
        for (var buffer : all) {
            while (buffer.hasRemaining()) {
                Integer done;
                try {
                    done = readNow(buffer);
                } catch (IOException e) {
                    if (sum > 0) {
                        return sum;
                    }
                    throw e;
                }
                if (done == null || done < 0) {
                    return sum > 0 || done == null ? noneOr(sum) : Long.valueOf(done);
                }
                sum += done;
            }
        }
        return sum;
    }

    private static @Nullable Long noneOr(long sum) {
        return sum > 0 ? Long.valueOf(sum) : null;
    }

    void shutdownInput() throws ClosedChannelException {
        requireOpen();
        inputOver = true;
        vio.shutdownInput();
    }

    void shutdownOutput() throws ClosedChannelException {
        requireOpen();
        outputOver = true;
        vio.shutdownOutput();
    }

    private void requireOpen() throws ClosedChannelException {
        if (closed) {
            throw new ClosedChannelException();
        }
    }

    /// Closes it in order; what is pending is told.
    void close() {
        closed = true;
        reading.close();
        writing.close();
        vio.close();
    }
}
