package org.ibidem.lab.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
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
    private static final Duration MOMENT = Duration.ofMillis(1);

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
            enableUpcalls(receiver, true);
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
        } else if (what < 19) {
            connect();
        } else if (what < 22) {
            connectSeveral();
        } else if (what < 58) {
            send();
        } else if (what < 85) {
            receive();
        } else if (what < 89) {
            disconnect();
        } else if (what < 94) {
            toggle();
        } else if (what < 97) {
            close(what);
        } else if (what == 97 && random.nextInt(3) == 0) {
            leave();
        } else {
            compare();
        }
    }

    private void close(int what) throws Exception {
        if (what == 94 && !senders.isEmpty()) {
            closeSender(some(senders));
        } else if (what > 94 && !receivers.isEmpty()) {
            closeReceiver(some(receivers));
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
            } else if (type.has(Capability.POLLED_UPCALLS)) {
                setup = setup.polledUpcall(message -> exchange.upcall(message, upcalls));
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
        exchange.noticeEnds(receiver);
        var why = Expected.refusal(sender, receiver);
        if (unclear(receiver)) {
            return;
        }
        boolean leaves = why == ConnectRefused.Why.OCCUPIED && receiver.isLeft();
        if (leaves && !Expected.taken(sender, receiver.target()) && waits++ > 0) {
            return; // takes all its limit
        }
        log.add("connect " + sender + " to " + receiver + ", expected: " + why);
        var target = receiver.target();
        if (Expected.taken(sender, target)) {
            assertThatThrownBy(() -> sender.port.connect(target.node(), target.port(), LIMIT))
                    .isInstanceOf(IllegalStateException.class);
        } else if (why == ConnectRefused.Why.DISABLED) {
            connectDisabled(sender, receiver);
        } else if (why != null) {
            var limit = leaves ? SHORT : LIMIT;
            assertThatThrownBy(() -> sender.port.connect(target.node(), target.port(), limit))
                    .isInstanceOfSatisfying(
                            ConnectRefused.class,
                            refused -> assertThat(refused.why()).isEqualTo(why));
        } else {
            connect(sender, receiver);
        }
    }

    /// Whether it has read the end of a connection cannot be known.
    private static boolean unclear(Receiver receiver) {
        boolean breaks = receiver.hasUpcall() && Types.breaks(receiver.port.type());
        return receiver.lines.stream()
                .anyMatch(
                        line -> breaks || (line.ended && (line.doubtful || receiver.hasUpcall())));
    }

    /// Refused when the time is over; or let in when connections are enabled meanwhile.
    private void connectDisabled(Sender sender, Receiver receiver) throws Exception {
        var target = receiver.target();
        boolean full = !Expected.fromMany(receiver.port.type()) && !receiver.lines.isEmpty();
        if (full || random.nextBoolean()) {
            if (waits++ > 0) {
                return; // takes all its limit
            }
            assertThatThrownBy(() -> sender.port.connect(target.node(), target.port(), SHORT))
                    .isInstanceOfSatisfying(
                            ConnectRefused.class,
                            e -> assertThat(e.why()).isEqualTo(ConnectRefused.Why.DISABLED));
            return;
        }
        log.add("and enable it meanwhile");
        var enabling = Thread.ofVirtual().unstarted(receiver.port::enableConnections);
        enabling.start();
        receiver.accepting = true;
        connect(sender, receiver);
        enabling.join();
    }

    /// Side by side: some are reached, of the others is said why not.
    private void connectSeveral() throws Exception {
        if (senders.isEmpty() || receivers.isEmpty()) {
            return;
        }
        var sender = some(senders);
        exchange.forgetGone(sender);
        var wanted =
                new LinkedHashSet<>(List.of(some(receivers), some(receivers), some(receivers)));
        for (var receiver : wanted) {
            receiver.forgetGone();
            exchange.noticeEnds(receiver);
        }
        wanted.removeIf(receiver -> unclear(receiver) || !receiver.accepting || receiver.isLeft());
        if (!Expected.toMany(sender.port.type()) || wanted.isEmpty()) {
            return;
        }
        log.add("connect " + sender + " to all of " + wanted);
        boolean breaks = Types.breaks(sender.port.type());
        var done = sender.port.connect(wanted.stream().map(Receiver::target).toList(), LIMIT);
        for (var receiver : wanted) {
            var target = receiver.target();
            var failed = done.failed().get(target);
            var why = Expected.refusal(sender, receiver);
            if (Expected.taken(sender, target)) {
                assertThat(failed).as("connected already").isNotNull();
            } else if (why != null && !(breaks && failed == null)) {
                assertThat(failed)
                        .isInstanceOfSatisfying(
                                ConnectRefused.class,
                                refused -> assertThat(refused.why()).isEqualTo(why));
            } else if (failed == null) {
                assertThat(done.reached()).contains(target);
                connected(sender, receiver);
            } else {
                requireUnknown(breaks, failed);
            }
        }
    }

    /// A receiver may not know yet that the connection it had is broken.
    private static void requireUnknown(boolean breaks, RuntimeException failed) {
        boolean occupied =
                failed instanceof ConnectRefused refused
                        && refused.why() == ConnectRefused.Why.OCCUPIED;
        assertThat(breaks && occupied).as("%s", failed).isTrue();
    }

    private void connect(Sender sender, Receiver receiver) throws Exception {
        var target = receiver.target();
        try {
            sender.port.connect(target.node(), target.port(), LIMIT);
        } catch (ConnectRefused e) {
            requireUnknown(Types.breaks(sender.port.type()), e);
            return;
        }
        connected(sender, receiver);
    }

    private void connected(Sender sender, Receiver receiver) throws Exception {
        var line = new Line(sender.origin(), Types.doubtful(sender.port.type()));
        sender.lines.put(receiver.target(), line);
        receiver.lines.add(line);
        receiver.untoldNew.add(line.origin);
        if (!Types.breaks(sender.port.type())) {
            exchange.until("the receiver knows it", receiver::knowsAll);
        }
    }

    private void send() throws Exception {
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
            if (receiver.owed() && receiver.upcallsEnabled) {
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
        if (receivers.isEmpty()) {
            return;
        }
        var receiver = some(receivers);
        if (random.nextBoolean()) {
            enableUpcalls(receiver, !receiver.upcallsEnabled);
            return;
        }
        receiver.accepting ^= true;
        log.add((receiver.accepting ? "enable " : "disable ") + receiver);
        if (receiver.accepting) {
            receiver.port.enableConnections();
        } else {
            receiver.port.disableConnections();
        }
    }

    /// While they are disabled none begins; one may have begun before.
    private void enableUpcalls(Receiver receiver, boolean enabled) {
        if (!receiver.hasUpcall() && !receiver.hasPolledUpcall()) {
            return;
        }
        log.add((enabled ? "enable" : "disable") + " upcalls of " + receiver);
        if (enabled) {
            assertThat(receiver.upcallsEnabled || receiver.made() <= receiver.mostMade)
                    .as("none while they were disabled")
                    .isTrue();
            receiver.port.enableUpcalls();
        } else {
            receiver.port.disableUpcalls();
            receiver.mostMade = receiver.made() + 1;
        }
        receiver.upcallsEnabled = enabled;
    }

    private void closeSender(Sender sender) {
        log.add("close " + sender);
        sender.port.close();
        gone(sender);
    }

    private void gone(Sender sender) {
        lost(sender);
        assertThatThrownBy(sender.port::newMessage).isInstanceOf(PortClosed.class);
    }

    private void lost(Sender sender) {
        senders.remove(sender);
        exchange.closed(sender);
        sender.lines.values().forEach(line -> line.ended = true);
    }

    /// At once; or with a limit, for senders to disconnect, which they do not.
    private void closeReceiver(Receiver receiver) throws Exception {
        log.add("close " + receiver);
        if (random.nextBoolean()) {
            receiver.port.close();
        } else {
            boolean all = receiver.port.close(MOMENT);
            boolean open = receiver.lines.stream().anyMatch(line -> !line.ended);
            if (!Types.breaks(receiver.port.type())) {
                assertThat(all && open).as("somebody is connected").isFalse();
                assertThat(all || !receiver.lines.isEmpty()).as("nobody is").isTrue();
            }
        }
        gone(receiver);
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

    /// A node leaves, or is held for dead by another one; another one joins.
    private void leave() throws Exception {
        var node = some(nodes);
        nodes.remove(node);
        boolean dies = random.nextBoolean();
        log.add((dies ? "death of " : "leave ") + node);
        if (dies) {
            receivers.stream() // also of ports that are closed: their end may not be read yet
                    .flatMap(receiver -> receiver.lines.stream())
                    .filter(line -> line.origin.node().equals(node.id()))
                    .forEach(line -> {
                        line.broken = true;
                        line.doubtful = true;
                    });
            some(nodes).assumeDead(node.id(), "as the model says");
        } else {
            node.close();
        }
        for (var sender : List.copyOf(senders)) {
            if (sender.node.equals(node)) {
                lost(sender);
            }
        }
        for (var receiver : List.copyOf(receivers)) {
            if (receiver.node.equals(node)) {
                gone(receiver);
            }
        }
        node.close();
        nodes.add(Node.join(join));
    }

    /// The lists of connections.
    private void compare() throws Exception {
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
            // Of one that was cut while it was made, the receiver may still have its end.
            if (!Types.breaks(receiver.port.type())) {
                assertThat(expected)
                        .as(receiver.toString())
                        .containsAll(receiver.port.connections());
            }
            exchange.downcalls(receiver);
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
