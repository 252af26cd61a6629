package org.ibidem.station;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.ibidem.IbidemException;
import org.ibidem.buffer.ControlReader;
import org.ibidem.buffer.ControlWriter;
import org.ibidem.connect.Check;
import org.ibidem.connect.ConnectMethod;
import org.ibidem.control.Peers;
import org.ibidem.dial.Brokering;
import org.ibidem.dial.Policy;
import org.ibidem.handshake.Handshake;
import org.ibidem.handshake.Proved;
import org.ibidem.link.Reach;
import org.ibidem.peer.Deliberation;
import org.ibidem.peer.Deliberation.Tried;
import org.ibidem.peer.Purpose;
import org.ibidem.task.Tasks;
import org.ibidem.topology.Contact;
import org.ibidem.topology.NodeId;

/// Tries every method towards a peer, one after the other, and says what came of each: for people
/// who ask, here or at another node.
///
/// ```
/// EXPLAIN  | node 16 | limit of each u32, milliseconds |
/// answer   | count u16 | count × ( method text | took u32, microseconds | connected u8 | why text ) |
/// ```
public final class Explanations {
    private static final Duration LONGEST = Duration.ofSeconds(10);

    private final Peers peers;
    private final Handshake handshake;
    private final List<ConnectMethod> methods;
    private final Brokering brokering;
    private final NodeRuntime.Whereabouts contacts;
    private final Policy policy;

    Explanations(
            Peers peers,
            Handshake handshake,
            List<ConnectMethod> methods,
            Brokering brokering,
            NodeRuntime.Whereabouts contacts,
            Policy policy) {
        this.peers = peers;
        this.handshake = handshake;
        this.methods = methods;
        this.brokering = brokering;
        this.contacts = contacts;
        this.policy = policy;
        peers.serve(Peers.EXPLAIN, this::answer);
    }

    /// Tries them from here.
    ///
    /// @param each time limit of each
    public Deliberation explain(NodeId peer, Duration each) {
        var contact = contacts.of(peer, LONGEST);
        var tried = new ArrayList<Tried>();
        long begin = tasks().nanoTime();
        for (var method : methods) {
            var began = Duration.ofNanos(tasks().nanoTime() - begin);
            tried.add(attempt(method, contact, each, began));
        }
        return new Deliberation(peer, Purpose.TRIAL, tried);
    }

    private Tasks tasks() {
        return brokering.tasks();
    }

    private Tried attempt(ConnectMethod method, Contact contact, Duration each, Duration began) {
        long begin = tasks().nanoTime();
        boolean connected = false;
        var why = "connected";
        try {
            var forbidden = policy.whyNot(method, contact);
            if (!forbidden.isEmpty()) {
                why = "not tried: " + forbidden;
            } else if (method.reach(contact) instanceof Reach.No(var reason)) {
                why = reason;
            } else {
                var hello = peers.trial(contact.id());
                Check<Proved> check = path -> handshake.begin(path, hello)::finish;
                method.connect(contact, check, brokering.context(contact.id(), each))
                        .path()
                        .close();
                connected = true;
            }
        } catch (IbidemException e) {
            why = String.valueOf(e.getMessage());
        }
        var cost = policy.cost(method, contact);
        why = cost.isEmpty() ? why : why + "; " + cost;
        var took = Duration.ofNanos(tasks().nanoTime() - begin);
        return new Tried(method.name(), began, took, connected, why);
    }

    /// Has another node try them.
    public Deliberation explain(NodeId from, NodeId peer, Duration each) {
        var request = new ControlWriter(NodeId.BYTES + Integer.BYTES);
        peer.write(request);
        request.i32((int) each.toMillis());
        var limit = each.multipliedBy(methods.size() + 1L);
        var answer = peers.request(from, Peers.EXPLAIN, request.toBytes(), limit);
        return new Deliberation(peer, Purpose.TRIAL, Tried.read(new ControlReader(answer)));
    }

    private byte[] answer(NodeId asking, byte[] message) {
        var in = new ControlReader(message);
        var peer = NodeId.read(in, "node");
        var each = Duration.ofMillis(Integer.toUnsignedLong(in.i32("limit")));
        in.end();
        return Tried.write(explain(peer, each.compareTo(LONGEST) < 0 ? each : LONGEST).tried());
    }
}
