package org.ibidem.lab.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.random.RandomGenerator;
import org.ibidem.hub.Hub;
import org.ibidem.port.Capability;
import org.ibidem.port.ConnectRefused;
import org.ibidem.port.NotConnected;
import org.ibidem.port.PortClosed;
import org.ibidem.port.PortNameTaken;
import org.ibidem.port.PortType;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.ReceiveSetup;
import org.ibidem.port.SendPort;
import org.ibidem.port.Target;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;

/// A random program of three nodes: ports are opened, connected, used, closed, and nodes leave.
/// Each step is done and its outcome compared with what the model says.
final class Program implements AutoCloseable {
    private static final int NODES = 3;
    private static final int MOST_PORTS = 6;
    private static final int MOST_WAITING = 12_000;
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Duration SHORT = Duration.ofMillis(500);

    private final RandomGenerator random;
    private final Join join;
    private final List<Node> nodes = new ArrayList<>();
    private final List<PortType> types;
    private final List<Sender> senders = new ArrayList<>();
    private final List<Receiver> receivers = new ArrayList<>();
    private final Exchange exchange;
    private int names;
    private int waits;

    /// What was done, for whom looks for the cause of a failure.
    final List<String> log = new ArrayList<>();

    Program(RandomGenerator random, Hub hub) {
        this.random = random;
        this.join = Join.pool("p" + random.nextLong()).hub("localhost:" + hub.port());
        this.exchange = new Exchange(random, log);
        this.types = List.of(Types.some(random), Types.some(random));
        for (int i = 0; i < NODES; i++) {
            nodes.add(Node.join(join));
        }
    }

    /// Does so many steps, then receives what is still owed.
    void run(int steps) throws Exception {
        log.add("types " + types);
        for (int i = 0; i < steps; i++) {
            step();
        }
        for (var receiver : receivers) {
            while (receiver.owed()) {
                exchange.receive(receiver);
            }
        }
    }

    private void step() throws Exception {
        int what = random.nextInt(100);
        if (what < 5) {
            openSender();
        } else if (what < 11) {
            openReceiver();
        } else if (what < 22) {
            connect();
        } else if (what < 60) {
            send();
        } else if (what < 88) {
            receive();
        } else if (what < 92) {
            disconnect();
        } else if (what < 94) {
            toggle();
        } else if (what < 96) {
            closeSender();
        } else if (what < 98) {
            closeReceiver();
        } else if (what == 98 && random.nextInt(3) == 0) {
            leave();
        } else {
            compare();
        }
    }

    private <T> T some(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    private void openSender() {
        if (senders.size() < MOST_PORTS) {
            var node = some(nodes);
            var port = SendPort.open(node, some(types), "s" + names++);
            senders.add(new Sender(node, port));
            log.add("open " + senders.getLast());
        }
    }

    private void openReceiver() {
        var node = some(nodes);
        var type = some(types);
        if (receivers.size() < MOST_PORTS) {
            var upcalls = new LinkedBlockingQueue<>();
            var setup = ReceiveSetup.USUAL;
            if (type.has(Capability.UPCALLS)) {
                setup = setup.upcall(message -> exchange.upcall(message, upcalls));
            }
            var port = ReceivePort.open(node, type, "r" + names++, setup);
            receivers.add(new Receiver(node, port, upcalls));
            log.add("open " + receivers.getLast());
        } else {
            var other = some(receivers);
            assertThatThrownBy(() -> ReceivePort.open(other.node, type, other.port.name()))
                    .isInstanceOf(PortNameTaken.class);
        }
    }

    private void connect() throws Exception {
        if (senders.isEmpty() || receivers.isEmpty()) {
            return;
        }
        var sender = some(senders);
        var receiver = some(receivers);
        receiver.forgetGone();
        exchange.forgetGone(sender);
        var why = Expected.refusal(sender, receiver);
        if (why == ConnectRefused.Why.DISABLED && waits++ > 0) {
            return; // takes all its limit
        }
        if (receiver.hasUpcall() && receiver.lines.stream().anyMatch(line -> line.ended)) {
            return; // its own thread may have read the end, or not
        }
        log.add("connect " + sender + " to " + receiver + ", expected: " + why);
        var target = receiver.target();
        if (Expected.taken(sender, target)) {
            assertThatThrownBy(() -> sender.port.connect(target.node(), target.port(), LIMIT))
                    .isInstanceOf(IllegalStateException.class);
        } else if (why != null) {
            var limit = why == ConnectRefused.Why.DISABLED ? SHORT : LIMIT;
            assertThatThrownBy(() -> sender.port.connect(target.node(), target.port(), limit))
                    .isInstanceOfSatisfying(
                            ConnectRefused.class,
                            refused -> assertThat(refused.why()).isEqualTo(why));
        } else {
            connect(sender, receiver);
        }
    }

    private void connect(Sender sender, Receiver receiver) throws Exception {
        var target = receiver.target();
        boolean breaks = Types.breaks(sender.port.type());
        try {
            sender.port.connect(target.node(), target.port(), LIMIT);
        } catch (ConnectRefused e) {
            // a receiver may not know yet that the one it had is broken
            assertThat(breaks && e.why() == ConnectRefused.Why.OCCUPIED).as("%s", e).isTrue();
            return;
        }
        var line = new Line(sender.origin(), Types.doubtful(sender.port.type()));
        sender.lines.put(target, line);
        receiver.lines.add(line);
        if (!breaks) {
            exchange.until("the receiver knows it", receiver::knowsAll);
        }
    }

    private void send() {
        if (senders.isEmpty()) {
            return;
        }
        var sender = some(senders);
        if (sender.mostWaiting() < MOST_WAITING) {
            exchange.send(sender);
        }
    }

    private void receive() throws Exception {
        if (!receivers.isEmpty()) {
            var receiver = some(receivers);
            if (receiver.owed()) {
                exchange.receive(receiver);
            } else {
                exchange.look(receiver);
            }
        }
    }

    private void disconnect() {
        if (senders.isEmpty() || receivers.isEmpty()) {
            return;
        }
        var sender = some(senders);
        var target =
                sender.lines.isEmpty()
                        ? some(receivers).target()
                        : some(List.copyOf(sender.lines.keySet()));
        log.add("disconnect " + sender + " from " + target);
        boolean there = sender.port.disconnect(target.node(), target.port());
        var line = sender.lines.remove(target);
        if (line != null) {
            assertThat(there || line.doubtful).isTrue();
            line.ended = true;
        } else {
            assertThat(there).isFalse();
        }
    }

    private void toggle() {
        if (!receivers.isEmpty()) {
            var receiver = some(receivers);
            receiver.accepting ^= true;
            log.add((receiver.accepting ? "enable " : "disable ") + receiver);
            if (receiver.accepting) {
                receiver.port.enableConnections();
            } else {
                receiver.port.disableConnections();
            }
        }
    }

    private void closeSender() {
        if (!senders.isEmpty()) {
            var sender = some(senders);
            log.add("close " + sender);
            sender.port.close();
            gone(sender);
        }
    }

    private void gone(Sender sender) {
        senders.remove(sender);
        exchange.closed(sender);
        sender.lines.values().forEach(line -> line.ended = true);
        assertThatThrownBy(sender.port::newMessage).isInstanceOf(PortClosed.class);
    }

    private void closeReceiver() throws Exception {
        if (!receivers.isEmpty()) {
            var receiver = some(receivers);
            log.add("close " + receiver);
            receiver.port.close();
            gone(receiver);
        }
    }

    private void gone(Receiver receiver) throws Exception {
        receivers.remove(receiver);
        var target = receiver.target();
        for (var sender : senders) {
            if (sender.lines.remove(target) != null) {
                sender.untold.add(target);
                exchange.until(
                        sender + " knows that " + target + " is closed",
                        () -> !sender.port.connections().contains(target));
            }
        }
    }

    /// A node leaves; another one joins.
    private void leave() throws Exception {
        var node = some(nodes);
        log.add("leave " + node);
        nodes.remove(node);
        node.close();
        for (var sender : List.copyOf(senders)) {
            if (sender.node.equals(node)) {
                gone(sender);
            }
        }
        for (var receiver : List.copyOf(receivers)) {
            if (receiver.node.equals(node)) {
                gone(receiver);
            }
        }
        nodes.add(Node.join(join));
    }

    /// The lists of connections.
    private void compare() {
        for (var sender : senders) {
            if (!sender.doubtful()) {
                assertThat(sender.port.connections())
                        .as("connections of %s", sender)
                        .containsExactlyInAnyOrderElementsOf(sender.lines.keySet());
                if (sender.lines.isEmpty() && sender.untold.isEmpty()) {
                    assertThatThrownBy(sender.port::newMessage).isInstanceOf(NotConnected.class);
                }
            }
        }
        for (var receiver : receivers) {
            var expected = new HashSet<>(receiver.lines.stream().map(line -> line.origin).toList());
            assertThat(expected).as(receiver.toString()).containsAll(receiver.port.connections());
        }
    }

    @Override
    public void close() {
        nodes.forEach(Node::close);
    }

    /// What the model says of an attempt to connect.
    private static final class Expected {
        static boolean taken(Sender sender, Target target) {
            return sender.lines.containsKey(target)
                    || (!toMany(sender.port.type()) && !sender.lines.isEmpty());
        }

        static ConnectRefused.Why refusal(Sender sender, Receiver receiver) {
            if (!sender.port.type().equals(receiver.port.type())) {
                return ConnectRefused.Why.TYPES_DIFFER;
            }
            if (!receiver.accepting) {
                return ConnectRefused.Why.DISABLED;
            }
            boolean full = !fromMany(receiver.port.type()) && !receiver.lines.isEmpty();
            return full ? ConnectRefused.Why.OCCUPIED : null;
        }

        private static boolean toMany(PortType type) {
            return type.connections().toString().endsWith("to-many");
        }

        private static boolean fromMany(PortType type) {
            return type.connections().toString().startsWith("many");
        }
    }
}
