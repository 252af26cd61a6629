package org.ibidem.lab.bench.peers;

import java.io.EOFException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Locale;
import org.ibidem.lab.bench.Contestant;
import org.ibidem.lab.bench.End;
import org.ibidem.lab.bench.Loop;
import org.ibidem.lab.bench.Measure;
import org.ibidem.lab.bench.Meeting;
import org.ibidem.lab.bench.Payload;
import org.ibidem.lab.bench.Player;
import org.jspecify.annotations.Nullable;

/// A `SocketChannel` and two direct buffers, one copy at each side: the floor for everything over
/// TCP, or over Unix-domain sockets.
///
/// @param waiting in which of the three ways it waits for bytes or room
/// @param unix whether it is a Unix-domain socket
/// @param held how many bytes of a stream are held back, and leave together; 0: none
public record RawSocket(Waiting waiting, boolean unix, int held) implements Contestant {
    private static final int LARGEST_SENT = 1 << 20;

    /// As much as our streams hold back.
    static final int HELD = 768 << 10;

    private static final String LISTENING = "listening";

    /// Over TCP.
    public RawSocket(Waiting waiting) {
        this(waiting, false, 0);
    }

    /// Over TCP, or Unix-domain.
    public RawSocket(Waiting waiting, boolean unix) {
        this(waiting, unix, 0);
    }

    /// Over TCP, where the messages of a stream are held back.
    public static RawSocket held(Waiting waiting) {
        return new RawSocket(waiting, false, HELD);
    }

    @Override
    public String name() {
        return (unix ? "unix-" : "socket-")
                + (held > 0 ? "held-" : "")
                + waiting.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public String about() {
        return (unix ? "Unix-domain " : "")
                + "SocketChannel and direct buffers, no framing; the tree by JDK serialization"
                + (held > 0 ? "; held back until 768 KiB leave together" : "");
    }

    @Override
    public boolean plays(Measure measure) {
        return measure.kind() != Measure.Kind.RATE
                && measure.kind() != Measure.Kind.CALL
                && (held == 0 || measure.kind() == Measure.Kind.BANDWIDTH)
                && measure.payload().get().bytes() <= LARGEST_SENT - held;
    }

    @Override
    public Player open(Meeting meeting) throws IOException {
        return over(unix ? connected(meeting) : meeting.socket());
    }

    /// The same over a connection that is there.
    Player over(SocketChannel channel) throws IOException {
        channel.configureBlocking(waiting == Waiting.BLOCK);
        var key =
                waiting == Waiting.SELECT
                        ? channel.register(Selector.open(), SelectionKey.OP_READ)
                        : null;
        return new Loop(new Socket(channel, key, held));
    }

    private SocketChannel connected(Meeting meeting) throws IOException {
        var address = UnixDomainSocketAddress.of(meeting.folder().resolve(name()));
        if (meeting.leads()) {
            meeting.hear();
            return SocketChannel.open(address);
        }
        try (var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(address);
            meeting.tell(LISTENING);
            return server.accept();
        }
    }

    private static final class Socket implements End {
        private final SocketChannel channel;
        private final @Nullable SelectionKey key;
        private final int held;
        private final Image image = new Image();
        private ByteBuffer out = Image.buffer(LARGEST_SENT);
        private ByteBuffer in = Image.buffer(LARGEST_SENT);

        private Socket(SocketChannel channel, @Nullable SelectionKey key, int held) {
            this.channel = channel;
            this.key = key;
            this.held = held;
        }

        @Override
        public void send(Payload payload) throws IOException {
            int size = image.size(payload);
            if (out.remaining() < size) {
                out = Image.atLeast(size, out);
            }
            image.put(payload, out);
            if (out.position() >= held) {
                flush();
            }
        }

        @Override
        public void flush() throws IOException {
            out.flip();
            channel.write(out);
            while (out.hasRemaining()) {
                await(SelectionKey.OP_WRITE);
                channel.write(out);
            }
            out.clear();
        }

        @Override
        public void receive(Payload payload) throws IOException {
            int head = Image.head(payload);
            in = Image.atLeast(head, in);
            read(head);
            int body = Image.body(payload, in, 0);
            if (body > 0) {
                in = grown(in, head + body);
                read(head + body);
            }
            in.flip();
            Image.get(payload, in);
        }

        private void read(int upTo) throws IOException {
            in.limit(upTo);
            while (in.hasRemaining()) {
                int read = channel.read(in);
                if (read < 0) {
                    throw new EOFException();
                }
                if (read == 0) {
                    await(SelectionKey.OP_READ);
                }
            }
        }

        /// Sleeps where one sleeps in a selector; else the next call blocks, or is made at once.
        private void await(int interest) throws IOException {
            if (key != null) {
                if (key.interestOps() != interest) {
                    key.interestOps(interest);
                }
                key.selector().select(_ -> {});
            }
        }

        private static ByteBuffer grown(ByteBuffer old, int wanted) {
            if (old.capacity() >= wanted) {
                return old;
            }
            return Image.buffer(wanted).put(old.flip());
        }

        @Override
        public void close() throws IOException {
            if (key != null) {
                key.selector().close();
            }
            channel.close();
        }
    }
}
