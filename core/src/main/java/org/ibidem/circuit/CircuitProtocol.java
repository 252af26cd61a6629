package org.ibidem.circuit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.ibidem.Visible;
import org.ibidem.channel.Acceptor;
import org.ibidem.channel.InChannel;
import org.ibidem.channel.OutChannel;
import org.ibidem.config.Nearest;
import org.ibidem.link.Terms;
import org.ibidem.selector.Alternatives;
import org.ibidem.selector.Selector;
import org.ibidem.station.NodeRuntime;
import org.ibidem.topology.NodeId;

/// The circuits of one node, and how a member asks another for a link: channels of kind `circuit`.
/// Format: `docs/wire/circuit.md`.
final class CircuitProtocol implements Acceptor {
    private static final String KIND = "circuit";
    private static final int DIFFERENT = 1;
    private static final int NOT_OPEN = 2;

    private final NodeRuntime runtime;
    private final Selector selector;
    private final Alternatives alternatives;
    private final Map<String, Circuit> circuits = new ConcurrentHashMap<>();

    private CircuitProtocol(NodeRuntime runtime) {
        this.runtime = runtime;
        this.selector = new Selector(runtime.catalog(), runtime.domains(), runtime.secrecy());
        this.alternatives = new Alternatives(selector, runtime.tasks(), runtime::line);
        runtime.channels().serve(KIND, this);
    }

    static CircuitProtocol of(NodeRuntime runtime) {
        return runtime.room(CircuitProtocol.class, () -> new CircuitProtocol(runtime));
    }

    /// A link that was made.
    ///
    /// @param passedOver what was preferred to it, with the reasons; empty or in parentheses
    record Made(OutChannel channel, String stack, String passedOver) {}

    /// Checks what can be checked before anybody connects.
    void check(String name, int members, String stack) {
        if (name.isEmpty() || name.length() > CircuitRequest.LONGEST_NAME) {
            throw new IllegalArgumentException(
                    "a circuit's name has 1 to " + CircuitRequest.LONGEST_NAME + " bytes");
        }
        Visible.name("a circuit's name", name);
        if (members > CircuitRequest.MOST_MEMBERS) {
            throw new IllegalArgumentException(
                    "a circuit has at most " + CircuitRequest.MOST_MEMBERS + " members");
        }
        for (var one : selector.alternatives(stack)) {
            if (!one.delivery().isFaithful()) {
                throw new IllegalArgumentException(
                        "the stack '%s' may %s frames, and a circuit loses none: put 'reliable >' above it"
                                .formatted(one, one.delivery()));
            }
        }
    }

    void add(Circuit circuit) {
        if (circuits.putIfAbsent(circuit.name(), circuit) != null) {
            throw new IllegalArgumentException(circuit + " is open at this node already");
        }
        runtime.channels().changed();
    }

    void remove(Circuit circuit) {
        circuits.remove(circuit.name(), circuit);
    }

    /// Asks a member for a link, over the best stack that works.
    Made connect(NodeId to, CircuitRequest self, Duration limit) {
        var tasks = runtime.tasks();
        long end = tasks.deadline(limit);
        var contact = runtime.contact(to, limit);
        var request = self.encode();
        var found =
                alternatives.first(
                        self.stack(),
                        contact,
                        Duration.ofNanos(Math.max(1, end - tasks.nanoTime())),
                        (stack, left) ->
                                runtime.channels().openOver(to, KIND, stack, request, left));
        var more = new ArrayList<>(found.passedOver());
        if (!found.decided().isEmpty()) {
            more.add(found.decided());
        }
        found.what().serves("'" + self.name() + "'");
        return new Made(
                found.what(),
                found.stack().toString(),
                more.isEmpty() ? "" : " (" + String.join("; ", more) + ")");
    }

    @Override
    public Answer answer(NodeId peer, String stack, Terms terms, byte[] request) {
        var wanted = CircuitRequest.decode(request);
        var circuit = circuits.get(wanted.name());
        if (circuit == null) {
            return new Later(
                    new No(
                            NOT_OPEN,
                            "it has no circuit '"
                                    + wanted.name()
                                    + "'"
                                    + Nearest.to(wanted.name(), circuits.keySet())
                                            .map(near -> "; did you mean '" + near + "'?")
                                            .orElse(", and none was opened in time")));
        }
        var refusal = circuit.refusal(wanted, peer);
        if (refusal != null) {
            return new No(DIFFERENT, refusal);
        }
        if (!selector.allows(wanted.stack(), stack)) {
            return new No(DIFFERENT, "its stack '" + wanted.stack() + "' is not made as " + stack);
        }
        circuit.expect(wanted.member());
        return new Yes(new Attaching(circuit, wanted.member()));
    }

    @Override
    public void gone(NodeId peer, String why) {
        circuits.values().forEach(circuit -> circuit.gone(peer, why));
    }

    private record Attaching(Circuit circuit, int from) implements Receiver {
        @Override
        public void attach(InChannel incoming) {
            circuit.attach(from, incoming);
        }

        @Override
        public void failed(String why) {
            circuit.failed(from); // who asked tries another stack, or says so
        }

        @Override
        public void lost(String why) {
            circuit.lost(from, why);
        }

        @Override
        public void cancelled(InChannel channel) {
            circuit.cancel(channel);
        }
    }
}
