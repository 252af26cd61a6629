package org.ibidem.hub;

import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.ibidem.arbitration.Threads;
import org.ibidem.connect.SocketPath;
import org.ibidem.control.ControlLink;
import org.ibidem.handshake.Handshake;
import org.ibidem.handshake.Hello;
import org.ibidem.identity.Identity;
import org.ibidem.link.StreamPath;
import org.ibidem.registry.Membership;
import org.ibidem.registry.wire.Protocol;
import org.ibidem.registry.wire.Request;
import org.ibidem.registry.wire.RequestCoding;
import org.ibidem.topology.Contact;
import org.ibidem.topology.Location;
import org.ibidem.topology.NodeId;

/// Somebody with a proved key who then says what it likes. Its link answers when it is asked
/// whether it lives, until it is [deaf][#deafen].
final class Stranger implements AutoCloseable {
    private static final ControlLink.Limits QUIET =
            ControlLink.Limits.DEFAULT.heartbeat(Duration.ofHours(1), Duration.ofHours(2));

    private final Threads tasks = new Threads("stranger");
    private final Handshake handshake;
    private final DeafPath path;
    final ControlLink link;

    Stranger(Hub hub, String pool) throws Exception {
        this(hub, pool, Identity.create());
    }

    /// With a key of its own, of which there may be several.
    Stranger(Hub hub, String pool, Identity identity) throws Exception {
        handshake = new Handshake(identity, tasks, Heard.LONG);
        var channel = SocketChannel.open(hub.addresses().getFirst());
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        path = new DeafPath(new SocketPath(channel));
        var hello = Hello.bootstrap(pool, hub.id());
        link = ControlLink.over(handshake.initiate(path, hello), tasks, QUIET);
    }

    /// From now on it hears and answers nothing, not even whether it lives.
    void deafen() {
        path.deafen();
    }

    NodeId id() {
        return handshake.identity().id();
    }

    /// Joins the pool.
    void attach(InetSocketAddress listensAt) {
        link.send(wish(id(), listensAt, link.proved().stream()));
    }

    /// What a node says to join an open pool.
    static byte[] wish(NodeId who, InetSocketAddress listensAt, StreamPath over) {
        var wish =
                new Request.Attach(
                        Protocol.VERSION,
                        new Contact(who, List.of(listensAt), Map.of()),
                        Location.parse("here"),
                        0,
                        -1,
                        Membership.ORDERED,
                        Request.Past.NONE);
        return RequestCoding.encode(wish.over(over.local(), over.remote()));
    }

    /// Visits the pool.
    void visit() {
        var contact = new Contact(id(), List.of(), Map.of());
        link.send(RequestCoding.encode(new Request.Visit(Protocol.VERSION, contact)));
    }

    @Override
    public void close() {
        link.close();
        tasks.close();
    }
}
