package org.ibidem.accept;

import java.io.IOException;
import java.io.InputStream;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.ibidem.buffer.ControlReader;
import org.ibidem.buffer.Malformed;
import org.ibidem.config.AddressFamilies;
import org.ibidem.config.NativeChannels;
import org.ibidem.connect.AddressCoding;
import org.ibidem.connect.LocalAddresses;
import org.ibidem.connect.Prelude;
import org.ibidem.handshake.Proved;
import org.ibidem.task.Tasks;
import org.ibidem.topology.Egress;
import org.jspecify.annotations.Nullable;

/// What an observer said.
///
/// @param seen from which address the connection comes
/// @param otherPort where else he can be asked, or 0
public record Observation(InetSocketAddress seen, int otherPort) {
    private static final Duration LIMIT = Duration.ofSeconds(3);
    private static final Duration LOOKUP = Duration.ofSeconds(3);

    /// Connects this socket to an observer and asks.
    ///
    /// @throws IOException when he cannot be reached, or says nothing that makes sense
    public static Observation ask(SocketChannel socket, InetSocketAddress observer, Duration limit)
            throws IOException {
        int millis = (int) TimeUnit.NANOSECONDS.toMillis(limit.toNanos());
        AddressFamilies.require(observer);
        socket.socket().connect(observer, millis);
        socket.socket().setSoTimeout(millis);
        var in = socket.socket().getInputStream(); // a channel's own reads wait for ever
        for (var out = ByteBuffer.wrap(new Prelude.Observe().encode()); out.hasRemaining(); ) {
            socket.write(out);
        }
        var answer = ByteBuffer.allocate(Short.BYTES + AddressCoding.MOST_BYTES);
        while (answer.hasRemaining()) {
            int next = next(in, observer);
            answer.put((byte) next);
            var told = read(answer, observer);
            if (told != null) {
                return told;
            }
        }
        throw new IOException("the observer at " + observer + " says garbage");
    }

    private static int next(InputStream in, InetSocketAddress observer) throws IOException {
        try {
            int next = in.read();
            if (next >= 0) {
                return next;
            }
        } catch (SocketTimeoutException _) {
            // as if it had ended: the line may be dead
        }
        throw new IOException("the observer at " + observer + " says nothing");
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
    /// @param hub a connection to it, straight or through a proxy that was faster
    /// @param tasks look up its name
    public static Egress egress(Proved hub, HubPlace place, Tasks tasks) {
        try {
            var reached = (InetSocketAddress) hub.path().remote();
            var straight = place.addresses(tasks, LOOKUP);
            for (var each : toAsk(reached, straight, LocalAddresses.mine())) {
                var found = egress(each);
                if (found != null) {
                    return found;
                }
            }
            return straight.contains(reached) ? Egress.UNKNOWN : Egress.PROXY;
        } catch (IOException e) {
            return unknown(e);
        }
    }

    /// Where to ask: first by IPv4 where this machine has it, for that is what is translated; a few
    /// only, each may take its time.
    ///
    /// @param reached where the hub was reached, itself or a proxy
    /// @param straight the hub's own addresses
    static List<InetSocketAddress> toAsk(
            InetSocketAddress reached, List<InetSocketAddress> straight, Set<InetAddress> mine) {
        var all = new LinkedHashSet<InetSocketAddress>();
        if (mine.stream().anyMatch(Observation::four)) {
            straight.stream().filter(each -> four(each.getAddress())).limit(1).forEach(all::add);
        }
        straight.stream().filter(reached::equals).forEach(all::add);
        if (all.isEmpty()) {
            straight.stream().limit(1).forEach(all::add);
        }
        return List.copyOf(all);
    }

    private static boolean four(InetAddress address) {
        return address instanceof Inet4Address;
    }

    /// @return null when nothing gets there
    private static @Nullable Egress egress(InetSocketAddress at) throws IOException {
        try (var first = socket(0);
                var again = socket(port(first))) {
            Observation one;
            try {
                one = ask(first, at, LIMIT);
            } catch (IOException e) {
                unknown(e);
                return null;
            }
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
    }

    private static Egress unknown(IOException why) {
        System.getLogger(Observation.class.getName())
                .log(
                        System.Logger.Level.DEBUG,
                        "no observer answered, so the way out is not known",
                        why);
        return Egress.UNKNOWN;
    }

    private static SocketChannel socket(int port) throws IOException {
        var socket = NativeChannels.provider().openSocketChannel();
        socket.setOption(StandardSocketOptions.SO_REUSEADDR, true);
        return socket.bind(new InetSocketAddress(port));
    }

    private static int port(SocketChannel socket) throws IOException {
        return ((InetSocketAddress) socket.getLocalAddress()).getPort();
    }
}
