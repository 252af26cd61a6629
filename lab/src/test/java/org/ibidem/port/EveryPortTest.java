package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.rmi.Remote;
import java.rmi.RemoteException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.ibidem.hub.Hub;
import org.ibidem.messaging.Overflow;
import org.ibidem.messaging.Procedure;
import org.ibidem.messaging.Subject;
import org.ibidem.mpj.device.circuit.CircuitDevice;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.ibidem.registry.access.Runtimes;
import org.ibidem.rmi.Rmi;
import org.ibidem.satin.Satin;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Of all receive ports that the product opens at a node, a third member gets into those alone that
/// are for all. A new one is refused to it, or is added here with the reason.
@Timeout(120)
class EveryPortTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    /// Whoever gets into these speaks for itself alone: each message is told by its sender.
    private static final Map<String, String> FOR_ALL =
            Map.of(
                    "asked", "a server answers whoever asks",
                    "sent", "a receiver is for any number of senders",
                    "published", "a publisher has whoever subscribes, and counts for each",
                    "pooled", "a pool port is for all members",
                    "rmi", "calls are anybody's, and answered where they come from",
                    "rmi-given-up", "calls are given up by whoever has made them",
                    "satin", "letters of all members, compared with who was asked");

    private final Hub hub = Hub.start(Hub.Options.DEFAULT.port(0));
    private final List<AutoCloseable> opened = new ArrayList<>(List.of(hub));
    private final Node server = node();
    private final Node client = node();
    private final Node stranger = node();

    /// What is called.
    public interface Named extends Remote {
        /// A name.
        String name() throws RemoteException;
    }

    private Node node() {
        return open(Node.join(Join.pool("ports").hub("localhost:" + hub.port())));
    }

    private <T extends AutoCloseable> T open(T what) {
        opened.add(what);
        return what;
    }

    @AfterEach
    void close() throws Exception {
        for (var each : opened.reversed()) {
            each.close();
        }
    }

    /// What is for one peer is `client`'s, and for `server`.
    private void openAll() throws Exception {
        messaging();
        rmi();
        open(Satin.open(client, Satin.Options.USUAL.loader(getClass().getClassLoader())));
        var members = List.of(server.id(), client.id());
        var limits = CircuitDevice.Limits.USUAL;
        open((AutoCloseable) new CircuitDevice(client, members, "auto", limits, () -> {})::finish);
    }

    private void messaging() {
        Procedure<String, String> called = Procedure.of("called", String.class, String.class);
        open(called.server(server, question -> question));
        open(called.caller(client, server.id()));
        var asked = Procedure.of("asked", String.class, String.class);
        open(asked.server(client, question -> question));
        open(Subject.of("sent", String.class).receiver(client));
        open(Subject.of("pooled", String.class).poolPort(client));
        open(Subject.of("published", String.class).publisher(client, Overflow.block()));
        var heard = Subject.of("heard", String.class);
        open(heard.publisher(server, Overflow.block()));
        open(heard.subscriber(client, server.id()));
    }

    private void rmi() throws Exception {
        var there = open(Rmi.open(server));
        var here = open(Rmi.open(client));
        Named named = () -> "it";
        there.names().bind("it", there.export(named));
        assertThat(here.names().lookup("it", Named.class, LIMIT).name()).isEqualTo("it");
    }

    /// Why the third one does not get into a port; empty: it does.
    private String refusal(ReceivePort port) {
        try (var out = SendPort.open(stranger, port.type(), "x")) {
            var refused =
                    catchThrowableOfType(
                            ConnectRefused.class,
                            () -> out.connect(client.id(), port.name(), LIMIT));
            return refused == null ? "" : refused.why() + ": " + refused.getMessage();
        }
    }

    @Test
    void a_stranger_gets_into_no_port_that_is_for_one_peer() throws Exception {
        openAll();
        var refused = new TreeMap<String, String>();
        var open = new ArrayList<String>();
        for (var port : PortProtocol.of(Runtimes.of(client)).all()) {
            var why = refusal(port);
            if (why.isEmpty()) {
                open.add(port.name());
            } else {
                refused.put(port.name(), why);
            }
        }
        assertThat(open).containsExactlyInAnyOrderElementsOf(FOR_ALL.keySet());
        assertThat(refused.keySet())
                .as("the replies of a caller, of a subscription and of remote calls")
                .anyMatch(name -> name.startsWith("called/"))
                .anyMatch(name -> name.startsWith("heard/"))
                .contains("rmi/1")
                .hasSize(3);
        assertThat(refused.values())
                .allSatisfy(why ->
                        assertThat(why)
                                .startsWith("UNWANTED")
                                .contains(
                                        "it is opened for node " + server.id().brief() + " alone"));
    }
}
