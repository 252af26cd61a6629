package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.ibidem.arbitration.WaitPolicy;
import org.ibidem.connect.Unreachable;
import org.ibidem.serial.ObjectPolicy;
import org.ibidem.station.Neighbourhood;
import org.ibidem.station.NodeRuntime;
import org.ibidem.topology.Contact;

/// Two nodes without a hub: each knows where the other is.
final class Pair implements AutoCloseable {
    private final Neighbourhood all = new Neighbourhood("test");
    final NodeRuntime here = runtime();
    final NodeRuntime there = runtime();

    /// How a connect is refused. One to which no answer came in time, as the machine stood still,
    /// is asked again.
    static ConnectRefused refused(ThrowingCallable connect) {
        var thrown = catchThrowable(connect);
        while (thrown instanceof Unreachable) {
            thrown = catchThrowable(connect);
        }
        assertThat(thrown).isInstanceOf(ConnectRefused.class);
        return (ConnectRefused) thrown;
    }

    NodeRuntime runtime() {
        return runtime("test");
    }

    NodeRuntime runtime(String pool) {
        return all.runtime(pool, UnaryOperator.identity());
    }

    /// One that finds nothing in common with the others but sockets, as if it were far away.
    NodeRuntime withoutPlaces() {
        return all.runtime("test", Neighbourhood::withoutPlaces);
    }

    /// One for which only this other one is so.
    NodeRuntime withoutPlacesOf(NodeRuntime other) {
        return all.runtime(
                "test",
                contact ->
                        contact.id().equals(other.id())
                                ? Neighbourhood.withoutPlaces(contact)
                                : contact);
    }

    /// One that finds this other one at another address.
    NodeRuntime runtime(NodeRuntime other, InetSocketAddress address) {
        return all.runtime(
                "test",
                contact ->
                        contact.id().equals(other.id())
                                ? new Contact(contact.id(), List.of(address), contact.places())
                                : contact);
    }

    ReceivePort receive(NodeRuntime runtime, PortType type, String name) {
        return receive(runtime, type, name, ReceiveSetup.USUAL);
    }

    ReceivePort receive(NodeRuntime runtime, PortType type, String name, ReceiveSetup setup) {
        return ReceivePort.open(
                runtime,
                type,
                name,
                setup.allow(ObjectPolicy.NOTHING_BUT_VALUES.allow("org.ibidem.port.**"))
                        .waiting(WaitPolicy.ADAPTIVE));
    }

    SendPort send(NodeRuntime runtime, PortType type, String name) {
        return send(runtime, type, name, SendSetup.USUAL);
    }

    /// One that is connected from here to this port over there.
    SendPort connected(PortType type, String port) {
        var out = send(here, type, "to " + port);
        out.connect(there.id(), port);
        return out;
    }

    SendPort send(NodeRuntime runtime, PortType type, String name, SendSetup setup) {
        return SendPort.open(runtime, type, name, setup.waiting(WaitPolicy.ADAPTIVE));
    }

    @Override
    public void close() {
        here.close();
        there.close();
        all.close();
    }
}
