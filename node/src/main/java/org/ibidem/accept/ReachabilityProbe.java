package org.ibidem.accept;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.ibidem.config.AddressFamilies;
import org.ibidem.config.NativeChannels;
import org.ibidem.connect.Prelude;
import org.ibidem.task.Tasks;
import org.ibidem.topology.ProbeResult;

/// One plain connection to one address, made only to see what becomes of it.
///
/// @param passage what became of it
/// @param took how long that took
/// @param why the reason, for people; empty when it came about
public record ReachabilityProbe(ProbeResult passage, Duration took, String why) {
    /// What is done on a connection that came about.
    @FunctionalInterface
    private interface Then {
        void with(SocketChannel socket) throws IOException;
    }

    /// Connects, says the token, and closes. Blocks for the limit at most.
    ///
    /// @param address resolved
    /// @param token 16 bytes, said as a [Prelude.Turn]
    public static ReachabilityProbe at(
            InetSocketAddress address, byte[] token, Duration limit, Tasks tasks) {
        return at(address, socket -> say(socket, new Prelude.Turn(token).encode()), limit, tasks);
    }

    /// Connects to a hub, asks it for the address seen, which needs no handshake, and closes.
    /// Blocks for the limit at most, and for the same again when nothing comes.
    ///
    /// @param hub resolved
    public static ReachabilityProbe atHub(InetSocketAddress hub, Duration limit, Tasks tasks) {
        return at(
                hub,
                socket -> {
                    say(socket, new Prelude.Observe().encode());
                    socket.socket().setSoTimeout(millis(limit));
                    int first = socket.socket().getInputStream().read();
                    System.getLogger(ReachabilityProbe.class.getName())
                            .log(System.Logger.Level.DEBUG, "hub {0} answered: {1}", hub, first);
                },
                limit,
                tasks);
    }

    private static ReachabilityProbe at(
            InetSocketAddress address, Then then, Duration limit, Tasks tasks) {
        long begin = tasks.nanoTime();
        try (var socket = NativeChannels.provider().openSocketChannel()) {
            AddressFamilies.require(address);
            socket.socket().connect(address, millis(limit));
            var took = Duration.ofNanos(tasks.nanoTime() - begin);
            return then(socket, then, took);
        } catch (IOException e) {
            var took = Duration.ofNanos(tasks.nanoTime() - begin);
            var passage = passage(e);
            return new ReachabilityProbe(
                    passage,
                    took,
                    passage == ProbeResult.DROPPED
                            ? "no answer within " + took.toMillis() + " ms"
                            : String.valueOf(e.getMessage()));
        }
    }

    /// It came about: what becomes of it afterwards does not matter.
    private static ReachabilityProbe then(SocketChannel socket, Then then, Duration took) {
        try {
            then.with(socket);
        } catch (IOException e) {
            System.getLogger(ReachabilityProbe.class.getName())
                    .log(System.Logger.Level.DEBUG, "it ended at once", e);
        }
        return new ReachabilityProbe(ProbeResult.OPEN, took, "");
    }

    private static void say(SocketChannel socket, byte[] what) throws IOException {
        for (var out = ByteBuffer.wrap(what); out.hasRemaining(); ) {
            socket.write(out);
        }
    }

    private static int millis(Duration limit) {
        return (int) TimeUnit.NANOSECONDS.toMillis(limit.toNanos());
    }

    /// What an error says of the way.
    static ProbeResult passage(IOException e) {
        var said = String.valueOf(e.getMessage());
        if (e instanceof SocketTimeoutException || said.contains("timed out")) {
            return ProbeResult.DROPPED;
        }
        boolean refused = e instanceof ConnectException && said.contains("refused");
        if (refused || said.contains("reset")) {
            return ProbeResult.REFUSED;
        }
        return e instanceof NoRouteToHostException || said.contains("unreachable")
                ? ProbeResult.UNREACHABLE
                : ProbeResult.UNTRIED;
    }
}
