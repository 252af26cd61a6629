package org.ibidem.personality.vio;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.ibidem.personality.vio.Waiting.Moving;
import org.ibidem.registry.Node;
import org.ibidem.topology.NodeId;
import org.ibidem.vlink.Posted;
import org.ibidem.vlink.VLink;
import org.ibidem.vlink.VLinkFailed;
import org.ibidem.vlink.VLinks;

/// A VLink whose calls wait. One thread reads at a time and one writes; others wait for them.
public final class VioSocket implements Closeable {
    private final VLink link;
    private final ReentrantLock reading = new ReentrantLock();
    private final ReentrantLock writing = new ReentrantLock();

    /// Blocking calls on this one.
    public VioSocket(VLink link) {
        this.link = link;
    }

    /// Connects.
    ///
    /// @param name the listener's
    /// @param millis how long it may take; 0: for ever
    /// @throws java.net.ConnectException when nobody listens there
    /// @throws SocketTimeoutException when the time is over
    /// @throws java.net.NoRouteToHostException when the node cannot be reached
    public static VioSocket connect(Node node, NodeId to, String name, int millis)
            throws IOException {
        var limit = Deadline.in(millis).left();
        return connected(VLinks.of(node).connect(to, name, "auto", "", limit), millis);
    }

    /// Waits for a connect that was posted.
    ///
    /// @param millis how long; 0: for ever
    public static VioSocket connected(Posted<VLink> posted, int millis) throws IOException {
        var sleeper = new Sleeper();
        posted.whenDone(_ -> sleeper.run());
        boolean done = false;
        try {
            done = sleeper.sleep(Deadline.in(millis));
        } finally {
            if (!done && !posted.cancel()) {
                done = true; // it came at the last moment
            }
        }
        if (!posted.isDone() || !done) {
            throw new SocketTimeoutException("Connect timed out");
        }
        try {
            return new VioSocket(posted.result());
        } catch (VLinkFailed e) {
            throw Causes.connecting(e);
        }
    }

    /// What it stands on.
    public VLink link() {
        return link;
    }

    /// Reads a byte at least.
    ///
    /// @param millis how long it may wait; 0: for ever
    /// @return bytes; -1: the other end has ended its direction
    /// @throws SocketTimeoutException when the time is over; nothing is lost
    /// @throws java.net.SocketException as the JDK's sockets do
    public int read(byte[] into, int from, int count, int millis) throws IOException {
        Objects.checkFromIndexSize(from, count, into.length);
        return read(ByteBuffer.wrap(into, from, count), millis);
    }

    /// The same, into a buffer.
    public int read(ByteBuffer into, int millis) throws IOException {
        return read(into, millis, link::sleepsReadable);
    }

    /// How a thread sleeps.
    @FunctionalInterface
    public interface Sleeping {
        /// Does so, as [VLink#sleepsReadable] says.
        boolean sleeps(long nanos) throws IOException;
    }

    /// The same for who has his own way to sleep on [#link].
    public int read(ByteBuffer into, int millis, Sleeping sleeping) throws IOException {
        if (!into.hasRemaining()) {
            return 0;
        }
        var deadline = Deadline.in(millis);
        lock(reading, deadline);
        try {
            return Waiting.until(
                    new Moving() {
                        @Override
                        public int move() {
                            return link.read(into);
                        }

                        @Override
                        public boolean sleeps(long nanos) throws IOException {
                            return sleeping.sleeps(nanos);
                        }

                        @Override
                        public void watch(Runnable watcher) {
                            link.whenReadable(watcher);
                        }

                        @Override
                        public void unwatch(Runnable watcher) {
                            link.unwatch(watcher);
                        }
                    },
                    deadline);
        } catch (VLinkFailed e) {
            throw Causes.reading(e);
        } finally {
            reading.unlock();
        }
    }

    /// Reads what is there.
    ///
    /// @return bytes; 0: nothing now; -1: the other end has ended its direction
    public int readNow(ByteBuffer into) throws IOException {
        try {
            return link.read(into);
        } catch (VLinkFailed e) {
            throw Causes.reading(e);
        }
    }

    /// Writes what finds room, of so many buffers from there, one after the other.
    ///
    /// @return bytes; 0: there is no room now
    public long writeNow(ByteBuffer[] from, int offset, int count) throws IOException {
        try {
            return link.write(from, offset, count);
        } catch (VLinkFailed e) {
            throw Causes.writing(e, link.isClosed());
        }
    }

    private static void lock(ReentrantLock lock, Deadline deadline) throws IOException {
        try {
            if (!lock.tryLock(deadline.nanos(), TimeUnit.NANOSECONDS)) {
                throw new SocketTimeoutException("Read timed out");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
    }

    /// Writes all of it, waiting for room.
    ///
    /// @throws java.net.SocketException as the JDK's sockets do
    public void write(byte[] from, int at, int count) throws IOException {
        write(ByteBuffer.wrap(from, at, count));
    }

    /// The same, of a buffer.
    public void write(ByteBuffer buffer) throws IOException {
        write(new ByteBuffer[] {buffer}, 0, 1);
    }

    /// The same, of so many buffers from there, one after the other.
    public void write(ByteBuffer[] from, int offset, int count) throws IOException {
        writing.lock();
        try {
            while (isLeft(from, offset, count)) {
                Waiting.until(
                        new Moving() {
                            @Override
                            public int move() {
                                return link.write(from, offset, count) == 0 ? 0 : 1;
                            }

                            @Override
                            public void watch(Runnable watcher) {
                                link.whenWritable(watcher);
                            }

                            @Override
                            public void unwatch(Runnable watcher) {
                                link.unwatch(watcher);
                            }
                        },
                        Deadline.in(0));
            }
        } catch (VLinkFailed e) {
            throw Causes.writing(e, link.isClosed());
        } finally {
            writing.unlock();
        }
    }

    /// Whether there is something to write.
    public static boolean isLeft(ByteBuffer[] all, int offset, int count) {
        for (int i = offset; i < offset + count; i++) {
            if (all[i].hasRemaining()) {
                return true;
            }
        }
        return false;
    }

    /// Bytes that can be read without waiting.
    public int available() {
        return link.available();
    }

    /// What is read from it, waiting without a limit. Closing it closes the socket.
    public InputStream input() {
        return new Input();
    }

    /// Where it is written to. Closing it closes the socket.
    public OutputStream output() {
        return new Output();
    }

    /// Nothing follows what was written.
    public void shutdownOutput() {
        link.endOutput();
    }

    /// Reads no more.
    public void shutdownInput() {
        link.endInput();
    }

    /// Closes it in order; whoever waits in it is told.
    @Override
    public void close() {
        link.close();
    }

    /// Closes it urgently: the other end is told why.
    public void abort(String why) {
        link.abort(why);
    }

    private final class Input extends InputStream {
        @Override
        public int read() throws IOException {
            var one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] into, int from, int count) throws IOException {
            return VioSocket.this.read(into, from, count, 0);
        }

        @Override
        public int available() {
            return VioSocket.this.available();
        }

        @Override
        public void close() {
            VioSocket.this.close();
        }
    }

    private final class Output extends OutputStream {
        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] from, int at, int count) throws IOException {
            VioSocket.this.write(from, at, count);
        }

        @Override
        public void close() {
            VioSocket.this.close();
        }
    }
}
