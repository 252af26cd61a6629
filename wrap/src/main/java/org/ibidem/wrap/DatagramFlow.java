package org.ibidem.wrap;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.ibidem.personality.vio.VioSocket;

/// Datagrams between one socket of a program here and one program elsewhere, each with its length
/// in front (u16) in a VLink. It ends when nothing has come or gone for a while. What comes faster
/// than it goes is dropped, as by any network.
final class DatagramFlow {
    /// Without a datagram; as long as most NATs remember.
    private static final Duration IDLE = Duration.ofMinutes(2);

    private static final int MOST_WAITING = 256;
    private static final int LARGEST = 0xFFFF;
    private static final byte[] END = {};

    private final ArrayBlockingQueue<byte[]> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
    private final Near near;
    private final Consumer<DatagramFlow> ended;
    private volatile long used = System.nanoTime();
    private volatile boolean over;

    /// Where the program's socket is reached.
    interface Near {
        /// Sends it a datagram.
        void send(ByteBuffer datagram) throws IOException;
    }

    /// The way to the other end, which may take its time.
    interface Far {
        /// Makes it.
        VioSocket connect() throws IOException;
    }

    /// One that carries nothing yet.
    ///
    /// @param ended called once it is over
    DatagramFlow(Near near, Consumer<DatagramFlow> ended) {
        this.near = near;
        this.ended = ended;
    }

    /// Begins to carry; what is offered before the way is there waits.
    void begin(Far far) {
        Thread.ofVirtual().name("datagrams").start(() -> carry(far));
    }

    /// Takes one from the program, or drops it.
    void offer(ByteBuffer datagram) {
        var bytes = new byte[2 + datagram.remaining()];
        var copy = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        copy.putShort((short) datagram.remaining()).put(datagram);
        waiting.offer(bytes); // false: there are too many
    }

    /// Whether it carries nothing any more.
    boolean isOver() {
        return over;
    }

    /// Ends it.
    void end() {
        waiting.clear();
        waiting.offer(END);
    }

    private void carry(Far way) {
        VioSocket far = null;
        try {
            far = way.connect();
            var there = far;
            Thread.ofVirtual().name("datagrams").start(() -> bring(there));
            for (var next = next(); next.length > 0; next = next()) {
                used = System.nanoTime();
                far.write(ByteBuffer.wrap(next));
            }
        } catch (IOException | RuntimeException _) {
            // nobody is there: as by any network, nothing is said of it
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            over = true;
            ended.accept(this);
            if (far != null) {
                far.abort("it is over");
            }
        }
    }

    /// The next from the program; the end when nothing has come from either for so long.
    private byte[] next() throws InterruptedException {
        while (true) {
            long left = IDLE.toNanos() - (System.nanoTime() - used);
            var next = left <= 0 ? END : waiting.poll(left, TimeUnit.NANOSECONDS);
            if (next != null) {
                return next;
            }
        }
    }

    private void bring(VioSocket far) {
        var bytes = ByteBuffer.allocate(LARGEST).order(ByteOrder.LITTLE_ENDIAN);
        try {
            while (fill(far, bytes.clear().limit(2))) {
                int length = bytes.getShort(0) & 0xFFFF;
                if (!fill(far, bytes.clear().limit(length))) {
                    break;
                }
                used = System.nanoTime();
                near.send(bytes.flip());
            }
        } catch (IOException | RuntimeException _) {
            // the way is broken, or the program gone
        } finally {
            end();
        }
    }

    private static boolean fill(VioSocket far, ByteBuffer into) throws IOException {
        while (into.hasRemaining()) {
            if (far.read(into, 0) < 0) {
                return false;
            }
        }
        return true;
    }
}
