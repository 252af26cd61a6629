package org.ibidem.authority;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.ibidem.arbitration.Threads;

/// Takes connections, and joins each two that come one after the other: both have connected to it,
/// and speak with each other.
final class Crossed implements AutoCloseable {
    private final Threads tasks = new Threads("crossed");
    private final ServerSocketChannel listening;

    Crossed() throws IOException {
        listening = ServerSocketChannel.open();
        listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        tasks.start("take", this::take);
    }

    InetSocketAddress address() throws IOException {
        return (InetSocketAddress) listening.getLocalAddress();
    }

    private void take() {
        try {
            while (true) {
                var one = listening.accept();
                var other = listening.accept();
                tasks.start("there", () -> carry(one, other));
                tasks.start("back", () -> carry(other, one));
            }
        } catch (IOException _) {
            // closed
        }
    }

    private static void carry(SocketChannel from, SocketChannel to) {
        var buffer = ByteBuffer.allocate(1 << 16);
        try (from;
                to) {
            while (from.read(buffer.clear()) >= 0) {
                for (buffer.flip(); buffer.hasRemaining(); ) {
                    to.write(buffer);
                }
            }
        } catch (IOException _) {
            // one of the two has ended it
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        tasks.close();
    }
}
