package org.ibidem.hub.journal;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;

/// A disk that has so much room, and whose force may take long or fail.
public final class FailingDisk implements Journal.Opener {
    long room = Long.MAX_VALUE;
    boolean truncateFails;
    private volatile boolean forceFails;
    private volatile CountDownLatch gate = new CountDownLatch(0);
    private final Semaphore held = new Semaphore(0);

    /// Made for a test.
    public FailingDisk() {}

    /// From now on it has room for so many bytes.
    public void room(long bytes) {
        room = bytes;
    }

    /// Whether a force fails from now on.
    public void forceFails(boolean fails) {
        forceFails = fails;
    }

    /// From now on a force takes until [#letGo].
    public void hold() {
        gate = new CountDownLatch(1);
    }

    /// Waits until somebody waits for a force.
    public void awaitHeld() throws InterruptedException {
        held.acquire();
    }

    /// Lets all forces end.
    public void letGo() {
        gate.countDown();
    }

    @Override
    public FileChannel open(Path path) throws IOException {
        return new File(Journal.Opener.DISK.open(path));
    }

    /// A file on it.
    private final class File extends FileChannel {
        private final FileChannel real;

        File(FileChannel real) {
            this.real = real;
        }

        // As a real one does, it writes what has room before it says that there is none.
        @Override
        public int write(ByteBuffer from, long position) throws IOException {
            if (room == 0) {
                throw new IOException("No space left on device");
            }
            int length = (int) Math.min(room, from.remaining());
            var part = from.slice(from.position(), length);
            int written = real.write(part, position);
            from.position(from.position() + written);
            room -= written;
            return written;
        }

        @Override
        public void force(boolean metaData) throws IOException {
            if (gate.getCount() > 0) {
                held.release();
            }
            try {
                gate.await();
            } catch (InterruptedException e) {
                throw new InterruptedIOException("interrupted in a force");
            }
            if (forceFails) {
                throw new IOException("Input/output error");
            }
            real.force(metaData);
        }

        @Override
        public FileChannel truncate(long size) throws IOException {
            if (truncateFails) {
                throw new IOException("Read-only file system");
            }
            room += room == Long.MAX_VALUE ? 0 : Math.max(0, real.size() - size);
            real.truncate(size);
            return this;
        }

        @Override
        public int read(ByteBuffer into) throws IOException {
            return real.read(into);
        }

        @Override
        public long read(ByteBuffer[] into, int offset, int length) throws IOException {
            return real.read(into, offset, length);
        }

        @Override
        public int write(ByteBuffer from) {
            throw new UnsupportedOperationException("only at a place");
        }

        @Override
        public long write(ByteBuffer[] from, int offset, int length) {
            throw new UnsupportedOperationException("only at a place");
        }

        @Override
        public long position() throws IOException {
            return real.position();
        }

        @Override
        public FileChannel position(long to) throws IOException {
            real.position(to);
            return this;
        }

        @Override
        public long size() throws IOException {
            return real.size();
        }

        @Override
        public long transferTo(long position, long count, WritableByteChannel target) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long transferFrom(ReadableByteChannel source, long position, long count) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int read(ByteBuffer into, long position) throws IOException {
            return real.read(into, position);
        }

        @Override
        public MappedByteBuffer map(MapMode mode, long position, long size) throws IOException {
            return real.map(mode, position, size);
        }

        @Override
        public FileLock lock(long position, long size, boolean shared) throws IOException {
            return real.lock(position, size, shared);
        }

        @Override
        public FileLock tryLock(long position, long size, boolean shared) throws IOException {
            return real.tryLock(position, size, shared);
        }

        @Override
        protected void implCloseChannel() throws IOException {
            real.close();
        }
    }
}
