package org.ibidem.connect.reverse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.eventually;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import org.ibidem.IbidemException;
import org.ibidem.arbitration.ManualClock;
import org.ibidem.arbitration.Threads;
import org.ibidem.connect.Broker;
import org.ibidem.connect.Check;
import org.ibidem.connect.Expected;
import org.ibidem.connect.MethodContext;
import org.ibidem.connect.Prelude;
import org.ibidem.connect.Proof;
import org.ibidem.connect.SocketPath;
import org.ibidem.connect.Unreachable;
import org.ibidem.topology.Contact;
import org.ibidem.topology.Egress;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Both ends of the method, and a broker between them that does what a test wants.
///
/// Who is there is proved by letters: the end that asked says `?`, the other its name, the first
/// `!` on the connection it takes.
@Timeout(60)
class ReverseTest {
    private static final Duration LIMIT = Duration.ofSeconds(5);
    private static final Contact PEER = new Contact(new NodeId(2, 2), List.of(), Map.of());
    private static final byte[] DONE = {1};

    private final ManualClock clock = new ManualClock();
    private final Threads threads = new Threads("test", clock);
    private final Reverse reverse = new Reverse();
    private final List<AutoCloseable> resources = new CopyOnWriteArrayList<>();
    private final Awaited awaited;

    ReverseTest() throws IOException {
        awaited = new Awaited();
    }

    @AfterEach
    void close() throws Exception {
        threads.close();
        awaited.server.close();
        for (var resource : resources) {
            resource.close();
        }
    }

    /// Where connections come in that begin with the token.
    private final class Awaited implements Expected {
        final Prelude.Turn greeting = new Prelude.Turn(new byte[Prelude.TOKEN_BYTES]);
        final ServerSocketChannel server = listener();
        final LinkedBlockingQueue<Object> arrived = new LinkedBlockingQueue<>();
        volatile boolean closed;

        Awaited() throws IOException {
            threads.start("listener", this::listen);
        }

        private void listen() {
            try {
                while (true) {
                    var channel = server.accept();
                    resources.add(channel);
                    var begin = ByteBuffer.allocate(greeting.encode().length);
                    while (begin.hasRemaining() && channel.read(begin) >= 0) {
                        // until all of it is here
                    }
                    assertThat(begin.array()).isEqualTo(greeting.encode());
                    arrived.add(channel);
                }
            } catch (IOException _) {
                // the test is over
            }
        }

        @Override
        public Prelude.Turn greeting() {
            return greeting;
        }

        @Override
        public List<InetSocketAddress> addresses() {
            return server.isOpen() ? List.of(address(server)) : List.of();
        }

        @Override
        public SocketPath await() throws IOException, InterruptedException {
            var what = arrived.take();
            if (what instanceof SocketChannel channel) {
                return new SocketPath(channel);
            }
            throw new IOException(what.toString());
        }

        @Override
        public void failed(String why) {
            arrived.add(why);
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    private static ServerSocketChannel listener() throws IOException {
        var loopback = InetAddress.getLoopbackAddress();
        return ServerSocketChannel.open().bind(new InetSocketAddress(loopback, 0));
    }

    private static InetSocketAddress address(ServerSocketChannel server) {
        return (InetSocketAddress) server.socket().getLocalSocketAddress();
    }

    /// What becomes of a proposal.
    @FunctionalInterface
    private interface Word {
        byte[] to(byte[] proposal);
    }

    private MethodContext context(Word word, Egress egress) {
        var broker =
                new Broker() {
                    @Override
                    public byte[] propose(String method, byte[] proposal, Duration limit) {
                        assertThat(method).isEqualTo("reverse");
                        return word.to(proposal);
                    }

                    @Override
                    public Duration delay() {
                        return Duration.ZERO;
                    }

                    @Override
                    public InetSocketAddress observe(SocketChannel socket, Duration limit) {
                        throw new AssertionError("nobody has to be asked");
                    }

                    @Override
                    public Egress egress() {
                        return egress;
                    }

                    @Override
                    public Expected expect() {
                        return awaited;
                    }
                };
        return new MethodContext(threads, LIMIT, broker, null, null);
    }

    private MethodContext context(Word word) {
        return context(word, Egress.UNKNOWN);
    }

    private Check<SocketChannel> asking() {
        return Proof.asking('b', resources::add);
    }

    private Check<SocketChannel> answering(char name) {
        return Proof.answering(name, resources::add);
    }

    private byte[] join(byte[] proposal, char name) {
        return reverse.join(PEER, proposal, answering(name), new MethodContext(threads, LIMIT));
    }

    /// Somebody who has heard the token calls, and says who he is.
    private void call(byte[] proposal, char name) {
        try {
            var request = Request.decode(proposal);
            var channel = SocketChannel.open(request.addresses().getFirst());
            resources.add(channel);
            channel.write(ByteBuffer.wrap(request.greeting().encode()));
            if (Proof.read(channel) == '?') {
                Proof.write(channel, name);
            }
            assertThat(channel.read(ByteBuffer.allocate(1))).as("hung up").isEqualTo(-1);
        } catch (IOException _) {
            // hung up with a reset
        }
    }

    private SocketChannel connect(Word word) {
        return reverse.connect(PEER, asking(), context(word));
    }

    private void requireNothingLeft() {
        assertThat(awaited.closed).isTrue();
        eventually("only the listener runs on", () -> threads.size() == 1);
    }

    @Test
    void goes_on_with_the_connection_that_the_peer_makes() throws Exception {
        var answer = new CompletableFuture<byte[]>();
        var won =
                connect(proposal -> {
                    answer.complete(join(proposal, 'b'));
                    return answer.join();
                });
        assertThat(won.getLocalAddress()).isEqualTo(address(awaited.server));
        assertThat(answer.get()).isEqualTo(DONE);
        assertThat(won.isOpen()).isTrue();
        requireNothingLeft();
    }

    @Test
    void says_why_the_peer_refuses() {
        assertThatThrownBy(() ->
                        connect(_ -> {
                            throw new IbidemException("the peer has no time");
                        }))
                .isInstanceOf(Unreachable.class)
                .hasMessageContaining("(here, for the peer to connect to)")
                .hasMessageContaining("the peer has no time");
        requireNothingLeft();
    }

    @Test
    void does_not_wait_for_a_peer_that_says_it_has_connected_and_has_not() {
        assertThatThrownBy(() -> connect(_ -> DONE))
                .isInstanceOf(Unreachable.class)
                .hasMessageContaining("the connection that the peer has made is of no use");
        requireNothingLeft();
    }

    @Test
    void a_peer_that_never_calls_and_says_nothing_is_waited_for_as_long_as_was_said()
            throws Exception {
        var asked = new CompletableFuture<Void>();
        var never = new CompletableFuture<byte[]>();
        var connecting = new CompletableFuture<SocketChannel>();
        Word word =
                _ -> {
                    asked.complete(null);
                    return never.join();
                };
        threads.start(
                "asker",
                () -> {
                    try {
                        connecting.complete(connect(word));
                    } catch (Unreachable e) {
                        connecting.completeExceptionally(e);
                    }
                });
        asked.get();
        clock.advance(LIMIT.minusMillis(1));
        assertThat(connecting).isNotDone();
        clock.advance(Duration.ofMillis(1));
        assertThatThrownBy(connecting::get)
                .isInstanceOf(ExecutionException.class)
                .hasMessageContaining("did not answer in time");
        never.complete(DONE);
        requireNothingLeft();
    }

    @Test
    void says_who_has_called_when_it_was_not_the_peer() {
        Word word =
                proposal -> {
                    call(proposal, 'w');
                    throw new IbidemException("the peer found no way");
                };
        assertThatThrownBy(() -> connect(word))
                .isInstanceOf(Unreachable.class)
                .hasMessageContaining("proved to be w");
        requireNothingLeft();
    }

    @Test
    void a_wrong_one_that_calls_first_does_not_keep_the_peer_out() {
        Word word =
                proposal -> {
                    call(proposal, 'w');
                    return join(proposal, 'b');
                };
        assertThat(connect(word).isOpen()).isTrue();
        requireNothingLeft();
    }

    @Test
    void is_not_tried_where_it_cannot_work() throws Exception {
        Word nobody =
                _ -> {
                    throw new AssertionError("nobody is asked");
                };
        var alone = new MethodContext(threads, LIMIT);
        assertThatThrownBy(() -> reverse.connect(PEER, asking(), alone))
                .hasMessageContaining("nothing reaches it yet over which it could be asked");
        var proxied = context(nobody, Egress.PROXY);
        assertThatThrownBy(() -> reverse.connect(PEER, asking(), proxied))
                .hasMessageContaining("nothing gets out but through a proxy at one end");
        var proposal = new Request(awaited.greeting, awaited.addresses()).encode();
        assertThatThrownBy(() -> reverse.join(PEER, proposal, answering('b'), proxied))
                .hasMessageContaining("nothing gets out but through a proxy at one end");
        var nowhere = new Request(awaited.greeting, List.of()).encode();
        assertThatThrownBy(() -> reverse.join(PEER, nowhere, answering('b'), context(nobody)))
                .hasMessageContaining("it names no address to connect to");
        awaited.server.close();
        assertThatThrownBy(() -> reverse.connect(PEER, asking(), context(nobody)))
                .hasMessageContaining("this node listens at no address");
    }

    @Test
    void the_end_that_is_asked_tries_all_addresses_it_is_told() throws Exception {
        var deadEnd = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
        Word word =
                proposal -> {
                    var told = Request.decode(proposal);
                    var more = List.of(deadEnd, told.addresses().getFirst());
                    return join(new Request(told.greeting(), more).encode(), 'b');
                };
        assertThat(connect(word).isOpen()).isTrue();
    }

    @Test
    void the_end_that_is_asked_waits_five_seconds_for_who_asked_to_begin() throws Exception {
        var mute = listener();
        resources.add(mute);
        var proposal = new Request(awaited.greeting, List.of(address(mute))).encode();
        var hours = new MethodContext(threads, Duration.ofHours(1));
        var joining = new CompletableFuture<byte[]>();
        threads.start(
                "asked",
                () -> {
                    try {
                        joining.complete(reverse.join(PEER, proposal, answering('b'), hours));
                    } catch (Unreachable e) {
                        joining.completeExceptionally(e);
                    }
                });
        resources.add(mute.accept());
        clock.advance(Duration.ofSeconds(5).minusMillis(1));
        assertThat(joining).isNotDone();
        clock.advance(Duration.ofMillis(1));
        assertThatThrownBy(joining::get).hasMessageContaining("did not answer in time");
    }
}
