package org.ibidem.lab.bench.peers;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Locale;
import org.ibidem.hub.Hub;
import org.ibidem.lab.bench.Contestant;
import org.ibidem.lab.bench.End;
import org.ibidem.lab.bench.Loop;
import org.ibidem.lab.bench.Measure;
import org.ibidem.lab.bench.Meeting;
import org.ibidem.lab.bench.Payload;
import org.ibidem.lab.bench.Player;
import org.ibidem.personality.vio.VioSocket;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.ibidem.topology.NodeId;
import org.ibidem.vlink.VLinks;

/// A VLink, used as [RawSocket] uses a `SocketChannel`.
///
/// @param stack in the stack notation
/// @param waiting looking again and again, or asleep in a call of `vio`
public record VLinkPeer(String stack, Waiting waiting) implements Contestant {
    private static final String NAME = "bench";
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int BUFFER = 1 << 20;

    @Override
    public String name() {
        return "vlink-" + stack + "-" + waiting.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public String about() {
        return "a VLink over " + stack + " and direct buffers, no framing of its own";
    }

    @Override
    public boolean plays(Measure measure) {
        return measure.kind() != Measure.Kind.RATE
                && measure.kind() != Measure.Kind.CALL
                && measure.payload().get().bytes() <= BUFFER;
    }

    @Override
    public Player open(Meeting meeting) throws IOException {
        if (meeting.leads()) {
            int hub = Hub.start(Hub.Options.DEFAULT.port(0)).port(); // as long as the process
            meeting.tell(Integer.toString(hub));
            var node = join(hub);
            try (var listener = VLinks.of(node).listen(NAME, VLinks.ANY, 1)) {
                var coming = listener.postAccept();
                meeting.tell(node.id().toString());
                return new Loop(new Stream(VioSocket.connected(coming, millis()), waiting));
            }
        }
        var node = join(Integer.parseInt(meeting.hear()));
        var peer = NodeId.parse(meeting.hear());
        var link = VLinks.of(node).connect(peer, NAME, stack, "", LIMIT);
        return new Loop(new Stream(VioSocket.connected(link, millis()), waiting));
    }

    private static int millis() {
        return (int) LIMIT.toMillis();
    }

    private static Node join(int hub) {
        return Node.join(Join.pool("vlink").hub("127.0.0.1:" + hub));
    }

    private static final class Stream implements End {
        private final VioSocket socket;
        private final boolean spins;
        private final Image image = new Image();
        private final ByteBuffer out = Image.buffer(BUFFER);
        private ByteBuffer in = Image.buffer(BUFFER);

        private Stream(VioSocket socket, Waiting waiting) {
            this.socket = socket;
            this.spins = waiting == Waiting.SPIN;
        }

        @Override
        public void send(Payload payload) throws IOException {
            image.put(payload, out);
            out.flip();
            while (spins && out.hasRemaining()) {
                socket.link().write(out);
            }
            if (out.hasRemaining()) {
                socket.write(out);
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
                read(head + body);
            }
            in.flip();
            Image.get(payload, in);
        }

        private void read(int upTo) throws IOException {
            in.limit(upTo);
            while (in.hasRemaining()) {
                if ((spins ? socket.readNow(in) : socket.read(in, 0)) < 0) {
                    throw new EOFException();
                }
            }
        }

        @Override
        public void close() {
            socket.close();
        }
    }
}
