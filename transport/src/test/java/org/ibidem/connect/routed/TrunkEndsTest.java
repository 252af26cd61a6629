package org.ibidem.connect.routed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.eventually;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.ibidem.Background;
import org.ibidem.arbitration.ManualClock;
import org.ibidem.arbitration.Threads;
import org.ibidem.buffer.ByteQueue;
import org.ibidem.connect.SocketPath;
import org.ibidem.link.PathOver;
import org.ibidem.link.StreamPath;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// How trunks and their streams end, and what bounds them; the far end is played, or another trunk.
@Timeout(60)
class TrunkEndsTest {
    private static final NodeId ME = new NodeId(1, 1);
    private static final NodeId YOU = new NodeId(2, 2);
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final Duration LINGER = Duration.ofSeconds(10);
    private static final int MOST_STREAMS = 16_384;
    private static final int WINDOW = 1 << 20;

    private final ManualClock clock = new ManualClock();
    private final Threads threads = new Threads("test", clock);
    private final BlockingQueue<StreamPath> visitors = new LinkedBlockingQueue<>();
    private final SocketChannel far;
    private final Trunk trunk;

    TrunkEndsTest() throws IOException {
        try (var server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            var line = SocketChannel.open(server.getLocalAddress());
            far = server.accept();
            trunk =
                    new Trunk(
                            new SocketPath(line),
                            new TrunkEnds(ME, YOU, true),
                            threads,
                            visitors::add);
        }
    }

    @AfterEach
    void close() throws IOException {
        trunk.close();
        far.close();
        threads.close();
    }

    private void runs() {
        threads.start("trunk", trunk::run);
    }

    /// The honest other end.
    private Trunk other() {
        var other =
                new Trunk(
                        new SocketPath(far), new TrunkEnds(YOU, ME, false), threads, visitors::add);
        threads.start("trunk", other::run);
        return other;
    }

    private StreamPath visitor() throws InterruptedException {
        var visitor = visitors.poll(20, TimeUnit.SECONDS);
        assertThat(visitor).isNotNull();
        return visitor;
    }

    private void say(byte[] frame) throws IOException {
        far.write(ByteBuffer.wrap(frame));
    }

    private static byte[] read(ReadableByteChannel from, int bytes) throws IOException {
        var in = ByteBuffer.allocate(bytes);
        while (in.hasRemaining() && from.read(in) >= 0) {
            // until it is full or ends
        }
        return Arrays.copyOf(in.array(), in.position());
    }

    /// A frame that the far end got.
    private record Heard(int kind, int stream, byte[] payload) {
        String text() {
            return new String(payload, StandardCharsets.UTF_8);
        }
    }

    private Heard heard() throws IOException {
        var header = ByteBuffer.wrap(read(far, RoutedFrames.HEADER)).order(ByteOrder.LITTLE_ENDIAN);
        int word = header.getInt();
        return new Heard(
                RoutedFrames.kind(word), header.getInt(), read(far, RoutedFrames.length(word)));
    }

    /// The next frame of this kind.
    private Heard heard(int kind) throws IOException {
        while (true) {
            var next = heard();
            if (next.kind == kind) {
                return next;
            }
        }
    }

    @Test
    void drain_answers_once_the_other_end_has_all() throws Exception {
        runs();
        other();
        var stream = trunk.open(YOU, LONG);
        stream.write(ByteBuffer.allocate(10_000));
        assertThat(stream.drain(LONG)).as("nobody has read it").isTrue();
        stream.close();
        assertThat(stream.drain(LONG)).as("its end too").isTrue();
    }

    @Test
    void drain_gives_up_where_the_other_end_answers_nothing() throws Exception {
        runs();
        var opening = CompletableFuture.supplyAsync(this::opened, Thread::startVirtualThread);
        assertThat(heard().kind).isEqualTo(RoutedFrames.OPEN);
        say(RoutedFrames.grant(1, WINDOW));
        var stream = opening.get(20, TimeUnit.SECONDS);
        stream.write(ByteBuffer.allocate(10));
        assertThat(stream.drain(Duration.ofMillis(20))).isFalse();
        far.close();
        assertThat(stream.drain(LONG)).as("it never will").isFalse();
    }

    private StreamPath opened() {
        try {
            return trunk.open(YOU, LONG);
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void a_stream_that_is_not_taken_in_time_is_not_kept() throws Exception {
        runs();
        assertThatThrownBy(() -> trunk.open(YOU, Duration.ofMillis(5)))
                .isInstanceOf(IOException.class)
                .hasMessage("did not answer in time");
        assertThat(heard().kind).isEqualTo(RoutedFrames.OPEN);
        assertThat(heard(RoutedFrames.RESET).stream).isEqualTo(1);
        eventually("it is not kept", () -> trunk.size() == 0);
    }

    @Test
    void a_stream_that_is_refused_says_why_and_is_not_kept() throws Exception {
        runs();
        var opening = Background.call(() -> trunk.open(YOU, LONG));
        assertThat(heard().kind).isEqualTo(RoutedFrames.OPEN);
        say(RoutedFrames.reset(1, "not today"));
        assertThatThrownBy(opening::get).rootCause().hasMessage("not today");
        eventually("it is not kept", () -> trunk.size() == 0);
    }

    @Test
    @Tag("full")
    void more_streams_than_there_may_be_are_refused_at_either_end_and_the_others_go_on()
            throws Exception {
        runs();
        var other = other();
        var first = trunk.open(YOU, LONG);
        var there = visitor();
        while (trunk.size() < MOST_STREAMS) {
            other.open(ME, LONG);
        }
        assertThatThrownBy(() -> trunk.open(YOU, LONG))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "the connection to node %s carries 16384 streams already"
                                .formatted(YOU.brief()));
        assertThatThrownBy(() -> other.open(ME, LONG)).isInstanceOf(IOException.class);
        first.write(ByteBuffer.wrap(new byte[] {7}));
        assertThat(read(there, 1)).containsExactly(7);
    }

    @Test
    void a_peer_that_opens_more_than_there_may_be_is_told() throws Exception {
        runs();
        for (int i = 1; i <= MOST_STREAMS + 1; i++) {
            say(RoutedFrames.open(2 * i, YOU, 1));
        }
        var refused = heard(RoutedFrames.RESET);
        assertThat(refused.stream).isEqualTo(2 * (MOST_STREAMS + 1));
        assertThat(refused.text()).isEqualTo("node " + ME.brief() + " has too many streams");
        assertThat(trunk.size()).isEqualTo(MOST_STREAMS);
        assertThat(trunk.ending()).isNull();
    }

    /// It reads none of the answers, which must be kept somewhere.
    @Test
    void a_peer_that_asks_for_more_answers_than_it_takes_is_hung_up_on() throws Exception {
        runs();
        var pings = ByteBuffer.allocate(64 << 10).order(ByteOrder.LITTLE_ENDIAN);
        while (pings.hasRemaining()) {
            pings.put(RoutedFrames.bare(RoutedFrames.PING, 0));
        }
        try {
            while (trunk.ending() == null) {
                far.write(pings.rewind());
            }
        } catch (IOException _) {
            // it has
        }
        eventually("it has ended", () -> trunk.ending() != null);
        assertThat(trunk.ending())
                .isEqualTo("node %s asks for more answers than it takes".formatted(YOU.brief()));
    }

    /// Whoever reads may not have been told yet.
    @Test
    void who_only_writes_finds_the_connection_broken() throws Exception {
        far.setOption(StandardSocketOptions.SO_LINGER, 0);
        far.close();
        eventually(
                "it is seen",
                () -> {
                    assertThatThrownBy(() -> trunk.open(YOU, Duration.ofNanos(1)))
                            .isInstanceOf(IOException.class);
                    return trunk.ending() != null;
                });
        assertThat(trunk.ending()).startsWith("the connection to node " + YOU.brief() + " broke: ");
        eventually("nothing is kept", () -> trunk.size() == 0);
    }

    @Test
    void an_end_in_order_does_not_wait_when_there_is_nothing_more_to_say() throws Exception {
        runs();
        var other = other();
        for (int i = 0; i < 20; i++) {
            var stream = trunk.open(YOU, LONG);
            visitor().close();
            stream.close();
        }
        trunk.finish(LONG);
        eventually("the other end knows", () -> other.ending() != null);
        assertThat(other.ending()).isEqualTo("node " + ME.brief() + " has ended it");
        trunk.awaitEnd(LONG);
    }

    @Test
    void an_end_in_order_waits_no_longer_than_it_may() throws Exception {
        runs();
        other();
        var mine = trunk.open(YOU, LONG);
        trunk.finish(Duration.ofMillis(5));
        assertThat(trunk.ending())
                .isEqualTo("this node has ended its connection to node " + YOU.brief());
        assertThatThrownBy(() -> mine.write(ByteBuffer.allocate(1)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("has ended its connection");
    }

    /// Its sender has written to a window that is full, and goes on.
    @Test
    void what_a_reader_that_reads_no_more_gets_is_dropped_and_holds_up_nobody() throws Exception {
        runs();
        other();
        var path = trunk.open(YOU, LONG);
        var deaf = visitor();
        var stream = (RoutedStream) field(deaf, "stream");
        var much = new byte[WINDOW];
        path.write(ByteBuffer.wrap(much));
        var waits = (ByteQueue) field(stream, "in");
        eventually("it is full", () -> waits.size() == WINDOW);
        stream.readNoMore();
        var writing = Background.run(() -> path.write(ByteBuffer.allocate(5 * WINDOW)));
        writing.get(20, TimeUnit.SECONDS);
        assertThat(deaf.read(ByteBuffer.allocate(1))).isEqualTo(-1);
        deaf.write(ByteBuffer.wrap(new byte[] {7}));
        assertThat(read(path, 1)).as("the other direction goes on").containsExactly(7);
    }

    private static Object field(Object of, String name) throws ReflectiveOperationException {
        var field = of.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return field.get(of);
    }

    /// The far end never grants what that needs.
    @Test
    void a_stream_whose_last_words_nobody_takes_is_given_up() throws Exception {
        runs();
        say(RoutedFrames.open(2, YOU, 1));
        var here = visitor();
        here.write(ByteBuffer.wrap(new byte[] {7, 8}));
        assertThat(heard(RoutedFrames.DATA).payload).containsExactly(7);
        here.close();
        assertThat(trunk.size()).isEqualTo(1);
        clock.advance(LINGER);
        assertThat(heard(RoutedFrames.RESET).stream).isEqualTo(2);
        eventually("it is not kept", () -> trunk.size() == 0);
    }

    @Test
    void one_that_closes_is_told_to_the_other_end_which_reads_what_came_before() throws Exception {
        runs();
        other();
        var mine = trunk.open(YOU, LONG);
        var theirs = visitor();
        mine.write(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        mine.close();
        assertThat(read(theirs, 4)).containsExactly(1, 2, 3);
        assertThatThrownBy(
                        () -> {
                            while (true) {
                                theirs.write(ByteBuffer.allocate(1000));
                            }
                        })
                .isInstanceOf(IOException.class)
                .hasMessage("the other end has closed it");
        theirs.close();
        eventually("nothing is kept", () -> trunk.size() == 0);
    }

    @Test
    void who_waits_in_a_stream_is_told_that_it_was_closed_here() throws Exception {
        runs();
        other();
        var mine = trunk.open(YOU, LONG);
        var reading = Background.call(() -> mine.read(ByteBuffer.allocate(1)));
        var writing = Background.call(() -> mine.write(ByteBuffer.allocate(4 * WINDOW)));
        var there = visitor();
        assertThat(read(there, 1)).hasSize(1);
        mine.close();
        assertThatThrownBy(reading::get).hasCauseInstanceOf(IOException.class);
        assertThatThrownBy(writing::get).hasCauseInstanceOf(IOException.class);
    }

    @Test
    void an_end_of_one_direction_leaves_the_other() throws Exception {
        runs();
        other();
        var mine = trunk.open(YOU, LONG);
        var theirs = visitor();
        mine.write(ByteBuffer.wrap(new byte[] {1}));
        mine.end();
        assertThat(read(theirs, 2)).containsExactly(1);
        assertThatThrownBy(() -> mine.write(ByteBuffer.allocate(1)))
                .isInstanceOf(IOException.class);
        theirs.write(ByteBuffer.wrap(new byte[] {2}));
        theirs.end();
        assertThat(read(mine, 2)).containsExactly(2);
        eventually("nothing is kept", () -> trunk.size() == 0);
    }

    private void endsForGarbage(String what) {
        eventually("it has ended", () -> trunk.ending() != null);
        assertThat(trunk.ending())
                .isEqualTo("node %s sent garbage: %s".formatted(YOU.brief(), what));
    }

    @Test
    void a_peer_that_grants_more_than_may_be_is_hung_up_on() throws Exception {
        runs();
        say(RoutedFrames.open(2, YOU, 1));
        visitor();
        say(RoutedFrames.grant(2, RoutedFrames.MOST_CREDIT - 1));
        say(RoutedFrames.bare(RoutedFrames.PING, 0));
        assertThat(heard(RoutedFrames.PONG).stream).as("that was all that may be").isZero();
        say(RoutedFrames.grant(2, 1));
        endsForGarbage("more is granted on stream 2 than may be");
    }

    @Test
    void a_peer_that_goes_on_after_its_end_is_hung_up_on() throws Exception {
        runs();
        say(RoutedFrames.open(2, YOU, 1));
        var here = visitor();
        say(RoutedFrames.bare(RoutedFrames.END, 2));
        assertThat(here.read(ByteBuffer.allocate(1))).isEqualTo(-1);
        var data = ByteBuffer.allocate(RoutedFrames.HEADER + 1).order(ByteOrder.LITTLE_ENDIAN);
        data.putInt(RoutedFrames.word(RoutedFrames.DATA, 1)).putInt(2);
        say(data.array());
        endsForGarbage("more came on stream 2 than was granted, or after its end");
    }

    @Test
    void a_stream_is_not_begun_over_one_that_has_ended() {
        trunk.close();
        assertThatThrownBy(() -> trunk.open(YOU, Duration.ofMillis(1)))
                .isInstanceOf(IOException.class)
                .hasMessage(trunk.ending());
        assertThat(trunk.carried()).isZero();
    }

    /// It was read before the end, and is seen to after it.
    @Test
    void a_stream_that_comes_with_the_end_is_not_kept() {
        trunk.close();
        var late = ByteBuffer.wrap(RoutedFrames.open(2, YOU, 1)).order(ByteOrder.LITTLE_ENDIAN);
        trunk.takeAll(late);
        assertThat(late.hasRemaining()).isFalse();
        assertThat(trunk.size()).isZero();
        assertThat(visitors).isEmpty();
    }

    /// The hub takes an end in order for the end of this process, and a reset for no proof of it.
    @Test
    void whoever_ends_the_connection_to_a_hub_first_says_how() {
        assertThat(endsOf(Trunk::giveUp)).containsExactly("reset");
        assertThat(endsOf(Trunk::close)).containsExactly("in order");
    }

    /// How a connection to a hub is ended, whose reader is the first to see that it is to end.
    private List<String> endsOf(Consumer<Trunk> action) {
        var ends = new CopyOnWriteArrayList<String>();
        var made = new CompletableFuture<Trunk>();
        var path =
                new PathOver(new SocketPath(far)) {
                    @Override
                    public int read(ByteBuffer into) {
                        var reads = made.join();
                        while (reads.ending() == null) {
                            Thread.onSpinWait();
                        }
                        return 0;
                    }

                    @Override
                    public void reset() {
                        ends.add("reset");
                        super.reset();
                    }

                    @Override
                    public void close() {
                        ends.add("in order");
                        super.close();
                    }
                };
        var toHub = new Trunk(path, ME, threads, visitors::add);
        made.complete(toHub);
        assertThatThrownBy(() -> toHub.openToHub(YOU, Duration.ofNanos(1)))
                .isInstanceOf(IOException.class);
        var reading = Background.run(toHub::run);
        action.accept(toHub);
        reading.join();
        return ends;
    }
}
