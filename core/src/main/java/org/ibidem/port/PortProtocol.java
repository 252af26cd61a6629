package org.ibidem.port;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.ibidem.arbitration.WaitInterrupted;
import org.ibidem.link.LinkBroken;
import org.ibidem.selector.Selector;
import org.ibidem.service.Acceptor;
import org.ibidem.service.ChannelRefused;
import org.ibidem.service.InChannel;
import org.ibidem.service.OutChannel;
import org.ibidem.service.ServiceFailed;
import org.ibidem.service.Station;
import org.ibidem.topology.NodeId;

/// The receive ports of one node, and how a send port asks for a connection to one: channels of
/// kind `port`. Format: `docs/wire/ports.md`.
final class PortProtocol implements Acceptor {
    static final String KIND = "port";
    private static final long SHORTEST_PAUSE = 2_000_000;
    private static final long LONGEST_PAUSE = 100_000_000;

    private final Station station;
    private final Selector selector;
    private final Map<String, ReceivePort> ports = new ConcurrentHashMap<>();

    private PortProtocol(Station station) {
        this.station = station;
        this.selector = new Selector(station.catalog());
        station.channels().serve(KIND, this);
    }

    static PortProtocol of(Station station) {
        return station.room(PortProtocol.class, () -> new PortProtocol(station));
    }

    /// Checks what can be checked before anybody connects.
    PortType check(PortType type) {
        selector.check(type.stack());
        return type;
    }

    void add(ReceivePort port) {
        if (ports.putIfAbsent(port.name(), port) != null) {
            throw new PortNameTaken(port.name());
        }
    }

    void remove(ReceivePort port) {
        ports.remove(port.name(), port);
    }

    /// Asks for a connection, over the best stack that works. Programs that start together open
    /// their ports in any order: a port that is not there yet is waited for.
    OutChannel connect(Target to, Origin from, PortType type, Duration limit) {
        var tasks = station.tasks();
        long end = tasks.nanoTime() + limit.toNanos();
        ConnectRefused refusal = null;
        for (long pause = SHORTEST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
            try {
                return attempt(to, from, type, Duration.ofNanos(end - tasks.nanoTime()));
            } catch (ConnectRefused e) {
                boolean late = end - tasks.nanoTime() <= pause;
                if (e.why() != ConnectRefused.Why.NO_SUCH_PORT || late) {
                    throw e;
                }
                refusal = e;
            } catch (ServiceFailed e) {
                throw refusal != null
                        ? refusal
                        : e; // what it said, not that it had no time to repeat it
            }
            pause(pause);
        }
    }

    private static void pause(long nanos) {
        try {
            Thread.sleep(Duration.ofNanos(nanos));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new WaitInterrupted();
        }
    }

    private OutChannel attempt(Target to, Origin from, PortType type, Duration limit) {
        var request = new PortRequest(to.port(), from.port(), type).encode();
        LinkBroken last = null;
        for (var stack : selector.choose(type.stack(), station.contact(to.node()))) {
            try {
                return station.channels().open(to.node(), KIND, stack, request, limit);
            } catch (ChannelRefused e) {
                if (e.code() != ChannelRefused.NO_LINK) {
                    throw refused(e, to);
                }
                last = new LinkBroken(String.valueOf(e.getMessage()), e);
            } catch (LinkBroken e) {
                last = e;
            }
            System.getLogger(PortProtocol.class.getName())
                    .log(System.Logger.Level.INFO, "not over {0}: {1}", stack, last.getMessage());
        }
        var why = last == null ? "no stack to try" : last.getMessage();
        throw new ConnectRefused(ConnectRefused.Why.NO_LINK, "no link to " + to + ": " + why);
    }

    private static ConnectRefused refused(ChannelRefused e, Target to) {
        // A node that has opened no port at all does not even know this kind of channel.
        var why =
                e.code() == ChannelRefused.NO_SUCH_KIND
                        ? ConnectRefused.Why.NO_SUCH_PORT
                        : ConnectRefused.Why.of(e.code());
        return new ConnectRefused(why, to + " refused: " + e.getMessage());
    }

    @Override
    public Answer answer(NodeId peer, String stack, byte[] request) {
        var wanted = PortRequest.decode(request);
        var from = new Origin(peer, wanted.sendPort());
        return answer(wanted.receivePort(), from, wanted.type(), stack);
    }

    private Answer answer(String name, Origin from, PortType theirs, String stack) {
        var port = ports.get(name);
        if (port == null) {
            return no(ConnectRefused.Why.NO_SUCH_PORT, "it has no receive port '" + name + "'");
        }
        var differences = port.type().differences(theirs);
        if (!differences.isEmpty()) {
            return no(
                    ConnectRefused.Why.TYPES_DIFFER,
                    "the port types differ in "
                            + String.join("; ", differences)
                            + " (there: at the sender)");
        }
        if (!selector.allows(port.type().stack(), stack)) {
            return no(
                    ConnectRefused.Why.TYPES_DIFFER,
                    "its stack '" + port.type().stack() + "' is not made as " + stack);
        }
        var why = port.reserve(from);
        return why != null
                ? no(ConnectRefused.Why.OCCUPIED, why)
                : new Yes(new Connecting(port, from));
    }

    private static No no(ConnectRefused.Why why, String text) {
        return new No(why.code(), text);
    }

    private record Connecting(ReceivePort port, Origin from) implements Receiver {
        @Override
        public void cancelled(InChannel channel) {
            port.cancel(new Input(from, channel));
        }

        @Override
        public void attach(InChannel channel) {
            port.add(new Input(from, channel));
        }

        @Override
        public void failed(String why) {
            port.unreserve();
        }
    }
}
