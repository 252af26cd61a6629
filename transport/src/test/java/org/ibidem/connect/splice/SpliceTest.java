package org.ibidem.connect.splice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.ibidem.Eventually.eventually;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.ibidem.arbitration.Threads;
import org.ibidem.config.Services;
import org.ibidem.connect.Check;
import org.ibidem.connect.ConnectMethod;
import org.ibidem.connect.LocalAddresses;
import org.ibidem.connect.MethodContext;
import org.ibidem.connect.Proof;
import org.ibidem.connect.Race;
import org.ibidem.connect.Route;
import org.ibidem.connect.SocketPath;
import org.ibidem.connect.Unreachable;
import org.ibidem.topology.Contact;
import org.ibidem.topology.Egress;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// One end, and a peer that is a listener: on one machine SYNs hardly ever cross, and the system
/// takes a listener's answer the same way. Real crossings are tested in the laboratory.
///
/// Who is there is shown by a [Proof] of letters.
class SpliceTest {
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final NodeId OTHER = new NodeId(2, 2);

    private final Threads threads = new Threads("test");
    private final MethodContext context = new MethodContext(threads, LIMIT);
    private final List<AutoCloseable> resources = new CopyOnWriteArrayList<>();
    private final CompletableFuture<SocketChannel> taken = new CompletableFuture<>();

    @AfterEach
    void close() throws Exception {
        threads.close();
        for (var resource : resources) {
            resource.close();
        }
    }

    private Check<SocketChannel> asking(char wanted) {
        return Proof.asking(wanted, resources::add);
    }

    /// Goes on with the connection that is taken.
    private void answer(SocketChannel channel) throws IOException {
        taken.complete(Proof.answering('b', resources::add).check(new SocketPath(channel)).take());
    }

    private LocalPort port() throws IOException {
        var port = LocalPort.take();
        resources.add(port);
        return port;
    }

    private static InetSocketAddress loopback(LocalPort port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port.number());
    }

    private <T> T race(Check<T> check, Duration limit, SpliceRoute... routes) {
        return new Race<>("node x", List.of(routes), check, context.within(limit))
                .headStart(Duration.ZERO)
                .run();
    }

    private static void assertJoined(SocketChannel one, SocketChannel other) throws IOException {
        assertThat(one.getLocalAddress()).isEqualTo(other.getRemoteAddress());
        assertThat(one.getRemoteAddress()).isEqualTo(other.getLocalAddress());
        Proof.write(one, 'x');
        assertThat(Proof.read(other)).isEqualTo('x');
    }

    /// The peer's end: what it does with each connection that comes about.
    @FunctionalInterface
    private interface Peer {
        void greet(SocketChannel channel, int number) throws IOException;
    }

    /// A port at which connections come about, as if the other end dialled at the same moment.
    private ServerSocketChannel peer(int port, Peer peer) throws IOException {
        var server = ServerSocketChannel.open();
        resources.add(server);
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        threads.start(
                "peer",
                () -> {
                    try {
                        for (int number = 1; ; number++) {
                            var client = server.accept();
                            resources.add(client);
                            peer.greet(client, number);
                        }
                    } catch (IOException _) {
                        // the test is over
                    }
                });
        return server;
    }

    private static InetSocketAddress address(ServerSocketChannel server) throws IOException {
        return (InetSocketAddress) server.getLocalAddress();
    }

    @Test
    void a_nat_that_cannot_be_foreseen_stands_in_the_way_of_ipv4_only() {
        var four = InetAddress.ofLiteral("192.0.2.1");
        var six = InetAddress.ofLiteral("2001:db8::1");
        var both = List.of(InetAddress.ofLiteral("10.0.0.1"), InetAddress.ofLiteral("fd00::1"));
        assertThat(Splice.meetable(four, Egress.SYMMETRIC, both)).isFalse();
        assertThat(Splice.meetable(six, Egress.SYMMETRIC, both)).isTrue();
        assertThat(Splice.meetable(six, Egress.SYMMETRIC, both.subList(0, 1))).isFalse();
        assertThat(Splice.meetable(six, Egress.PROXY, both)).isFalse();
        assertThat(Splice.meetable(four, Egress.PRESERVING, both)).isTrue();
        assertThat(Splice.meetable(four, Egress.PRESERVING, both.subList(1, 2))).isFalse();
    }

    @Test
    void goes_on_through_refusals_from_the_same_port() throws Exception {
        var here = port();
        InetSocketAddress where;
        try (var server = peer(0, (_, _) -> {})) {
            where = address(server);
        }
        var route = new SpliceRoute(here, where, Thread::sleep);
        threads.start(
                "the peer begins late",
                () -> {
                    eventually(
                            "one is refused", () -> route.progress().matches(".* [1-9].* refused"));
                    try {
                        peer(where.getPort(), (channel, _) -> answer(channel));
                    } catch (IOException e) {
                        throw new IllegalStateException(e);
                    }
                });
        var won = race(asking('b'), LIMIT, route);
        assertJoined(won, taken.join());
        assertThat(((InetSocketAddress) won.getLocalAddress()).getPort()).isEqualTo(here.number());
        assertThat(route.progress()).matches("([1-9]\\d*) attempts, \\1 of them refused");
        assertThat(won.getOption(StandardSocketOptions.SO_LINGER)).isNegative();
        eventually("nothing runs on", () -> threads.size() == 1);
    }

    @Test
    void asks_on_all_connections_that_come_about_and_takes_one() throws Exception {
        var here = port();
        var ends = new CopyOnWriteArrayList<Character>();
        Peer peer =
                (channel, _) -> {
                    Proof.read(channel);
                    Proof.write(channel, 'b');
                    threads.start(
                            "end",
                            () -> {
                                try {
                                    ends.add(Proof.read(channel));
                                } catch (IOException _) {
                                    ends.add('-');
                                }
                            });
                };
        var one = address(peer(0, peer));
        var other = address(peer(0, peer));
        var won =
                race(
                        asking('b'),
                        LIMIT,
                        new SpliceRoute(here, one, Thread::sleep),
                        new SpliceRoute(here, other, Thread::sleep));
        assertThat(won.isOpen()).isTrue();
        eventually(
                "one was taken, the other dropped if it came about",
                () -> ends.contains('!') && !ends.equals(List.of('!', '!')));
    }

    @Test
    void a_port_is_not_spliced_with_itself() throws Exception {
        var here = port();
        assertThatThrownBy(() ->
                        race(
                                asking('b'),
                                LIMIT,
                                new SpliceRoute(here, loopback(here), Thread::sleep)))
                .isInstanceOf(Unreachable.class)
                .hasMessageContaining("it leads back to the port we connect from");
        assumeFalse(LocalAddresses.usable().isEmpty(), "this machine has loopback addresses only");
        var own = new InetSocketAddress(LocalAddresses.usable().getFirst(), here.number());
        assertThatThrownBy(
                        () -> race(asking('b'), LIMIT, new SpliceRoute(here, own, Thread::sleep)))
                .hasMessageContaining("this is the port we are to connect from");
    }

    @Test
    void a_wrong_machine_that_listens_there_is_bothered_three_times_at_most() throws Exception {
        var greeted = new AtomicInteger();
        var wrong =
                address(
                        peer(
                                0,
                                (channel, number) -> {
                                    greeted.set(number);
                                    Proof.write(channel, 'w');
                                }));
        assertThatThrownBy(() ->
                        race(asking('b'), LIMIT, new SpliceRoute(port(), wrong, Thread::sleep)))
                .hasMessageContaining(wrong.getPort() + " failed: proved to be w");
        assertThat(greeted).hasValue(3);
    }

    @Test
    void a_connection_that_breaks_before_anybody_is_proved_is_made_again() throws Exception {
        var there =
                address(
                        peer(
                                0,
                                (channel, number) -> {
                                    if (number < 3) {
                                        channel.close();
                                    } else {
                                        answer(channel);
                                    }
                                }));
        assertJoined(
                race(asking('b'), LIMIT, new SpliceRoute(port(), there, Thread::sleep)),
                taken.join());
    }

    @Test
    void says_how_often_it_tried() throws Exception {
        var here = port();
        var there = port();
        var failure =
                catchThrowableOfType(
                        Unreachable.class,
                        () ->
                                race(
                                        asking('b'),
                                        Duration.ofMillis(300),
                                        new SpliceRoute(here, loopback(there), Thread::sleep)));
        assertThat(failure.getMessage())
                .matches(".* did not answer in time \\(\\d+ attempts, \\d+ of them refused\\)");
        eventually("nothing runs on", () -> threads.size() == 0);
    }

    @Test
    void who_is_refused_again_and_again_asks_less_often() throws Exception {
        var there = port();
        var spent = new AtomicLong();
        var soon = new AtomicInteger();
        SpliceRoute.Pause pause =
                time -> {
                    if (spent.addAndGet(time.toMillis()) < 1000) {
                        soon.incrementAndGet();
                    } else if (spent.get() > LIMIT.toMillis()) {
                        throw new InterruptedException();
                    }
                };
        var route = new SpliceRoute(port(), loopback(there), pause);
        assertThatThrownBy(() -> route.connect(Route::socket))
                .isInstanceOf(InterruptedException.class);
        assertThat(soon).as("in the first second").hasValueBetween(50, 100);
        int all = Integer.parseInt(route.progress().replaceFirst(" attempts.*", ""));
        assertThat(all).as("in all").isBetween(150, 250);
    }

    private static Contact contact(NodeId id) {
        return new Contact(id, List.of(), Map.of());
    }

    @Test
    void needs_a_broker() {
        assertThatThrownBy(() -> new Splice().connect(contact(OTHER), asking('b'), context))
                .isInstanceOf(Unreachable.class)
                .hasMessageContaining("nothing reaches it yet");
    }

    @Test
    void is_found_and_says_what_it_can() {
        assertThat(Services.of(ConnectMethod.class)).hasAtLeastOneElementOfType(Splice.class);
        var traits = new Splice().traits();
        assertThat(traits.brokered()).isTrue();
        assertThat(traits.bootstrap()).isFalse();
        assertThat(traits.nativeTcp()).isTrue();
    }
}
