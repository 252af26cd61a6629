package org.ibidem.accept;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Supplier;
import org.ibidem.buffer.ControlWriter;
import org.ibidem.connect.AddressCoding;
import org.ibidem.connect.Expected;
import org.ibidem.connect.Prelude;
import org.ibidem.connect.Unreachable;
import org.ibidem.handshake.Exchange;
import org.ibidem.handshake.Handshake;
import org.ibidem.handshake.HandshakeGarbled;
import org.ibidem.link.Path;

/// What a connection that came in may begin with instead of a handshake: it was asked for here, and
/// this end begins; or somebody wants to know as whom he is seen.
final class ConnectionPreamble implements Handshake.Preamble {
    private static final int MOST_EXPECTED = 1024;

    private final Supplier<List<InetSocketAddress>> addresses;
    private volatile int otherPort;
    private final SecureRandom random = new SecureRandom();
    private final Map<Prelude.Turn, Awaited> expected = new ConcurrentHashMap<>();

    /// @param addresses where connections come in
    ConnectionPreamble(Supplier<List<InetSocketAddress>> addresses) {
        this.addresses = addresses;
    }

    Expected expect() {
        if (expected.size() >= MOST_EXPECTED) {
            throw new Unreachable(
                    "this node awaits " + MOST_EXPECTED + " connections it has asked for already",
                    List.of());
        }
        var token = new byte[Prelude.TOKEN_BYTES];
        random.nextBytes(token);
        var awaited = new Awaited(new Prelude.Turn(token));
        expected.put(awaited.greeting, awaited);
        return awaited;
    }

    /// Another port at which this machine answers who asks for his address.
    void otherPort(int port) {
        otherPort = port;
    }

    void close() {
        expected.values().forEach(each -> each.failed("this node was closed"));
    }

    @Override
    public boolean take(byte[] prefix, Exchange exchange, Path path) {
        return switch (Prelude.of(prefix)) {
            case Prelude.Turn _ -> {
                turn(exchange, path);
                yield true;
            }
            case Prelude.Observe() -> {
                observe(exchange, path);
                yield true;
            }
            case null -> false;
        };
    }

    private void turn(Exchange exchange, Path path) {
        var token = exchange.read("token", Prelude.TOKEN_BYTES);
        var awaited = expected.get(new Prelude.Turn(token));
        if (awaited == null) {
            throw new HandshakeGarbled("a connection that nobody here has asked for");
        }
        exchange.done();
        awaited.arrived(path);
    }

    /// The connection stays for as long as a handshake may take: with it a NAT's mapping would go.
    private void observe(Exchange exchange, Path path) {
        var out = new ControlWriter(Short.BYTES + AddressCoding.MOST_BYTES);
        out.u16(otherPort);
        boolean known = path.remote() instanceof InetSocketAddress it && !it.isUnresolved();
        AddressCoding.write(out, known ? (InetSocketAddress) path.remote() : null);
        exchange.write("address", out.toBytes());
        exchange.awaitEnd();
    }

    /// One connection that was asked for, or a few: the first that proves itself counts.
    private final class Awaited implements Expected {
        private static final int MOST = 8;

        private final Prelude.Turn greeting;
        private final LinkedBlockingQueue<Object> arrived = new LinkedBlockingQueue<>(MOST);

        Awaited(Prelude.Turn greeting) {
            this.greeting = greeting;
        }

        void arrived(Path path) {
            if (!arrived.offer(path)) {
                path.close();
            }
        }

        @Override
        public Prelude.Turn greeting() {
            return greeting;
        }

        @Override
        public List<InetSocketAddress> addresses() {
            return addresses.get();
        }

        @Override
        public Path await() throws IOException, InterruptedException {
            var what = arrived.take();
            if (what instanceof Path path) {
                return path;
            }
            throw new IOException(String.valueOf(what));
        }

        @Override
        public void failed(String why) {
            arrived.offer(why);
        }

        @Override
        public void close() {
            expected.remove(greeting);
            for (var late = arrived.poll(); late != null; late = arrived.poll()) {
                if (late instanceof Path path) {
                    path.close();
                }
            }
        }
    }
}
