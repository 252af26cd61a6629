package org.ibidem.service;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.ibidem.connect.Prelude;
import org.ibidem.link.Tasks;
import org.ibidem.topology.Passage;

/// One plain connection to one address, made only to see what becomes of it.
///
/// @param passage what became of it
/// @param took how long that took
/// @param why the reason, for people; empty when it came about
public record Knock(Passage passage, Duration took, String why) {
    /// Connects, says the token if there is one, and closes. Blocks for the limit at most.
    ///
    /// @param address resolved
    /// @param token 16 bytes, said as a [Prelude.Turn]; or empty: nothing is said
    public static Knock at(InetSocketAddress address, byte[] token, Duration limit, Tasks tasks) {
        long begin = tasks.nanoTime();
        try (var socket = SocketChannel.open()) {
            socket.socket().connect(address, (int) TimeUnit.NANOSECONDS.toMillis(limit.toNanos()));
            var took = Duration.ofNanos(tasks.nanoTime() - begin);
            if (token.length > 0) {
                for (var out = ByteBuffer.wrap(new Prelude.Turn(token).encode());
                        out.hasRemaining(); ) {
                    socket.write(out);
                }
            }
            return new Knock(Passage.OPEN, took, "");
        } catch (IOException e) {
            var took = Duration.ofNanos(tasks.nanoTime() - begin);
            var passage = passage(e);
            return new Knock(
                    passage,
                    took,
                    passage == Passage.DROPPED
                            ? "no answer within " + took.toMillis() + " ms"
                            : String.valueOf(e.getMessage()));
        }
    }

    /// What an error says of the way.
    static Passage passage(IOException e) {
        var said = String.valueOf(e.getMessage());
        if (e instanceof SocketTimeoutException || said.contains("timed out")) {
            return Passage.DROPPED;
        }
        boolean refused = e instanceof ConnectException && said.contains("refused");
        if (refused || said.contains("reset")) {
            return Passage.REFUSED;
        }
        return e instanceof NoRouteToHostException || said.contains("unreachable")
                ? Passage.UNREACHABLE
                : Passage.UNTRIED;
    }
}
