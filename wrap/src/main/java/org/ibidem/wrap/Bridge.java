package org.ibidem.wrap;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.ibidem.vlink.VLink;
import org.ibidem.vlink.VLinkFailed;
import org.ibidem.vlink.VLinks;
import org.ibidem.vlink.WatchedChannel;

/// Carries bytes between a socket of a program on this machine and a VLink, each direction until
/// its end. What one side does is done to the other: ends, closing in order, resets. It has no
/// thread: the node's loop calls when there is something to carry, or room for it, and carries it
/// at once. What has to be compressed takes a thread for that, as the loop has others to serve.
final class Bridge {
    private static final System.Logger LOG = System.getLogger(Bridge.class.getName());

    /// Connections of one agent in each direction.
    static final int MOST = 4_096;

    private final SocketChannel near;
    private final WatchedChannel watched;
    private final VLink far;
    private final Runnable ended;
    private final Executor carrier;
    private final AtomicInteger open = new AtomicInteger(2);

    private Bridge(SocketChannel near, WatchedChannel watched, VLink far, Runnable ended) {
        this.near = near;
        this.watched = watched;
        this.far = far;
        this.ended = ended;
        this.carrier = far.way().contains("compress") ? Thread::startVirtualThread : Runnable::run;
    }

    /// Carries from now on.
    ///
    /// @param ended called once both directions are over
    static void start(VLinks vlinks, SocketChannel near, VLink far, Runnable ended) {
        Bridge bridge;
        try {
            near.setOption(StandardSocketOptions.TCP_NODELAY, true);
            bridge = new Bridge(near, vlinks.watch(near), far, ended);
        } catch (IOException | RuntimeException | Error e) { // one side is gone already, say
            tellFault(e);
            far.abort(String.valueOf(e.getMessage()));
            reset(near);
            ended.run();
            return;
        }
        bridge.new Outward().run();
        bridge.new Inward().run();
    }

    /// One direction. What was read and finds no room is kept until there is some, and nothing is
    /// read meanwhile.
    private abstract class Direction implements Runnable {
        private static final int BYTES = 64 << 10;

        /// What one carries before others have their turn.
        private static final int AT_ONCE = 4;

        /// Most of what is read is written at once, and its buffer is free again.
        private static final Queue<ByteBuffer> FREE = new ArrayBlockingQueue<>(64);

        private static final ByteBuffer NONE = ByteBuffer.allocate(0);

        private final AtomicInteger calls = new AtomicInteger();
        private ByteBuffer bytes = NONE;
        private boolean over;

        /// @return bytes; 0: nothing now; -1: nothing any more
        abstract int read(ByteBuffer into) throws IOException;

        abstract void write(ByteBuffer from) throws IOException;

        abstract void end() throws IOException;

        abstract void whenReadable();

        abstract void whenWritable();

        /// By the loop mostly, and by whoever ends a side: who comes while another carries has that
        /// one look again.
        @Override
        public final void run() {
            if (calls.getAndIncrement() == 0) {
                carrier.execute(this::carryAll);
            }
        }

        private void carryAll() {
            for (int seen = calls.get(); seen > 0; seen = calls.addAndGet(-seen)) {
                if (!over) {
                    carry();
                }
            }
        }

        private void carry() {
            try {
                for (int i = 0; i < AT_ONCE; i++) {
                    if (!bytes.hasRemaining() && !filled()) {
                        return;
                    }
                    boolean all = bytes.limit() < BYTES;
                    write(bytes);
                    if (bytes.hasRemaining()) {
                        whenWritable();
                        return;
                    }
                    give();
                    if (all) {
                        break;
                    }
                }
                whenReadable();
            } catch (IOException | RuntimeException | Error e) {
                tellFault(e);
                over();
                broken(e);
            }
        }

        /// @return whether there is something to write now
        private boolean filled() throws IOException {
            var free = FREE.poll();
            bytes = free == null ? ByteBuffer.allocateDirect(BYTES) : free.clear();
            int done = read(bytes);
            bytes.flip();
            if (done > 0) {
                return true;
            }
            give();
            if (done < 0) {
                end();
                over();
            } else {
                whenReadable();
            }
            return false;
        }

        private void give() {
            if (bytes.isDirect()) {
                FREE.offer(bytes); // beyond a few they are the collector's
            }
            bytes = NONE;
        }

        private void over() {
            over = true;
            give();
            if (open.decrementAndGet() == 0) {
                far.close();
                watched.close();
                ended.run();
            }
        }
    }

    private final class Outward extends Direction {
        @Override
        int read(ByteBuffer into) throws IOException {
            return near.read(into);
        }

        @Override
        void write(ByteBuffer from) {
            far.write(from);
        }

        @Override
        void end() {
            far.endOutput();
        }

        @Override
        void whenReadable() {
            watched.whenReadable(this);
        }

        @Override
        void whenWritable() {
            far.whenWritable(this);
        }
    }

    private final class Inward extends Direction {
        @Override
        int read(ByteBuffer into) {
            return far.read(into);
        }

        @Override
        void write(ByteBuffer from) throws IOException {
            near.write(from);
        }

        @Override
        void end() throws IOException {
            near.shutdownOutput();
        }

        @Override
        void whenReadable() {
            far.whenReadable(this);
        }

        @Override
        void whenWritable() {
            watched.whenWritable(this);
        }
    }

    /// That one side is gone is usual; that there is no memory for a buffer is not.
    private static void tellFault(Throwable why) {
        if (!(why instanceof IOException || why instanceof VLinkFailed)) {
            LOG.log(System.Logger.Level.ERROR, "a connection of a program ends", why);
        }
    }

    /// One side is gone: the other is reset. The other direction is told of both.
    private void broken(Throwable why) {
        linger(near);
        watched.close();
        far.abort(String.valueOf(why.getMessage()));
    }

    /// Closes a socket so that its peer gets a reset.
    static void reset(SocketChannel socket) {
        linger(socket);
        close(socket);
    }

    private static void linger(SocketChannel socket) {
        try {
            socket.setOption(StandardSocketOptions.SO_LINGER, 0);
        } catch (IOException _) {
            // closed already
        }
    }

    static void close(SocketChannel socket) {
        try {
            socket.close();
        } catch (IOException _) {
            // nothing of it is needed any more
        }
    }
}
