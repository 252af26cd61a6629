package org.ibidem.wrap;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.ibidem.wrap.Message.Kind;

/// The agent's end of the line to one launcher.
final class Launched implements AutoCloseable {
    /// Ports at which its programs receive, until it is looked for the first time which are closed.
    private static final int MANY = 256;

    private static final System.Logger LOG = System.getLogger(Launched.class.getName());

    private final SocketChannel line;
    private final Outgoing outgoing;
    private final Incoming incoming;
    private final Datagrams datagrams;

    /// Calls whose socket is to be held, until the launcher says that it is.
    private final Map<Long, CompletableFuture<Message>> holding = new ConcurrentHashMap<>();

    /// Ports at which its programs have listened by IPv4.
    private final Set<Integer> listening = new HashSet<>();

    /// Where its programs receive datagrams, by their ports.
    private final Map<Integer, InetSocketAddress> receiving = new HashMap<>();

    private int many = MANY;

    Launched(SocketChannel line, Outgoing outgoing, Incoming incoming, Datagrams datagrams) {
        this.datagrams = datagrams;
        this.line = line;
        this.outgoing = outgoing;
        this.incoming = incoming;
    }

    /// Serves it until it ends.
    void serve() {
        var bytes = ByteBuffer.allocateDirect(Message.BYTES);
        try (line) {
            while (line.read(bytes) >= 0) {
                if (!bytes.hasRemaining()) {
                    heard(Message.decode(bytes.flip()));
                    bytes.clear();
                }
            }
        } catch (IOException | IllegalArgumentException _) {
            // the launcher is gone, or is none: closing the line tells it so
        } finally {
            holding.values().forEach(held -> held.cancel(false));
            receiving.values().forEach(datagrams::ended);
        }
    }

    private void heard(Message message) {
        switch (message.kind()) {
            case CONNECTS -> {
                if (!outgoing.answer(this, message)) {
                    Thread.ofVirtual().name("connect").start(() -> outgoing.connect(this, message));
                }
            }
            case LISTENS -> {
                if (message.about() != null && isFirst(message.about())) {
                    incoming.listen(message.about());
                }
                goOn(message);
            }
            case SENDS -> {
                if (message.about() == null || datagrams.prepare(message.about())) {
                    goOn(message);
                } else { // where it would go to whoever here has that port
                    tell(Message.to(Kind.DONE, message.id(), Errors.NO_ROUTE));
                }
            }
            case BINDS -> {
                if (message.about() != null) {
                    receives(message.about());
                }
                goOn(message);
            }
            case HELD -> {
                var held = holding.remove(message.id());
                if (held != null) {
                    held.complete(message);
                }
            }
            default -> {
                // HELLO says what is known by the line
            }
        }
    }

    /// Ports are forgotten when they are closed: the table never has much more than are open.
    private void receives(InetSocketAddress at) {
        if (receiving.size() >= many) {
            try {
                var open = OpenPorts.ofDatagrams();
                receiving.values().removeIf(each -> !open.get(each.getPort()) && ended(each));
            } catch (IOException | UncheckedIOException e) {
                LOG.log(Level.INFO, "ports that are closed are not forgotten: {0}", e.toString());
            }
            many = Math.max(MANY, 2 * receiving.size());
        }
        receiving.put(at.getPort(), at);
        datagrams.receives(at);
    }

    private boolean ended(InetSocketAddress at) {
        datagrams.ended(at);
        return true;
    }

    /// Whoever listens at `localhost` does so at both of its addresses. Those that stand for ranks
    /// are of IPv4, and nobody comes from one of them to `::1`.
    private boolean isFirst(InetSocketAddress at) {
        if (at.getAddress() instanceof Inet4Address) {
            listening.add(at.getPort());
            return true;
        }
        return !at.getAddress().isLoopbackAddress() || !listening.contains(at.getPort());
    }

    /// The call is the kernel's now that all is ready for it; what is told again is of no call.
    private void goOn(Message message) {
        if (message.id() != 0) {
            tell(Message.to(Kind.CONTINUE, message.id(), 0));
        }
    }

    /// Has a call's socket held.
    ///
    /// @return completes with the launcher's answer; cancelled when the line ends
    CompletableFuture<Message> hold(Message how) {
        var held = new CompletableFuture<Message>();
        holding.put(how.id(), held);
        tell(how);
        if (!line.isOpen()) {
            held.cancel(false);
        }
        return held;
    }

    /// Says it, if the launcher is there still.
    void tell(Message message) {
        var bytes = message.encode();
        synchronized (this) {
            try {
                while (bytes.hasRemaining()) {
                    line.write(bytes);
                }
            } catch (IOException _) {
                close();
            }
        }
    }

    @Override
    public void close() {
        try {
            line.close();
        } catch (IOException _) {
            // nothing of it is needed any more
        }
    }
}
