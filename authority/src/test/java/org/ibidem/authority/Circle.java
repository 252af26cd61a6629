package org.ibidem.authority;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.ibidem.arbitration.Clock;
import org.ibidem.identity.Identity;
import org.ibidem.port.PortType;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.SendPort;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.ibidem.registry.PoolEvent;
import org.ibidem.topology.Contact;
import org.ibidem.topology.NodeId;
import org.ibidem.trust.Role;
import org.ibidem.trust.Standing;
import org.ibidem.trust.Trust;

/// Two members of a pool with an authority, their hub, which may lie, and another hub that wants no
/// certificates of those who are no members.
final class Circle {
    static final Duration LONG = Duration.ofSeconds(60);
    static final Duration SOON = Duration.ofSeconds(20);
    static final Duration MONTH = Duration.ofDays(30);
    static final PortType TYPE = PortType.manyToOne().stack("tls > tcp");

    final PoolAuthority demo;
    final HostileHub hub;
    final HostileHub den = new HostileHub(Identity.create());
    final Node alice;
    final Node bob;
    final ReceivePort atAlice;
    final ReceivePort atBob;
    private final Path folder;
    private final List<AutoCloseable> opened = new ArrayList<>();

    Circle(Path folder) throws Exception {
        this.folder = folder;
        demo = PoolAuthority.create(folder.resolve("demo"), "demo", new char[0], MONTH);
        hub = new HostileHub(issued("hub", Role.HUB));
        alice = member("alice");
        bob = member("bob");
        atAlice = in(alice);
        atBob = in(bob);
        alice.awaitMembers(2, LONG);
        bob.awaitMembers(2, LONG);
    }

    Identity issued(String name, Role role) throws Exception {
        var file = folder.resolve(name);
        PoolAuthority.write(file, demo.issue(name, new Standing("demo", role, ""), MONTH));
        var root = folder.resolve("demo").resolve(PoolAuthority.CERTIFICATE);
        return Identity.stored(file)
                .trusting(Trust.read(List.of(root), List.of(file), Clock.TIME_OF_DAY));
    }

    static Join to(HostileHub hub) {
        return Join.pool("demo").hub("127.0.0.1:" + hub.port()).limit(LONG);
    }

    <T extends AutoCloseable> T keep(T one) {
        opened.add(one);
        return one;
    }

    Node member(String name) throws Exception {
        return keep(Node.join(to(hub).identity(issued(name, Role.NODE))));
    }

    /// Somebody whom the authority does not know.
    Node stranger() {
        return keep(Node.join(to(den)));
    }

    ReceivePort in(Node node) {
        return keep(ReceivePort.open(node, TYPE, "in"));
    }

    static Contact contact(Node of) {
        return of.contact(of.id()).orElseThrow();
    }

    static Contact at(NodeId id, InetSocketAddress address) {
        return new Contact(id, List.of(address), Map.of());
    }

    /// What comes of an attempt to send something to whoever is taken for this node.
    static Throwable attempt(Node from, NodeId to, Duration limit) {
        try (var out = SendPort.open(from, TYPE, "out")) {
            return catchThrowable(() -> {
                out.connect(to, "in", limit);
                say(out, "not for you");
            });
        }
    }

    static void say(SendPort out, String word) {
        try (var message = out.newMessage()) {
            message.writeString(word);
            message.finish();
        }
    }

    static void hears(ReceivePort in, String word) {
        try (var message = in.receive(LONG)) {
            assertThat(message).as("'%s', within a minute", word).isNotNull();
            assertThat(message.readString()).isEqualTo(word);
        }
    }

    /// Between those who belong there.
    void goesOn() {
        try (var out = SendPort.open(alice, TYPE, "out")) {
            out.connect(bob.id(), "in", SOON);
            say(out, "hello");
            hears(atBob, "hello");
        }
    }

    static void nothingCame(ReceivePort... ports) {
        for (var port : ports) {
            assertThat(port.messages()).as("messages at %s", port).isZero();
            assertThat(port.connections()).isEmpty();
        }
    }

    /// What a node has lost its hub for.
    List<String> losses(Node of) {
        var all = new CopyOnWriteArrayList<String>();
        keep(
                of.events(event -> {
                    if (event instanceof PoolEvent.HubLost(var why)) {
                        all.add(why);
                    }
                }));
        return all;
    }

    void close() throws Exception {
        hub.speaks(HostileHub.HONEST);
        for (var each : opened.reversed()) {
            each.close();
        }
        hub.close();
        den.close();
    }
}
