package org.ibidem.port;

import java.nio.ByteOrder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.ibidem.IbidemException;
import org.ibidem.channel.Acceptor;
import org.ibidem.channel.ChannelRefused;
import org.ibidem.channel.InChannel;
import org.ibidem.channel.OutChannel;
import org.ibidem.config.Nearest;
import org.ibidem.config.NotationException;
import org.ibidem.config.Settings;
import org.ibidem.dial.Unreached;
import org.ibidem.link.LinkBroken;
import org.ibidem.link.Terms;
import org.ibidem.registry.HubUnreachable;
import org.ibidem.selector.Alternatives;
import org.ibidem.selector.NoWay;
import org.ibidem.selector.Selector;
import org.ibidem.stack.Stack;
import org.ibidem.station.NodeRuntime;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// The receive ports of one node, and how a send port asks for a connection to one: channels of
/// kind `port`. Format: `docs/wire/ports.md`.
final class PortProtocol implements Acceptor {
    static final String KIND = "port";

    /// Written above a stack, it makes values right between machines of different byte order.
    private static final String CONVERSION = "conversion > ";

    private static final String COMPRESS = "compress";

    /// The filter as it may have been written already.
    private static final Pattern WHOLE = Pattern.compile("whole(\\(| >)");

    private final NodeRuntime runtime;
    private final Selector selector;
    private final Alternatives alternatives;

    /// For what is secret.
    private final Alternatives uncompressed;

    private final Map<String, ReceivePort> ports = new ConcurrentHashMap<>();
    private final AtomicLong numbers = new AtomicLong();

    private PortProtocol(NodeRuntime runtime) {
        this.runtime = runtime;
        this.selector = new Selector(runtime.catalog(), runtime.domains(), runtime.secrecy());
        this.alternatives = new Alternatives(selector, runtime.tasks(), runtime::line);
        this.uncompressed = alternatives.without(COMPRESS);
        runtime.channels().serve(KIND, this);
    }

    static PortProtocol of(NodeRuntime runtime) {
        return runtime.room(PortProtocol.class, () -> new PortProtocol(runtime));
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
            var delivery = stack.delivery();
            if (type.has(Capability.RELIABLE) && !delivery.isFaithful()) {
                throw new IllegalArgumentException(
                        "the stack '%s' may %s frames, and the port type is reliable: use PortType.without(RELIABLE), or another stack"
                                .formatted(stack, delivery));
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
        runtime.channels().changed();
    }

    void remove(ReceivePort port) {
        ports.remove(port.name(), port);
        runtime.channels().changed(); // who wants it waits for one that is opened instead
    }

    /// Those that are open; for tests.
    List<ReceivePort> all() {
        return List.copyOf(ports.values());
    }

    /// For another send port: the number by which its connections are known to be of one.
    long number() {
        return numbers.incrementAndGet();
    }

    /// A connection that was made, over which stack, and not over which others, with the reasons.
    record Made(OutChannel channel, String stack, List<String> passedOver, String decided) {
        /// Over what it goes now.
        Way way(NodeRuntime runtime) {
            var peer = channel.peer();
            var decisions = Way.decisions(stack, decided, runtime.line(peer));
            return new Way(stack, channel.course(), runtime.trying(peer), passedOver, decisions);
        }
    }

    /// Asks for a connection, over the best stack that works. Programs that start together open
    /// their ports in any order: a port that is not there yet is waited for, at its node.
    ///
    /// @param limit the caller's, for messages
    /// @param left of it
    Made connect(Target to, PortRequest wanted, Duration limit, Duration left) {
        try {
            return connected(to, wanted, left);
        } catch (LinkBroken e) {
            if (e.getCause() instanceof TimeoutException) {
                throw Unreached.told(to.toString(), limit, e);
            }
            throw new ConnectRefused(
                    ConnectRefused.Why.NO_LINK, "no link to " + to + ": " + e.getMessage());
        } catch (NoWay | HubUnreachable e) {
            throw Unreached.told(to.toString(), limit, e);
        } catch (IbidemException e) {
            throw Unreached.says(e) ? Unreached.told(to.toString(), limit, e) : e;
        }
    }

    private Made connected(Target to, PortRequest wanted, Duration limit) {
        var tasks = runtime.tasks();
        long end = tasks.deadline(limit);
        var type = wanted.type();
        var request = wanted.encode();
        var contact = runtime.contact(to.node(), limit);
        var left = Duration.ofNanos(Math.max(1, end - tasks.nanoTime()));
        var found =
                (type.isSecret() ? uncompressed : alternatives)
                        .first(
                                type.stack(),
                                contact,
                                left,
                                (stack, rest) -> open(to, whole(stack), request, rest));
        found.what().serves("'" + to.port() + "'");
        return new Made(
                found.what(), whole(found.stack()).toString(), found.passedOver(), found.decided());
    }

    private OutChannel open(Target to, Stack stack, byte[] request, Duration left) {
        try {
            return runtime.channels().openOver(to.node(), KIND, stack, request, left);
        } catch (ChannelRefused e) {
            throw refused(e, to);
        }
    }

    /// Over what is not faithful, messages arrive whole or not at all. Conversion reads the tags of
    /// messages, so it stays above.
    private Stack whole(Stack stack) {
        var text = stack.toString();
        var above = text.startsWith(CONVERSION) ? CONVERSION : "";
        var below = text.substring(above.length());
        return stack.delivery().isFaithful() || WHOLE.matcher(below).lookingAt()
                ? stack
                : Stack.parse(above + "whole > " + below, runtime.catalog());
    }

    private static ConnectRefused refused(ChannelRefused e, Target to) {
        // A node that has opened no port at all does not even know this kind of channel.
        return switch (e.code()) {
            case ChannelRefused.NO_SUCH_KIND ->
                    new ConnectRefused(
                            ConnectRefused.Why.NO_SUCH_PORT,
                            to + " refused: its node has opened no receive port in time");
            case ChannelRefused.LEAVING ->
                    new ConnectRefused(
                            ConnectRefused.Why.NO_SUCH_PORT, to + " refused: " + e.getMessage());
            default ->
                    new ConnectRefused(
                            ConnectRefused.Why.of(e.code()), to + " refused: " + e.getMessage());
        };
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
        var refusal = port.refusal(peer);
        if (refusal != null) {
            return no(ConnectRefused.Why.UNWANTED, refusal);
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
        return answer(port, new Origin(peer, wanted.sendPort()), wanted.number());
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

    private static Answer answer(ReceivePort port, Origin from, long number) {
        if (!port.accepting()) {
            return new Later(
                    no(
                            ConnectRefused.Why.DISABLED,
                            "it accepts no connections until its enableConnections() is called"));
        }
        return switch (port.inputs().place(from, number)) {
            case Place.Kept(String why) -> new Later(no(ConnectRefused.Why.OCCUPIED, why));
            case Place.Taken(String why) -> no(ConnectRefused.Why.OCCUPIED, why);
            case Place.Unwanted(String why) -> no(ConnectRefused.Why.UNWANTED, why);
            case Place.Reserved(var claim) -> new Yes(new Connecting(port, claim));
        };
    }

    private static No no(ConnectRefused.Why why, String text) {
        return new No(why.code(), text);
    }

    private record Connecting(ReceivePort port, Places.Claim claim) implements Receiver {
        @Override
        public void cancelled(InChannel channel) {
            port.inputs().cancel(channel);
        }

        @Override
        public void attach(InChannel channel) {
            port.inputs().add(claim, channel);
        }

        @Override
        public void failed(String why) {
            port.inputs().unreserve(claim);
        }

        @Override
        public void lost(String why) {
            port.inputs().losses().neverCame(claim.origin, why);
        }
    }
}
