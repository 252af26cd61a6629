package org.ibidem.filter.compress;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.ibidem.link.ByteStream;
import org.ibidem.link.DatagramPath;
import org.ibidem.link.Lower;
import org.ibidem.link.StreamPath;
import org.ibidem.link.Terms;
import org.ibidem.task.Tasks;
import org.ibidem.wait.Waitable;
import org.jspecify.annotations.Nullable;

/// One of two ends of a line in memory that holds 64 KiB each way.
final class Pipe implements ByteStream, Lower {
    /// One way.
    private static final class Way {
        private final ByteBuffer bytes = ByteBuffer.allocate(64 << 10).limit(0);
        private boolean ended;

        synchronized int put(ByteBuffer from) throws IOException {
            if (ended) {
                throw new IOException("closed");
            }
            bytes.compact();
            int some = Math.min(bytes.remaining(), from.remaining());
            bytes.put(from.slice(from.position(), some)).flip();
            from.position(from.position() + some);
            return some;
        }

        synchronized int get(ByteBuffer into) {
            int some = Math.min(bytes.remaining(), into.remaining());
            into.put(bytes.slice(bytes.position(), some));
            bytes.position(bytes.position() + some);
            return some > 0 || !ended ? some : -1;
        }

        synchronized void end() {
            ended = true;
        }
    }

    private final Way out;
    private final Way in;
    private final boolean active;
    private final AtomicLong sent = new AtomicLong();

    private Pipe(Way out, Way in, boolean active) {
        this.out = out;
        this.in = in;
        this.active = active;
    }

    static Pipe[] pair() {
        var one = new Way();
        var other = new Way();
        return new Pipe[] {new Pipe(one, other, true), new Pipe(other, one, false)};
    }

    /// Bytes written.
    long sent() {
        return sent.get();
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        int taken = out.put(from);
        sent.addAndGet(taken);
        return taken;
    }

    @Override
    public int read(ByteBuffer into) {
        return in.get(into);
    }

    @Override
    public @Nullable Waitable readable() {
        return null;
    }

    @Override
    public @Nullable Waitable writable() {
        return null;
    }

    @Override
    public void close() {
        out.end();
        in.end();
    }

    @Override
    public boolean active() {
        return active;
    }

    @Override
    public String key() {
        return "0".repeat(32);
    }

    @Override
    public StreamPath stream() throws IOException {
        throw new IOException("there is one line here");
    }

    @Override
    public DatagramPath datagrams() throws IOException {
        throw new IOException("there are none here");
    }

    @Override
    public Terms terms() {
        throw new AssertionError("nobody asks for them");
    }

    @Override
    public Tasks tasks() {
        return new Tasks() {
            @Override
            public Task start(String name, Runnable body) {
                return Thread.ofVirtual().name(name).start(body)::interrupt;
            }

            @Override
            public Task after(Duration delay, String name, Runnable body) {
                throw new AssertionError("nobody waits");
            }

            @Override
            public void pause(Duration time) throws InterruptedException {
                Thread.sleep(time);
            }

            @Override
            public long nanoTime() {
                return System.nanoTime();
            }
        };
    }
}
