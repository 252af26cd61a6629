package org.ibidem.service;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;

/// The connections that were accepted and have not proved anything yet: so many at most, and the
/// oldest goes when there is one too many. So a flood pushes out itself and honest peers, who need
/// milliseconds, get through.
final class Unproved {
    private final int most;
    private final LinkedHashSet<SocketChannel> channels = new LinkedHashSet<>();
    private final Set<SocketChannel> dropped = new HashSet<>();
    private boolean closed;

    Unproved(int most) {
        this.most = most;
    }

    /// Takes one in, and pushes the oldest out when there is no room.
    ///
    /// @return false when this is closed: the channel was closed too
    synchronized boolean enter(SocketChannel channel) {
        if (closed) {
            close(channel);
            return false;
        }
        if (channels.size() >= most) {
            dropOldest();
        }
        channels.add(channel);
        return true;
    }

    /// Pushes the oldest quarter out, at least one: for want of file descriptors.
    synchronized void dropQuarter() {
        for (int n = channels.size() / 4; n >= 0; n--) {
            dropOldest();
        }
    }

    private void dropOldest() {
        if (!channels.isEmpty()) {
            var oldest = channels.removeFirst();
            dropped.add(oldest);
            close(oldest);
        }
    }

    /// This one has proved itself or failed.
    ///
    /// @return true when it was pushed out before
    synchronized boolean leave(SocketChannel channel) {
        channels.remove(channel);
        return dropped.remove(channel);
    }

    synchronized int size() {
        return channels.size();
    }

    synchronized void close() {
        closed = true;
        channels.forEach(Unproved::close);
        channels.clear();
    }

    private static void close(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException _) {
            // whoever reads from it finds out
        }
    }
}
