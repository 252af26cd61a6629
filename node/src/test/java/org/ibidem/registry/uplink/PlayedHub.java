package org.ibidem.registry.uplink;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.ibidem.accept.HubLine;
import org.ibidem.accept.HubPlace;
import org.ibidem.arbitration.Threads;
import org.ibidem.connect.SocketPath;
import org.ibidem.control.ControlLink;
import org.ibidem.handshake.Handshake;
import org.ibidem.handshake.Hello;
import org.ibidem.handshake.Proved;
import org.ibidem.identity.Identity;
import org.ibidem.registry.Member;
import org.ibidem.registry.Membership;
import org.ibidem.registry.Tag;
import org.ibidem.registry.wire.Operation;
import org.ibidem.registry.wire.Outcome;
import org.ibidem.registry.wire.Protocol;
import org.ibidem.registry.wire.Reply;
import org.ibidem.registry.wire.ReplyCoding;
import org.ibidem.registry.wire.Request;
import org.ibidem.registry.wire.RequestCoding;
import org.ibidem.topology.Contact;
import org.ibidem.topology.Location;
import org.ibidem.topology.Surroundings;

/// A hub that hears everything and says what the test says; and the node that speaks with it.
final class PlayedHub implements HubLine, AutoCloseable {
    static final long EPOCH = 7;
    private static final ControlLink.Limits QUIET =
            ControlLink.Limits.DEFAULT.heartbeat(Duration.ofDays(1000), Duration.ofDays(2000));

    /// What becomes of an attempt to connect to it, before there is a connection.
    interface Way {
        void lead(HubPlace place, Duration limit) throws IOException;
    }

    final Identity node = Identity.create();
    final Member me = new Member(node.id(), 0, Location.parse("here"));
    private final Identity own = Identity.create();
    private final Threads tasks;
    private final BlockingQueue<ControlLink> links = new LinkedBlockingQueue<>();
    private final List<ControlLink> all = new CopyOnWriteArrayList<>();
    private ControlLink link;
    volatile Way way = (_, _) -> {};

    PlayedHub(Threads tasks) {
        this.tasks = tasks;
    }

    Uplink uplink(Membership membership, Duration limit, String... hubs) {
        return new Uplink(
                new UplinkContext(
                        "test",
                        List.of(hubs),
                        new UplinkContext.Wish(
                                me.location(), Tag.NONE, 0, -1, membership, limit, false),
                        new Contact(node.id(), List.of(), Map.of()),
                        () -> {
                            throw new AssertionError("nobody asks for " + Surroundings.class);
                        },
                        this,
                        new Handshake(node, tasks, Handshake.LIMIT),
                        (_, _) -> {},
                        tasks,
                        QUIET));
    }

    @Override
    public Proved dial(HubPlace place, Duration limit) throws IOException {
        way.lead(place, limit);
        try (var server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            var near = SocketChannel.open(server.getLocalAddress());
            var hello = Hello.bootstrap("test", null);
            var version = Protocol.VERSION;
            var far = new SocketPath(server.accept());
            var here =
                    ControlLink.over(
                            new Proved(far, node.key(), hello, version, false), tasks, QUIET);
            all.add(here);
            links.add(here);
            return new Proved(new SocketPath(near), own.key(), hello, version, true);
        }
    }

    /// The next connection of the node; what is heard and said is over that one from now on.
    PlayedHub connected() throws InterruptedException {
        link = links.poll(20, TimeUnit.SECONDS);
        assertThat(link).as("a connection within 20 s").isNotNull();
        return this;
    }

    /// Whether there is another connection than the one heard last.
    boolean isConnected() {
        return !links.isEmpty();
    }

    /// The next word of the node.
    Request heard() {
        var message = link.receive();
        assertThat(message).as("a word, before the connection ended").isNotNull();
        return RequestCoding.decode(message);
    }

    /// The next operation it asks for.
    Request.Operate asked(Operation operation) {
        var asked = (Request.Operate) heard();
        assertThat(asked.operation()).isEqualTo(operation);
        return asked;
    }

    void say(Reply reply) {
        link.send(ReplyCoding.encode(reply));
    }

    void settle(Request.Operate asked, Outcome outcome) {
        say(new Reply.Settled(asked.call(), outcome));
    }

    /// Takes the node in, and tells it who is there.
    PlayedHub takesIn(Member... members) throws InterruptedException {
        connected();
        assertThat(heard()).isInstanceOf(Request.Attach.class);
        welcome(EPOCH);
        tell(members);
        return this;
    }

    void welcome(long epoch) {
        say(new Reply.Welcome(Protocol.VERSION, epoch, 1, me.rank(), 0, ""));
    }

    void tell(Member... members) {
        tell(false, members);
    }

    /// @param missed whether the node was away for too long to hear of all that happened
    void tell(boolean missed, Member... members) {
        var facts = new Reply.Facts("", Optional.empty(), missed, false);
        var entries = List.of(members).stream().map(it -> new Reply.Entry(it, false)).toList();
        say(new Reply.Snapshot(1, false, facts, entries, List.of(), List.of()));
    }

    /// What the node says as it ends the connection.
    String heardGoodbye() {
        assertThat(link.receive()).as("the end of the connection").isNull();
        return link.ending().toString();
    }

    /// Ends the connection, as one that breaks does.
    void breaks() {
        link.giveUp(Duration.ZERO);
    }

    /// Ends the connection in order.
    void hangsUp() {
        link.close("it has said all");
    }

    @Override
    public void close() {
        all.forEach(each -> each.giveUp(Duration.ZERO));
        tasks.close();
    }
}
