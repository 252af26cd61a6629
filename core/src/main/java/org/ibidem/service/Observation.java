package org.ibidem.service;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.ibidem.buffer.ControlReader;
import org.ibidem.buffer.Malformed;
import org.ibidem.connect.AddressCoding;
import org.ibidem.connect.LocalAddresses;
import org.ibidem.connect.Prelude;
import org.ibidem.topology.Egress;
import org.jspecify.annotations.Nullable;

/// What an observer said.
///
/// @param seen from which address the connection comes
/// @param otherPort where else he can be asked, or 0
record Observation(InetSocketAddress seen, int otherPort) {
    private static final Duration LIMIT = Duration.ofSeconds(3);

    /// Connects this socket to an observer and asks.
    ///
    /// @throws IOException when he cannot be reached, or says nothing that makes sense
    static Observation ask(SocketChannel socket, InetSocketAddress observer, Duration limit)
            throws IOException {
        int millis = (int) TimeUnit.NANOSECONDS.toMillis(limit.toNanos());
        socket.socket().connect(observer, millis);
        for (var out = ByteBuffer.wrap(new Prelude.Observe().encode()); out.hasRemaining(); ) {
            socket.write(out);
        }
        var answer = ByteBuffer.allocate(Short.BYTES + AddressCoding.MOST_BYTES);
        while (answer.hasRemaining()) {
            if (socket.read(answer) < 0) {
                throw new IOException("the observer at " + observer + " says nothing");
            }
            var told = read(answer, observer);
            if (told != null) {
                return told;
            }
        }
        throw new IOException("the observer at " + observer + " says garbage");
    }

    /// @return null when it has not wholly come
    private static @Nullable Observation read(ByteBuffer answer, InetSocketAddress observer)
            throws IOException {
        var bytes = new byte[answer.position()];
        answer.get(0, bytes);
        try {
            var in = new ControlReader(bytes);
            int other = in.u16("other port");
            var seen = AddressCoding.read(in);
            if (seen == null) {
                throw new IOException("the observer at " + observer + " does not know either");
            }
            return new Observation(seen, other);
        } catch (Malformed e) {
            return null;
        }
    }

    /// How this machine's connections get out, found by asking from one port at two of the hub's.
    ///
    /// @param hub a connection to it
    static Egress egress(Proved hub, HubPlace place) {
        try {
            var at = (InetSocketAddress) hub.channel().getRemoteAddress();
            if (!place.addresses().contains(at)) {
                return Egress.PROXY;
            }
            try (var first = socket(0);
                    var again = socket(port(first))) {
                var one = ask(first, at, LIMIT);
                if (one.seen.getAddress().isLoopbackAddress()) {
                    return Egress.UNKNOWN; // the hub is on this machine, and sees no further
                }
                if (LocalAddresses.mine().contains(one.seen.getAddress())) {
                    return Egress.UNTRANSLATED;
                }
                if (one.otherPort == 0) {
                    return Egress.UNKNOWN;
                }
                var other = new InetSocketAddress(at.getAddress(), one.otherPort);
                if (!ask(again, other, LIMIT).seen.equals(one.seen)) {
                    return Egress.SYMMETRIC;
                }
                return one.seen.getPort() == port(first) ? Egress.PRESERVING : Egress.INDEPENDENT;
            }
        } catch (IOException e) {
            System.getLogger(Observation.class.getName())
                    .log(System.Logger.Level.DEBUG, "nobody says how we get out", e);
            return Egress.UNKNOWN;
        }
    }

    private static SocketChannel socket(int port) throws IOException {
        var socket = SocketChannel.open();
        socket.setOption(StandardSocketOptions.SO_REUSEADDR, true);
        return socket.bind(new InetSocketAddress(port));
    }

    private static int port(SocketChannel socket) throws IOException {
        return ((InetSocketAddress) socket.getLocalAddress()).getPort();
    }
}
