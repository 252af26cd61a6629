package org.ibidem.personality.sockets;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.ibidem.vlink.VLink;
import org.ibidem.vlink.VLinkFailed;
import org.ibidem.vlink.VLinkListener;
import org.jspecify.annotations.Nullable;

/// A port that is listened on by VLink, and mostly by the JDK at once. One connection of the JDK's
/// is taken ahead; the others wait in the system's own queue.
final class Entrance {
    private final VLinkListener listener;
    private final @Nullable NativeSocket beside;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private @Nullable NativeSocket taken;
    private @Nullable IOException failed;
    private final Runnable signal = this::signal;
    private boolean pumped;
    private boolean closed;

    /// What has come: a VLink, or a socket of the JDK's.
    record Come(@Nullable VLink link, @Nullable NativeSocket socket) {}

    Entrance(VLinkListener listener, @Nullable NativeSocket beside) {
        this.listener = listener;
        this.beside = beside;
    }

    /// The next one.
    ///
    /// @param millis how long to wait; 0: for ever
    Come accept(int millis) throws IOException {
        long left = millis == 0 ? Long.MAX_VALUE : TimeUnit.MILLISECONDS.toNanos(millis);
        lock.lock();
        try {
            pump();
            while (true) {
                var come = now();
                if (come != null) {
                    return come;
                }
                if (left <= 0) {
                    throw new SocketTimeoutException("Accept timed out");
                }
                listener.whenAcceptable(signal);
                if (!listener.isAcceptable()) {
                    left = slept(left);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /// A thread of the platform waits on when it is interrupted, as in the JDK's sockets.
    ///
    /// @return what is left of the time; the largest: for ever
    private long slept(long left) throws InterruptedIOException {
        var thread = Thread.currentThread();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    if (left < Long.MAX_VALUE) {
                        return changed.awaitNanos(left);
                    }
                    changed.await();
                    return left;
                } catch (InterruptedException _) {
                    interrupted = true;
                    if (thread.isVirtual()) {
                        throw new InterruptedIOException("interrupted");
                    }
                }
            }
        } finally {
            if (interrupted) {
                thread.interrupt();
            }
        }
    }

    private void signal() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Come now() throws IOException {
        if (closed) {
            throw new SocketException("Socket closed");
        }
        var socket = taken;
        if (socket != null) {
            taken = null;
            changed.signalAll();
            return new Come(null, socket);
        }
        try {
            var link = listener.accept();
            if (link != null) {
                return new Come(link, null);
            }
        } catch (VLinkFailed e) {
            throw new SocketException("Socket closed", e);
        }
        if (failed != null) {
            throw failed;
        }
        return null;
    }

    private void pump() {
        if (beside != null && !pumped) {
            pumped = true;
            Thread.ofVirtual().name("accept " + listener.name()).start(() -> pump(beside));
        }
    }

    private void pump(NativeSocket from) {
        try {
            boolean wanted = true;
            while (wanted) {
                try {
                    wanted = hand(from.accept());
                } catch (SocketTimeoutException _) {
                    // whoever accepts has his own time limit
                }
            }
        } catch (IOException e) {
            fails(e);
        } catch (RuntimeException | Error e) { // whoever accepts must hear of it
            fails(new IOException("nothing can be accepted: " + e, e));
            throw e;
        }
    }

    private void fails(IOException why) {
        lock.lock();
        try {
            failed = why;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// @return false: nobody accepts any more
    private boolean hand(NativeSocket one) throws IOException {
        lock.lock();
        try {
            while (taken != null && !closed) {
                changed.awaitUninterruptibly();
            }
            if (!closed) {
                taken = one;
                changed.signalAll();
                return true;
            }
        } finally {
            lock.unlock();
        }
        one.close();
        return false;
    }

    void close() throws IOException {
        NativeSocket left;
        lock.lock();
        try {
            closed = true;
            left = taken;
            taken = null;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        listener.close();
        if (beside != null) {
            beside.close();
        }
        if (left != null) {
            left.close();
        }
    }
}
