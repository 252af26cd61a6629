package org.ibidem.link;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import org.ibidem.buffer.BufferPool;
import org.ibidem.connect.SocketPath;
import org.ibidem.stack.FramesOverStream;
import org.ibidem.task.Tasks;
import org.ibidem.task.VirtualTasks;

/// One of two ends that meet in one JVM, over a loopback connection made beforehand.
public record TestLower(boolean active, String key, StreamPath stream, Tasks tasks)
        implements Lower {
    /// One end, over this socket.
    public TestLower(boolean active, String key, SocketChannel socket, Tasks tasks) {
        this(active, key, new SocketPath(socket), tasks);
    }

    /// The connection's socket.
    public SocketChannel socket() {
        return ((SocketPath) stream).socket();
    }

    /// Two ends of one link.
    public static TestLower[] pair() throws IOException {
        var random = new byte[16];
        ThreadLocalRandom.current().nextBytes(random);
        var key = HexFormat.of().formatHex(random);
        var tasks = new VirtualTasks();
        try (var server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            var one = SocketChannel.open(server.getLocalAddress());
            var other = server.accept();
            one.configureBlocking(false);
            other.configureBlocking(false);
            return new TestLower[] {
                new TestLower(true, key, new SocketPath(one), tasks),
                new TestLower(false, key, new SocketPath(other), tasks)
            };
        }
    }

    @Override
    public DatagramPath datagrams() throws IOException {
        throw new IOException("there are none here");
    }

    @Override
    public Terms terms() {
        return FramesOverStream.terms(new BufferPool());
    }
}
