package org.ibidem.service;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The connections that were accepted and have not proved anything yet: so many at most, and the
/// oldest of the address with the most goes when there is one too many. So a flood pushes out
/// itself and honest peers, who need milliseconds, get through.
final class Unproved {
    private final Fair<SocketChannel> channels;
    private final Set<SocketChannel> dropped = new HashSet<>();
    private boolean closed;

    Unproved(int most) {
        this.channels = new Fair<>(most);
    }

    /// Takes one in, and pushes the oldest out when there is no room.
    ///
    /// @return false when this is closed: the channel was closed too
    synchronized boolean enter(SocketChannel channel) {
        if (closed) {
            close(channel);
            return false;
        }
        drop(channels.enter(channel, Fair.origin(channel)));
        return true;
    }

    /// Pushes the oldest quarter out, at least one: for want of file descriptors.
    synchronized void dropQuarter() {
        for (int n = channels.size() / 4; n >= 0; n--) {
            drop(channels.dropOldest());
        }
    }

    private void drop(@Nullable SocketChannel oldest) {
        if (oldest != null) {
            dropped.add(oldest);
            close(oldest);
        }
    }

    /// This one has proved itself or failed.
    ///
    /// @return true when it was pushed out before
    synchronized boolean leave(SocketChannel channel) {
        channels.leave(channel);
        return dropped.remove(channel);
    }

    synchronized int size() {
        return channels.size();
    }

    synchronized void close() {
        closed = true;
        channels.all().forEach(Unproved::close);
    }

    private static void close(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException _) {
            // whoever reads from it finds out
        }
    }
}
