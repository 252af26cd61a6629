package org.ibidem.port;

import org.ibidem.arbitration.WaitPolicy;
import org.ibidem.serial.ObjectPolicy;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// How a receive port is set up, beyond its type. Immutable: each method gives a changed copy.
public final class ReceiveSetup {
    /// Explicit receive, connections of anybody, no objects but plain values.
    public static final ReceiveSetup USUAL = new ReceiveSetup();

    @Nullable WaitPolicy waiting;
    @Nullable MessageUpcall upcall;
    @Nullable ConnectionUpcall connections;
    @Nullable FailureUpcall failures;
    @Nullable NodeId only;
    boolean polled;
    boolean accepting = true;
    private ObjectPolicy allowed = ObjectPolicy.NOTHING_BUT_VALUES;

    /// How messages reach the program.
    enum Serving {
        EXPLICIT,
        UPCALLS,
        POLLED
    }

    private ReceiveSetup() {}

    private ReceiveSetup(ReceiveSetup from) {
        waiting = from.waiting;
        upcall = from.upcall;
        connections = from.connections;
        failures = from.failures;
        only = from.only;
        polled = from.polled;
        accepting = from.accepting;
        allowed = from.allowed;
    }

    /// With its own way of waiting.
    public ReceiveSetup waiting(WaitPolicy policy) {
        var copy = new ReceiveSetup(this);
        copy.waiting = policy;
        return copy;
    }

    /// For one peer: connections are accepted of send ports of this node alone. Any other node is
    /// refused with [ConnectRefused.Why#UNWANTED] before anything else is compared, so it takes no
    /// place, delivers nothing, and the [ConnectionUpcall] never hears of it. The name of a port is
    /// no secret: open each port so that is made for one peer, such as one for replies.
    ///
    /// ```java
    /// var in = ReceivePort.open(node, type, "replies", ReceiveSetup.USUAL.only(server));
    /// ```
    public ReceiveSetup only(NodeId peer) {
        var copy = new ReceiveSetup(this);
        copy.only = peer;
        return copy;
    }

    /// Letting in objects of the classes this policy allows.
    public ReceiveSetup allow(ObjectPolicy policy) {
        var copy = new ReceiveSetup(this);
        copy.allowed = policy;
        return copy;
    }

    /// Messages are handed over as they come; the type has `upcalls`.
    public ReceiveSetup upcall(MessageUpcall handler) {
        var copy = new ReceiveSetup(this);
        copy.upcall = handler;
        copy.polled = false;
        return copy;
    }

    /// Messages are handed over when the program calls [ReceivePort#runUpcall]; the type has
    /// `polled-upcalls`.
    public ReceiveSetup polledUpcall(MessageUpcall handler) {
        var copy = upcall(handler);
        copy.polled = true;
        return copy;
    }

    /// What the handler of messages throws is told to this, instead of being logged.
    public ReceiveSetup failures(FailureUpcall handler) {
        var copy = new ReceiveSetup(this);
        copy.failures = handler;
        return copy;
    }

    /// Connections are accepted by this, and told to it when they end; the type has
    /// `connection-upcalls`.
    public ReceiveSetup connections(ConnectionUpcall handler) {
        var copy = new ReceiveSetup(this);
        copy.connections = handler;
        return copy;
    }

    /// Neither connections nor upcalls before [ReceivePort#enableConnections] and
    /// [ReceivePort#enableUpcalls].
    public ReceiveSetup disabled() {
        var copy = new ReceiveSetup(this);
        copy.accepting = false;
        return copy;
    }

    ObjectCoder coder(PortType type) {
        return ObjectCoder.of(type, allowed);
    }

    Serving check(PortType type) {
        if (connections != null) {
            type.require(Capability.CONNECTION_UPCALLS, "a ConnectionUpcall");
        }
        if (upcall == null) {
            return Serving.EXPLICIT;
        }
        type.require(polled ? Capability.POLLED_UPCALLS : Capability.UPCALLS, "a MessageUpcall");
        return polled ? Serving.POLLED : Serving.UPCALLS;
    }
}
