package org.ibidem.connect.direct;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.ibidem.Eventually.eventually;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.ibidem.arbitration.ManualClock;
import org.ibidem.arbitration.Threads;
import org.ibidem.config.Services;
import org.ibidem.connect.Check;
import org.ibidem.connect.ConnectMethod;
import org.ibidem.connect.MethodContext;
import org.ibidem.connect.SocketPath;
import org.ibidem.connect.Unreachable;
import org.ibidem.link.Reach;
import org.ibidem.task.Tasks;
import org.ibidem.topology.Contact;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Races with a check that needs no keys: a server says one byte, its name.
@Timeout(60)
class DirectTest {
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final NodeId PEER = new NodeId(1, 2);

    private final Threads threads = new Threads("test");
    private final List<AutoCloseable> resources = new CopyOnWriteArrayList<>();
    private final List<SocketChannel> checked = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() throws Exception {
        threads.close();
        for (var resource : resources) {
            resource.close();
        }
    }

    private ServerSocketChannel listen(int backlog) throws IOException {
        var server = ServerSocketChannel.open();
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), backlog);
        resources.add(server);
        return server;
    }

    private static InetSocketAddress address(ServerSocketChannel server) throws IOException {
        return (InetSocketAddress) server.getLocalAddress();
    }

    /// Says its name to everybody who connects.
    private InetSocketAddress server(char name) throws IOException {
        var server = listen(10);
        threads.start(
                "server " + name,
                () -> {
                    try {
                        while (true) {
                            var channel = server.accept();
                            resources.add(channel);
                            channel.write(ByteBuffer.wrap(new byte[] {(byte) name}));
                        }
                    } catch (IOException _) {
                        // the test is over
                    }
                });
        return address(server);
    }

    /// Is in the system's queue for ever, or not even there.
    private InetSocketAddress blackHole() throws IOException {
        var server = listen(1);
        for (int i = 0; i < 4; i++) {
            var filler = SocketChannel.open();
            filler.configureBlocking(false);
            filler.connect(address(server));
            resources.add(filler);
        }
        return address(server);
    }

    private InetSocketAddress refusing() throws IOException {
        try (var server = listen(1)) {
            return address(server);
        }
    }

    private Check<SocketChannel> wanting(char name) {
        return path -> {
            var channel = ((SocketPath) path).socket();
            checked.add(channel);
            var byteOfName = ByteBuffer.allocate(1);
            if (channel.read(byteOfName) != 1) {
                throw new IOException("said nothing");
            }
            if (byteOfName.get(0) != name) {
                throw new NotTheOne(
                        "proved to be " + (char) byteOfName.get(0) + " instead of " + name);
            }
            return () -> channel;
        };
    }

    static final class NotTheOne extends org.ibidem.IbidemException {
        private static final long serialVersionUID = 1L;

        NotTheOne(String message) {
            super(message);
        }
    }

    private SocketChannel race(Check<SocketChannel> check, InetSocketAddress... addresses) {
        return Direct.race("node x", Arrays.asList(addresses), check, threads, LIMIT);
    }

    @Test
    void the_only_address_wins_with_small_writes_sent_at_once() throws IOException {
        var where = server('a');
        try (var won = race(wanting('a'), where)) {
            assertThat(won.getRemoteAddress()).isEqualTo(where);
            assertThat(won.getOption(StandardSocketOptions.TCP_NODELAY)).isTrue();
            assertThat(won.isBlocking()).isTrue();
        }
    }

    @Test
    void another_node_at_the_first_address_loses_to_the_right_one() throws IOException {
        var addresses = List.of(server('b'), server('a'));
        // Without a head start: the second begins when the first has failed.
        try (var still = new Threads("still", new ManualClock());
                var won = Direct.race("node x", addresses, wanting('a'), still, LIMIT)) {
            assertThat(won.isOpen()).isTrue();
        }
        assertThat(checked).hasSize(2).allMatch(each -> !each.isOpen());
    }

    @Test
    void a_black_hole_loses() throws IOException {
        try (var won = race(wanting('a'), blackHole(), server('a'))) {
            assertThat(won.isOpen()).isTrue();
        }
        eventually("nothing runs on", () -> threads.size() == 1);
    }

    @Test
    void an_address_that_accepts_and_says_nothing_loses() throws IOException {
        var mute = listen(10);
        try (var won = race(wanting('a'), address(mute), server('a'))) {
            assertThat(won.isOpen()).isTrue();
        }
        assertThat(checked).isNotEmpty();
        eventually("the loser is closed", () -> checked.stream().noneMatch(SocketChannel::isOpen));
    }

    @Test
    void the_next_starts_at_once_when_one_failed_and_after_the_head_start_when_not()
            throws IOException {
        var clock = new ManualClock();
        try (var still = new Threads("still", clock)) {
            var mute = listen(10);
            var addresses = List.of(refusing(), address(mute), server('a'));
            var won = new CountDownLatch(1);
            still.start(
                    "race",
                    () -> {
                        try (var channel =
                                // Time is about to fly.
                                Direct.race(
                                        "node x",
                                        addresses,
                                        wanting('a'),
                                        still,
                                        Duration.ofDays(9))) {
                            checked.add(channel);
                            won.countDown();
                        } catch (IOException e) {
                            throw new IllegalStateException(e);
                        }
                    });
            eventually("the second is tried though time stands still", () -> checked.size() == 1);
            assertThat(won.getCount()).isEqualTo(1);
            eventually(
                    "won after the head start",
                    () -> {
                        clock.advance(Duration.ofMillis(50));
                        return won.getCount() == 0;
                    });
        }
    }

    @Test
    void only_the_winner_is_taken() throws IOException {
        var taken = new CopyOnWriteArrayList<SocketChannel>();
        Check<SocketChannel> check =
                path -> {
                    var channel = ((SocketPath) path).socket();
                    var claim = wanting('a').check(path);
                    return () -> {
                        taken.add(channel);
                        return claim.take();
                    };
                };
        try (var won = race(check, server('a'), server('a'), server('a'))) {
            assertThat(taken).containsExactly(won);
        }
    }

    @Test
    void one_that_breaks_when_taken_gives_way_to_the_next() throws IOException {
        var first = server('a');
        Check<SocketChannel> check =
                path -> {
                    var channel = ((SocketPath) path).socket();
                    var claim = wanting('a').check(path);
                    return () -> {
                        if (channel.getRemoteAddress().equals(first)) {
                            throw new IOException("broke just now");
                        }
                        return claim.take();
                    };
                };
        var second = server('a');
        try (var won = race(check, first, second)) {
            assertThat(won.getRemoteAddress()).isEqualTo(second);
        }
    }

    private static String tried(InetSocketAddress address, String why) {
        return new Unreachable.Attempt(address, why, null).toString();
    }

    @Test
    void a_failure_lists_every_address_and_why() throws IOException {
        var refusing = refusing();
        var other = server('b');
        var failure =
                catchThrowableOfType(Unreachable.class, () -> race(wanting('a'), refusing, other));
        assertThat(failure)
                .hasMessage(
                        "node x cannot be reached; tried: "
                                + tried(refusing, "refused: nobody listens there; ")
                                + tried(other, "proved to be b instead of a"));
        assertThat(failure.attempts()).hasSize(2);
        assertThat(failure.attempts().getLast().cause()).isInstanceOf(NotTheOne.class);
    }

    @Test
    void the_limit_ends_a_race_that_nobody_wins() throws IOException {
        var limit = Duration.ofMillis(200);
        var hole = blackHole();
        var refusing = refusing();
        var clock = new ManualClock();
        try (var still = new Threads("still", clock)) {
            // The second begins when the first was refused: no other time passes.
            var tasks = new Passing(still, ":" + hole.getPort(), () -> clock.advance(limit));
            assertThatThrownBy(() ->
                            Direct.race(
                                    "node x", List.of(refusing, hole), wanting('a'), tasks, limit))
                    .isInstanceOf(Unreachable.class)
                    .hasMessageContaining(tried(hole, "did not answer in time"))
                    .hasMessageContaining(tried(refusing, "refused"));
            eventually("nothing runs on", () -> still.size() == 0);
        }
    }

    /// Lets time pass when it starts a task whose name ends so.
    private record Passing(Threads still, String ends, Runnable time) implements Tasks {
        @Override
        public Task start(String name, Runnable body) {
            var task = still.start(name, body);
            if (name.endsWith(ends)) {
                time.run();
            }
            return task;
        }

        @Override
        public Task after(Duration delay, String name, Runnable body) {
            return still.after(delay, name, body);
        }

        @Override
        public long nanoTime() {
            return still.nanoTime();
        }
    }

    @Test
    void it_is_found_and_says_when_it_cannot() throws IOException {
        var found = Services.of(ConnectMethod.class);
        assertThat(found).hasAtLeastOneElementOfType(Direct.class);
        var method = new Direct();
        assertThat(method.name()).isEqualTo("direct");
        assertThat(method.reach(new Contact(PEER, List.of(), Map.of())))
                .isEqualTo(new Reach.No("it published no address to connect to"));
        var nowhere = List.of(new InetSocketAddress(InetAddress.ofLiteral("0.0.0.0"), 1));
        assertThat(method.reach(new Contact(PEER, nowhere, Map.of()))).isInstanceOf(Reach.No.class);
        assertThatThrownBy(() ->
                        method.connect(
                                new Contact(PEER, nowhere, Map.of()),
                                wanting('a'),
                                new MethodContext(threads, LIMIT)))
                .isInstanceOf(Unreachable.class)
                .hasMessageContaining("no address to connect to");
        var contact = new Contact(PEER, List.of(server('a')), Map.of());
        assertThat(method.reach(contact)).isInstanceOf(Reach.Yes.class);
        try (var won = method.connect(contact, wanting('a'), new MethodContext(threads, LIMIT))) {
            assertThat(won.isOpen()).isTrue();
        }
    }
}
