package org.ibidem.port;

import org.ibidem.arbitration.WaitPolicy;
import org.ibidem.serial.ObjectPolicy;
import org.jspecify.annotations.Nullable;

/// How a receive port is set up, beyond its type. Immutable: each method gives a changed copy.
public final class ReceiveSetup {
    /// Explicit receive, connections of anybody, no objects but plain values.
    public static final ReceiveSetup USUAL =
            new ReceiveSetup(null, ObjectPolicy.NOTHING_BUT_VALUES, null, false, null, true);

    final @Nullable WaitPolicy waiting;
    private final ObjectPolicy allowed;
    final @Nullable MessageUpcall upcall;
    final boolean polled;
    final @Nullable ConnectionUpcall connections;
    final boolean accepting;

    /// How messages reach the program.
    enum Serving {
        EXPLICIT,
        UPCALLS,
        POLLED
    }

    private ReceiveSetup(
            @Nullable WaitPolicy waiting,
            ObjectPolicy allowed,
            @Nullable MessageUpcall upcall,
            boolean polled,
            @Nullable ConnectionUpcall connections,
            boolean accepting) {
        this.waiting = waiting;
        this.allowed = allowed;
        this.upcall = upcall;
        this.polled = polled;
        this.connections = connections;
        this.accepting = accepting;
    }

    /// With its own way of waiting.
    public ReceiveSetup waiting(WaitPolicy policy) {
        return new ReceiveSetup(policy, allowed, upcall, polled, connections, accepting);
    }

    /// Letting in objects of the classes this policy allows.
    public ReceiveSetup allow(ObjectPolicy policy) {
        return new ReceiveSetup(waiting, policy, upcall, polled, connections, accepting);
    }

    /// Messages are handed over as they come; the type has `upcalls`.
    public ReceiveSetup upcall(MessageUpcall handler) {
        return new ReceiveSetup(waiting, allowed, handler, false, connections, accepting);
    }

    /// Messages are handed over when the program calls [ReceivePort#runUpcall]; the type has
    /// `polled-upcalls`.
    public ReceiveSetup polledUpcall(MessageUpcall handler) {
        return new ReceiveSetup(waiting, allowed, handler, true, connections, accepting);
    }

    /// Connections are accepted by this, and told to it when they end; the type has
    /// `connection-upcalls`.
    public ReceiveSetup connections(ConnectionUpcall handler) {
        return new ReceiveSetup(waiting, allowed, upcall, polled, handler, accepting);
    }

    /// Neither connections nor upcalls before [ReceivePort#enableConnections] and
    /// [ReceivePort#enableUpcalls].
    public ReceiveSetup disabled() {
        return new ReceiveSetup(waiting, allowed, upcall, polled, connections, false);
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
