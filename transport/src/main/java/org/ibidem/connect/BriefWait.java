package org.ibidem.connect;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import org.ibidem.config.AddressFamilies;
import org.ibidem.task.Tasks;

/// Waits for the other end of a socket, which mostly answers within milliseconds, without leaving a
/// trace on it.
///
/// A virtual thread that blocks on a socket has it registered with an `epoll` of the JVM, where it
/// stays until it is closed (JDK 25). From then on the kernel looks for somebody to wake with each
/// packet that arrives: 140 to 330 ns of half a round trip of 4 to 6 µs on one machine
/// (docs/design/seam.md). So there are a few looks first, ever longer apart. Who has not answered
/// by then is far away, where that makes no difference, or is none who ever will, and is waited for
/// as usual. One for each connection that is made: however seldom a byte comes, the looks are
/// limited.
public final class BriefWait {
    private static final Duration FIRST = Duration.ofNanos(50_000);
    private static final Duration LONGEST = Duration.ofMillis(4);
    private static final int MOST_LOOKS = 48; // in a row they last 150 ms

    private final Tasks tasks;
    private int looks = MOST_LOOKS;

    /// For one connection, or one side of it.
    public BriefWait(Tasks tasks) {
        this.tasks = tasks;
    }

    @FunctionalInterface
    private interface Look {
        boolean isOver() throws IOException;
    }

    /// Connects a channel that is in blocking mode, as [SocketChannel#connect] does; only that who
    /// is interrupted already is not told so where it need not wait.
    ///
    /// @throws java.net.SocketException also when this JVM has no addresses of that family
    public void connect(SocketChannel channel, SocketAddress address) throws IOException {
        AddressFamilies.require(address);
        boolean over;
        channel.configureBlocking(false);
        try {
            over = channel.connect(address) || isOver(channel::finishConnect);
        } finally {
            blocking(channel);
        }
        if (!over) {
            channel.finishConnect();
        }
    }

    /// Reads from a channel that is in blocking mode, as its own read does: at least a byte, or -1.
    /// Interrupted threads as above.
    public int read(SocketChannel channel, ByteBuffer into) throws IOException {
        int before = into.position();
        if (looks > 0) {
            channel.configureBlocking(false);
            try {
                if (isOver(() -> channel.read(into) != 0)) {
                    return into.position() > before ? into.position() - before : -1;
                }
            } finally {
                blocking(channel);
            }
        }
        return channel.read(into);
    }

    private static void blocking(SocketChannel channel) throws IOException {
        if (channel.isOpen()) {
            channel.configureBlocking(true);
        }
    }

    /// Who is interrupted looks no more: to block says that as usual.
    private boolean isOver(Look look) throws IOException {
        var pause = FIRST;
        while (looks > 0) {
            if (look.isOver()) {
                return true;
            }
            looks--;
            try {
                tasks.pause(pause);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                return false;
            }
            var longer = pause.multipliedBy(3).dividedBy(2);
            pause = longer.compareTo(LONGEST) < 0 ? longer : LONGEST;
        }
        return false;
    }
}
