package org.ibidem.port;

import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.ibidem.config.Nearest;
import org.ibidem.config.NotationException;
import org.ibidem.config.Settings;
import org.ibidem.link.LinkBroken;
import org.ibidem.link.Stack;
import org.ibidem.link.Terms;
import org.ibidem.selector.Selector;
import org.ibidem.service.Acceptor;
import org.ibidem.service.ChannelRefused;
import org.ibidem.service.InChannel;
import org.ibidem.service.OutChannel;
import org.ibidem.service.Station;
import org.ibidem.topology.Contact;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// The receive ports of one node, and how a send port asks for a connection to one: channels of
/// kind `port`. Format: `docs/wire/ports.md`.
final class PortProtocol implements Acceptor {
    static final String KIND = "port";

    /// Written above a stack, it makes values right between machines of different byte order.
    private static final String CONVERSION = "conversion > ";

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

    /// The type as it is used here: its stack may be set from outside. Checks what can be checked
    /// before anybody connects.
    PortType check(PortType wanted) {
        var settings = Settings.system();
        var set =
                wanted.name().isEmpty()
                        ? Optional.<Settings.Given>empty()
                        : settings.given("ibidem.stack." + wanted.name());
        var given = set.isPresent() ? set : settings.given("ibidem.stack");
        if (given.isEmpty()) {
            return checked(wanted);
        }
        try {
            return checked(wanted.stack(given.get().value()));
        } catch (NotationException | IllegalArgumentException e) {
            throw Settings.wrong(given.get(), String.valueOf(e.getMessage()));
        }
    }

    private PortType checked(PortType type) {
        for (var stack : selector.alternatives(type.stack())) {
            if (type.has(Capability.RELIABLE) && stack.loses()) {
                throw new IllegalArgumentException(
                        "the stack '"
                                + stack
                                + "' may lose frames, and the port type is reliable: use"
                                + " PortType.without(RELIABLE), or another stack");
            }
        }
        return type;
    }

    /// The type's stack with some network driver: for what stands over several links.
    Stack shape(PortType type) {
        return selector.shape(type.stack());
    }

    void add(ReceivePort port) {
        if (ports.putIfAbsent(port.name(), port) != null) {
            throw new PortNameTaken(port.name());
        }
        station.channels().changed();
    }

    void remove(ReceivePort port) {
        ports.remove(port.name(), port);
    }

    /// A connection that was made, and its way.
    record Made(OutChannel channel, Way way) {}

    /// Asks for a connection, over the best stack that works. Programs that start together open
    /// their ports in any order: a port that is not there yet is waited for, at its node.
    Made connect(Target to, Origin from, PortType type, Duration limit) {
        var tasks = station.tasks();
        long end = tasks.deadline(limit);
        var request = new PortRequest(to.port(), from.port(), type).encode();
        var contact = station.contact(to.node(), limit);
        var stacks = selector.choose(type.stack(), contact);
        var passedOver = new ArrayList<>(ruledOut(type, contact));
        LinkBroken last = null;
        for (var stack : stacks) {
            var left = Duration.ofNanos(Math.max(1, end - tasks.nanoTime()));
            if (last != null && left.toNanos() == 1) {
                break; // what is known says more than that there was no time
            }
            try {
                var whole = whole(stack);
                var channel = station.channels().open(to.node(), KIND, whole, request, left);
                return new Made(channel, new Way(whole.toString(), passedOver));
            } catch (ChannelRefused e) {
                if (e.code() != ChannelRefused.NO_LINK) {
                    throw refused(e, to);
                }
                last = new LinkBroken(String.valueOf(e.getMessage()), e);
            } catch (LinkBroken e) {
                last = e;
            }
            passedOver.add(stack + ": no, " + last.getMessage());
            System.getLogger(PortProtocol.class.getName())
                    .log(System.Logger.Level.INFO, "not over {0}: {1}", stack, last.getMessage());
        }
        var why = last == null ? "no stack to try" : last.getMessage();
        throw new ConnectRefused(ConnectRefused.Why.NO_LINK, "no link to " + to + ": " + why);
    }

    private List<String> ruledOut(PortType type, Contact contact) {
        return selector.ruledOut(type.stack(), contact).stream()
                .map(Selector.Opinion::toString)
                .toList();
    }

    /// Over what may lose frames, messages arrive whole or not at all. Conversion reads the tags of
    /// messages, so it stays above.
    private Stack whole(Stack stack) {
        if (!stack.loses()) {
            return stack;
        }
        var text = stack.toString();
        var above = text.startsWith(CONVERSION) ? CONVERSION : "";
        return Stack.parse(above + "whole > " + text.substring(above.length()), station.catalog());
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
    public Answer answer(NodeId peer, String stack, Terms terms, byte[] request) {
        var wanted = PortRequest.decode(request);
        var port = ports.get(wanted.receivePort());
        if (port == null) {
            var text =
                    "it has no receive port '"
                            + wanted.receivePort()
                            + "'"
                            + Nearest.to(wanted.receivePort(), ports.keySet())
                                    .map(near -> "; did you mean '" + near + "'?")
                                    .orElse(", and none was opened in time");
            return new Later(no(ConnectRefused.Why.NO_SUCH_PORT, text));
        }
        var differences = port.type().differences(wanted.type());
        if (!differences.isEmpty()) {
            return no(
                    ConnectRefused.Why.TYPES_DIFFER,
                    "the port types differ in "
                            + String.join("; ", differences)
                            + " (there: at the sender)");
        }
        var unfit = unfit(port.type(), stack, terms);
        if (unfit != null) {
            return no(ConnectRefused.Why.TYPES_DIFFER, unfit);
        }
        return answer(port, new Origin(peer, wanted.sendPort()));
    }

    /// Why these ports, of equal type, cannot understand each other; or null.
    private @Nullable String unfit(PortType type, String stack, Terms terms) {
        if (selector.alternatives(type.stack()).stream()
                .noneMatch(mine -> whole(mine.link()).toString().equals(stack))) {
            return "its stack '"
                    + type.stack()
                    + "' is not made as "
                    + stack
                    + "; give both ends the same (ibidem explain config shows where it is set)";
        }
        if (terms.order() == ByteOrder.nativeOrder()) {
            return null;
        }
        var orders =
                "the byte orders differ: "
                        + ByteOrder.nativeOrder()
                        + " here, "
                        + terms.order()
                        + " there; ";
        if (type.has(Capability.UNCHECKED)) {
            return "its messages are unchecked, and " + orders + "use a checked port type";
        }
        return stack.startsWith(CONVERSION)
                ? null
                : orders + "write '" + CONVERSION + type.stack() + "' for its stack";
    }

    private static Answer answer(ReceivePort port, Origin from) {
        if (!port.accepting()) {
            return new Later(
                    no(
                            ConnectRefused.Why.DISABLED,
                            "it accepts no connections until its enableConnections() is called"));
        }
        return switch (port.inputs().place(from)) {
            case Place.Kept(String why) -> new Later(no(ConnectRefused.Why.OCCUPIED, why));
            case Place.Taken(String why) -> no(ConnectRefused.Why.OCCUPIED, why);
            case Place.Unwanted(String why) -> no(ConnectRefused.Why.UNWANTED, why);
            case Place.Reserved() -> new Yes(new Connecting(port, from));
        };
    }

    private static No no(ConnectRefused.Why why, String text) {
        return new No(why.code(), text);
    }

    private record Connecting(ReceivePort port, Origin from) implements Receiver {
        @Override
        public void cancelled(InChannel channel) {
            port.inputs().cancel(channel);
        }

        @Override
        public void attach(InChannel channel) {
            port.inputs().add(from, channel);
        }

        @Override
        public void failed(String why) {
            port.inputs().unreserve();
        }
    }
}
