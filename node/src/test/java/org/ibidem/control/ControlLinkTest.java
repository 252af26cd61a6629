package org.ibidem.control;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.eventually;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.ibidem.connect.SocketPath;
import org.ibidem.handshake.Hello;
import org.ibidem.handshake.Proved;
import org.ibidem.handshake.Wire;
import org.ibidem.identity.Identity;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ControlLinkTest {
    private static final ControlLink.Limits LIMITS =
            new ControlLink.Limits(1000, 50, 20_000, Duration.ofSeconds(5), Duration.ofSeconds(15));

    private final SteppedTasks tasks = new SteppedTasks();
    private final Identity alice = Identity.create();
    private final Identity bob = Identity.create();
    private Wire.Sockets wire;
    private ControlLink toBob;
    private ControlLink toAlice;

    @BeforeEach
    void connect() throws IOException {
        wire = Wire.sockets();
        var hello = Hello.service("demo", bob.id());
        toBob =
                ControlLink.over(
                        new Proved(new SocketPath(wire.client()), bob.key(), hello, 1, true),
                        tasks,
                        LIMITS);
        toAlice =
                ControlLink.over(
                        new Proved(new SocketPath(wire.server()), alice.key(), hello, 1, false),
                        tasks,
                        LIMITS);
    }

    @AfterEach
    void close() throws IOException {
        wire.client().close();
        wire.server().close();
        tasks.close();
    }

    /// A link whose peer is the test, which says or takes what it likes.
    private ControlLink toTest(Wire.Sockets pair) {
        return ControlLink.over(
                new Proved(
                        new SocketPath(pair.server()),
                        alice.key(),
                        Hello.service("demo", bob.id()),
                        1,
                        false),
                tasks,
                LIMITS);
    }

    private static byte[] number(int i) {
        return ByteBuffer.allocate(4).putInt(i).array();
    }

    /// Receives until the link ends.
    private CompletableFuture<List<byte[]>> drain(ControlLink link) {
        var all = new CompletableFuture<List<byte[]>>();
        tasks.start(
                "drain",
                () -> {
                    var messages = new ArrayList<byte[]>();
                    for (var m = link.receive(); m != null; m = link.receive()) {
                        messages.add(m);
                    }
                    all.complete(messages);
                });
        return all;
    }

    @Test
    void messages_arrive_whole_and_in_order_both_ways() {
        var there = drain(toAlice);
        var here = drain(toBob);
        for (int i = 0; i < 1000; i++) {
            int n = i;
            eventually("there is room", () -> toAliceHasRoom());
            assertThat(toBob.send(number(n))).isTrue();
            assertThat(toAlice.send(new byte[n % 50])).isTrue();
        }
        toBob.close("done");
        assertThat(there.join()).hasSize(1000);
        for (int i = 0; i < 1000; i++) {
            assertThat(there.join().get(i)).isEqualTo(number(i));
        }
        assertThat(toAlice.ending()).isEqualTo(new Ending.Left("done"));
        assertThat(toBob.ending()).isEqualTo(new Ending.Closed("done"));
        here.join();
    }

    // The bound is for peers that do not take; a test that sends in a loop must not run into it.
    private boolean toAliceHasRoom() {
        return toBob.waiting() < 40 && toAlice.waiting() < 40;
    }

    @Test
    void a_goodbye_is_told_from_the_end_of_a_process() throws IOException {
        var pair = Wire.sockets();
        var link = toTest(pair);
        pair.client().close();
        assertThat(link.receive()).isNull();
        assertThat(link.ending()).isEqualTo(new Ending.EndOfStream());
    }

    @Test
    void an_end_within_a_message_is_an_end_of_stream() throws IOException {
        var pair = Wire.sockets();
        var link = toTest(pair);
        pair.client().write(ByteBuffer.wrap(new byte[] {9, 0, 0, 0, 0, 1, 2}));
        pair.client().close();
        assertThat(link.receive()).isNull();
        assertThat(link.ending()).isEqualTo(new Ending.EndOfStream());
    }

    @Test
    void a_reset_is_told_from_an_end_of_stream() throws IOException {
        var pair = Wire.sockets();
        var link = toTest(pair);
        pair.client().setOption(StandardSocketOptions.SO_LINGER, 0);
        pair.client().close();
        assertThat(link.receive()).isNull();
        assertThat(link.ending()).isInstanceOf(Ending.Reset.class);
    }

    @Test
    void a_reset_that_a_write_was_told_of_is_no_end_of_stream() throws IOException {
        var pair = Wire.sockets();
        var link = toTest(pair);
        pair.client().setOption(StandardSocketOptions.SO_LINGER, 0);
        pair.client().close();
        link.send(number(1));
        assertThat(link.receive()).isNull();
        assertThat(link.ending()).isInstanceOf(Ending.Reset.class);
    }

    /// Else it would be called dead by whom it gave up: that one may just have stood still.
    @Test
    void who_gives_up_a_peer_is_not_taken_for_one_whose_process_has_ended() {
        toBob.giveUp(Duration.ofSeconds(20));
        assertThat(toAlice.receive()).isNull();
        assertThat(toAlice.ending()).isInstanceOf(Ending.Reset.class);
    }

    @Test
    void what_was_sent_before_the_goodbye_arrives() {
        for (int i = 0; i < 40; i++) {
            assertThat(toBob.send(number(i))).isTrue();
        }
        var there = drain(toAlice);
        toBob.close("leaving");
        assertThat(there.join()).hasSize(40);
        assertThat(toAlice.ending()).isEqualTo(new Ending.Left("leaving"));
        assertThat(toBob.send(number(1))).isFalse();
    }

    /// It may stop the thread that says goodbye, as one that waits for its time.
    @Test
    void a_receiver_hears_of_a_close_once_the_goodbye_is_said() throws IOException {
        var pair = Wire.sockets();
        var link = toTest(pair);
        var received = drain(link);
        tasks.start("close", () -> link.close("bye"));
        var said = ByteBuffer.allocate(100);
        while (pair.client().read(said) >= 0) {
            // until it has said all
        }
        assertThat(new String(said.array(), 0, said.position(), UTF_8)).endsWith("bye");
        assertThat(received).as("its peer has not ended the connection yet").isNotDone();
        pair.client().close();
        assertThat(received.join()).isEmpty();
    }

    @Test
    void a_long_reason_is_cut_between_characters() {
        var there = drain(toAlice);
        toBob.close("€".repeat(200));
        there.join();
        assertThat(toAlice.ending()).isEqualTo(new Ending.Left("€".repeat(85)));
    }

    @Test
    void closing_twice_keeps_the_first_reason() {
        var _ = drain(toAlice);
        toBob.close("first");
        toBob.close("second");
        toBob.close();
        assertThat(toBob.ending()).isEqualTo(new Ending.Closed("first"));
    }

    @Test
    void a_peer_that_reads_nothing_cannot_hold_up_a_goodbye() throws IOException {
        var pair = Wire.sockets();
        var link = toTest(pair);
        var closed = new CompletableFuture<Void>();
        tasks.start(
                "close",
                () -> {
                    link.close("bye");
                    closed.complete(null);
                });
        eventually("last words have a limit", () -> tasks.waiting() >= 4);
        eventually(
                "closed",
                () -> {
                    tasks.advance(Duration.ofMillis(500));
                    return closed.isDone();
                });
        assertThat(pair.server().isOpen()).isFalse();
        pair.client().close();
    }

    @Test
    void a_queue_that_overflows_ends_the_link_and_says_why() throws IOException {
        var pair = Wire.sockets();
        var link = toTest(pair);
        int sent = 0;
        while (link.send(new byte[1000])) {
            sent++;
            assertThat(sent).as("messages taken by a peer that reads nothing").isLessThan(100_000);
        }
        assertThat(link.ending())
                .isInstanceOfSatisfying(
                        Ending.Overflow.class,
                        overflow ->
                                assertThat(overflow.reason())
                                        .matches(
                                                "the peer takes too little: \\d+ messages with \\d+ bytes are waiting to be sent"));
        assertThat(link.receive()).isNull();
        pair.client().close();
    }

    @Test
    void a_message_over_the_limit_is_the_callers_mistake() {
        assertThatThrownBy(() -> toBob.send(new byte[1001]))
                .hasMessage("a control message of 1001 bytes, but at most 1000 are allowed");
        assertThat(toBob.ending()).isNull();
    }

    @Test
    void absurd_lengths_and_unknown_kinds_end_the_link() throws IOException {
        var bad =
                List.of(
                        new byte[] {-1, -1, -1, -1, 0},
                        new byte[] {-23, 3, 0, 0, 0},
                        new byte[] {1, 0, 0, 0, ControlFrames.PING},
                        new byte[] {1, 1, 0, 0, ControlFrames.GOODBYE},
                        new byte[] {0, 0, 0, 0, 77});
        for (var bytes : bad) {
            var pair = Wire.sockets();
            var link = toTest(pair);
            pair.client().write(ByteBuffer.wrap(bytes));
            assertThat(link.receive()).isNull();
            assertThat(link.ending()).isInstanceOf(Ending.Violation.class);
            assertThat(pair.server().isOpen()).isFalse();
            pair.client().close();
        }
    }

    @Test
    void an_idle_link_stays_alive_by_pings() {
        var _ = drain(toAlice);
        var _ = drain(toBob);
        for (int i = 0; i < 10; i++) {
            tasks.advance(Duration.ofSeconds(5));
            eventually(
                    "both heard of each other",
                    () -> toBob.quiet().isZero() && toAlice.quiet().isZero());
        }
        assertThat(toBob.ending()).isNull();
        assertThat(toAlice.ending()).isNull();
    }

    @Test
    void silence_is_reported_again_and_again_and_the_link_goes_on() throws IOException {
        var pair = Wire.sockets();
        var link = toTest(pair);
        var silences = new CopyOnWriteArrayList<Duration>();
        link.onSilence(silences::add);
        for (int i = 0; i < 5; i++) {
            tasks.advance(Duration.ofSeconds(5));
        }
        assertThat(silences)
                .containsExactly(
                        Duration.ofSeconds(15), Duration.ofSeconds(20), Duration.ofSeconds(25));
        assertThat(link.ending()).isNull();
        link.giveUp(silences.getLast());
        assertThat(link.ending()).isEqualTo(new Ending.Silent(Duration.ofSeconds(25)));
        assertThat(link.receive()).isNull();
        pair.client().close();
    }

    /// A process that is stopped and goes on, a machine that slept.
    @Test
    void who_stood_still_itself_has_not_listened_and_calls_nobody_silent() throws IOException {
        var pair = Wire.sockets();
        var link = toTest(pair);
        var silences = new CopyOnWriteArrayList<Duration>();
        link.onSilence(silences::add);
        tasks.standStill(Duration.ofSeconds(60));
        assertThat(silences).isEmpty();
        tasks.advance(Duration.ofSeconds(10));
        assertThat(silences).isEmpty();
        tasks.advance(Duration.ofSeconds(5));
        assertThat(silences).as("who listens again hears nothing").hasSize(1);
        assertThat(silences.getFirst()).isEqualTo(Duration.ofSeconds(75));
        pair.client().close();
    }

    /// Half a message is nothing heard: whoever dribbles without end is silent all the same.
    @Test
    void who_dribbles_half_a_message_is_silent() throws IOException {
        var silences = new CopyOnWriteArrayList<Duration>();
        toBob.onSilence(_ -> {});
        toAlice.onSilence(_ -> {});
        var dribbling = Wire.sockets();
        var link = toTest(dribbling);
        link.onSilence(silences::add);
        var _ = drain(link);
        var message = ControlFrames.frame(ControlFrames.MESSAGE, new byte[40]);
        for (int i = 0; i < 4; i++) {
            dribbling.client().write(message.slice(i, 1));
            tasks.advance(Duration.ofSeconds(5));
        }
        assertThat(silences).containsExactly(Duration.ofSeconds(15), Duration.ofSeconds(20));
        assertThat(link.ending()).isNull();
        link.giveUp(silences.getLast());
        assertThat(link.ending()).isEqualTo(new Ending.Silent(Duration.ofSeconds(20)));
        dribbling.client().close();
    }

    @Test
    void a_link_whose_end_was_noticed_leaves_nothing_behind() throws IOException {
        var pair = Wire.sockets();
        var link = toTest(pair);
        int others = tasks.size();
        pair.client().close();
        assertThat(link.receive()).isNull();
        eventually("no task is left", () -> tasks.size() == others - 1);
    }

    @Test
    void a_goodbye_is_heard_even_when_the_answer_could_not_be_sent() throws IOException {
        var pair = Wire.sockets();
        var link = toTest(pair);
        var raw = pair.client();
        raw.write(ControlFrames.goodbye("gone"));
        raw.close();
        for (int i = 0; i < 20; i++) {
            link.send(number(i));
        }
        assertThat(link.receive()).isNull();
        assertThat(link.ending()).isEqualTo(new Ending.Left("gone"));
    }
}
