package org.ibidem.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.eventually;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.ibidem.arbitration.Threads;
import org.ibidem.buffer.BufferPool;
import org.ibidem.buffer.ControlWriter;
import org.ibidem.channel.Acceptor.Receiver;
import org.ibidem.channel.ChannelMessages.Await;
import org.ibidem.channel.ChannelMessages.Cancel;
import org.ibidem.channel.ChannelMessages.Close;
import org.ibidem.channel.ChannelMessages.Done;
import org.ibidem.channel.ChannelMessages.GivenUp;
import org.ibidem.channel.ChannelMessages.Offer;
import org.ibidem.channel.ChannelMessages.Open;
import org.ibidem.channel.ChannelMessages.Opened;
import org.ibidem.channel.ChannelMessages.Refuse;
import org.ibidem.control.Peers;
import org.ibidem.identity.Identity;
import org.ibidem.link.LinkBroken;
import org.ibidem.stack.FramesOverStream;
import org.ibidem.stack.Stack;
import org.ibidem.station.NodeRuntime;
import org.ibidem.topology.Contact;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/// What a member says of links and channels touches its own and nobody else's; what was promised to
/// one who gives it up is promised to nobody.
@ParameterizedClass
@ValueSource(strings = {"loopback", "tcp"})
@Timeout(60)
class LyingPeersTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final Threads threads = new Threads("test");
    private final Map<NodeId, Contact> book = new ConcurrentHashMap<>();
    private final NodeRuntime alice = runtime();
    private final NodeRuntime bob = runtime();
    private final NodeRuntime evil = runtime();
    private final Intruder intruder = new Intruder(evil, new Random(1));
    private final String name;
    private final Stack stack;
    private final LinkedBlockingQueue<InChannel> came = new LinkedBlockingQueue<>();
    private final List<String> failed = new CopyOnWriteArrayList<>();
    private final List<InChannel> cancelled = new CopyOnWriteArrayList<>();

    LyingPeersTest(String name) {
        this.name = name;
        this.stack = Stack.parse(name, alice.catalog());
        for (var runtime : List.of(alice, bob)) {
            runtime.channels().serve("port", (_, _, _, _) -> new Acceptor.Yes(new Taken()));
        }
    }

    private NodeRuntime runtime() {
        var made = NodeRuntime.begun(Identity.create(), "test", false, book::get, threads);
        book.put(made.id(), made.contact());
        return made;
    }

    @AfterEach
    void close() {
        for (var runtime : List.of(alice, bob, evil)) {
            Thread.currentThread().interrupt(); // nobody waits for those who use its links
            runtime.channels().close();
            assertThat(Thread.interrupted()).isTrue();
            runtime.close();
        }
        threads.close();
    }

    private final class Taken implements Receiver {
        @Override
        public void attach(InChannel incoming) {
            came.add(incoming);
        }

        @Override
        public void failed(String why) {
            failed.add(why);
        }

        @Override
        public void cancelled(InChannel channel) {
            cancelled.add(channel);
        }
    }

    private OutChannel open(NodeRuntime from, NodeRuntime to) {
        return from.channels().open(to.id(), "port", stack, new byte[0], LIMIT);
    }

    private InChannel came() throws InterruptedException {
        var channel = came.poll(LIMIT.toSeconds(), TimeUnit.SECONDS);
        assertThat(channel).isNotNull();
        return channel;
    }

    private void says(int kind, NodeRuntime to, byte[] what) {
        evil.peers().request(to.id(), kind, what, LIMIT);
    }

    private static byte[] broken(String key) {
        return new ControlWriter(100).text(key, 32).text("says who", 50).toBytes();
    }

    private void refusesTheChoice(ThrowingCallable open) {
        assertThatThrownBy(open)
                .isInstanceOf(LinkBroken.class)
                .hasMessage("the link that node " + evil.id().brief() + " chose is gone");
    }

    /// Its free direction would serve for what is meant for the liar, and the other way round.
    @Test
    void a_link_to_another_is_not_the_liars_to_choose() throws Exception {
        var key = open(bob, alice).link().key;
        came();
        intruder.answer(_ -> Intruder.yes(key));
        refusesTheChoice(() -> open(alice, evil));
        assertThat(open(alice, bob).link().key).as("it is free").isEqualTo(key);
    }

    @Test
    void nor_is_one_of_another_stack_or_one_that_is_not_there() throws Exception {
        var other = Stack.parse("fragment(size=128) > " + name, alice.catalog());
        var key = evil.channels().open(alice.id(), "port", other, new byte[0], LIMIT).link().key;
        came();
        intruder.answer(_ -> Intruder.yes(key));
        refusesTheChoice(() -> open(alice, evil));
        intruder.answer(_ -> Intruder.yes(intruder.key()));
        refusesTheChoice(() -> open(alice, evil));
    }

    @Test
    void a_link_of_others_is_not_the_liars_to_break() {
        var out = open(alice, bob);
        says(Peers.BROKEN, alice, broken(out.link().key));
        says(Peers.BROKEN, bob, broken(out.link().key));
        assertThat(out.closedBecause()).isNull();
        assertThat(alice.channels().links()).isEqualTo(1);
        assertThat(bob.channels().links()).isEqualTo(1);
        bob.peers().request(alice.id(), Peers.BROKEN, broken(out.link().key), LIMIT);
        assertThat(out.closedBecause()).isEqualTo("it broke at the other end: says who");
        assertThat(alice.channels().links()).isZero();
    }

    @Test
    void a_channel_of_others_is_not_the_liars_to_end() throws Exception {
        var out = open(alice, bob);
        var in = came();
        says(Peers.DONE, bob, new Done(out.id()).encode());
        assertThat(in.isLeaving()).isFalse();
        says(Peers.CLOSE, alice, new Close(out.id(), "says who").encode());
        assertThat(out.closedBecause()).isNull();
        says(Peers.CANCEL, bob, new Cancel(out.link().key).encode());
        assertThat(cancelled).isEmpty();
        alice.peers().request(bob.id(), Peers.DONE, new Done(out.id()).encode(), LIMIT);
        assertThat(in.isLeaving()).isTrue();
        bob.peers().request(alice.id(), Peers.CLOSE, new Close(out.id(), "no").encode(), LIMIT);
        assertThat(out.closedBecause()).isEqualTo("no");
        assertThat(out.closedInOrder()).isTrue();
    }

    @Test
    void nor_to_give_up() throws Exception {
        var out = open(alice, bob);
        var in = came();
        says(Peers.GIVEN_UP, bob, new GivenUp(out.id(), "says who").encode());
        assertThat(in.goneBecause()).isNull();
    }

    @Test
    void who_has_given_up_before_it_was_answered_keeps_no_place() {
        var key = intruder.key();
        says(Peers.CANCEL, bob, new Cancel(key).encode());
        assertThat(intruder.ask(bob.id(), key, name, new byte[0]))
                .isEqualTo("you have given it up");
        assertThat(failed).containsExactly("the peer gave it up");
        assertThat(bob.channels().links()).isZero();
        assertThat(intruder.ask(bob.id(), key, name, new byte[0])).as("asks anew").isEmpty();
    }

    @Test
    void who_asks_twice_for_the_same_link_has_one_place() {
        var key = intruder.key();
        assertThat(intruder.ask(bob.id(), key, name, new byte[0])).isEmpty();
        var why = "the key " + key + " is in use";
        assertThat(intruder.ask(bob.id(), key, name, new byte[0])).isEqualTo(why);
        assertThat(failed).as("the other place is given back").contains(why);
    }

    @Test
    void who_gives_up_before_the_link_is_made_keeps_no_place() {
        var key = intruder.key();
        assertThat(intruder.ask(bob.id(), key, name, new byte[0])).isEmpty();
        if (failed.isEmpty() && came.isEmpty()) { // else it was made, or could not be
            says(Peers.CANCEL, bob, new Cancel(key).encode());
            eventually("it is taken back", () -> failed.size() + cancelled.size() > 0);
        }
        eventually("nothing is kept", () -> bob.channels().links() == 0);
        assertThat(failed.size() + cancelled.size()).isLessThanOrEqualTo(1);
    }

    @Test
    void who_gives_up_when_the_link_is_made_takes_it_along_unless_it_serves_the_other_direction()
            throws Exception {
        var out = open(alice, bob);
        var in = came();
        alice.peers().request(bob.id(), Peers.CANCEL, new Cancel(out.link().key).encode(), LIMIT);
        assertThat(cancelled).containsExactly(in);
        assertThat(bob.channels().links()).isZero();
        out.broken("it was given up");
        out.detached();
        var second = open(alice, bob);
        var kept = came();
        var back = open(bob, alice);
        came();
        assertThat(back.link().key).isEqualTo(second.link().key);
        alice.peers()
                .request(bob.id(), Peers.CANCEL, new Cancel(second.link().key).encode(), LIMIT);
        assertThat(cancelled).containsExactly(in, kept);
        assertThat(back.closedBecause()).isNull();
        assertThat(bob.channels().links()).isEqualTo(1);
    }

    /// The link has a free direction, was chosen for the request, and may serve another by then.
    @Test
    void who_gives_up_leaves_a_link_that_was_there_before() throws Exception {
        var out = open(alice, bob);
        var in = came();
        out.ended();
        out.detached();
        in.ended();
        var cancel = new Cancel(intruder.key());
        alice.peers().request(bob.id(), Peers.CANCEL, cancel.encode(), LIMIT);
        var offer =
                new Offer(
                        stack.toString(),
                        stack.versions(),
                        FramesOverStream.terms(new BufferPool()));
        var open = new Open("port", cancel.key(), false, offer, new byte[0]);
        var answer = alice.peers().request(bob.id(), Peers.OPEN, open.encode(), LIMIT);
        assertThat(Opened.decode(answer))
                .isInstanceOfSatisfying(
                        Refuse.class, no -> assertThat(no.why()).isEqualTo("you have given it up"));
        assertThat(bob.channels().links()).isEqualTo(1);
        assertThat(open(alice, bob).link().key).isEqualTo(out.link().key);
    }

    @Test
    void that_a_receiver_wants_no_more_may_be_heard_before_the_channel_is_used() {
        var wire = Stack.parse("tcp", alice.catalog());
        intruder.promise();
        intruder.answer(question -> {
            says(Peers.CLOSE, alice, new Close(1, "not wanted").encode());
            return Intruder.yes(ChannelMessages.Open.decode(question).key());
        });
        var out = alice.channels().open(evil.id(), "port", wire, new byte[0], LIMIT);
        assertThat(out.closedBecause()).isEqualTo("not wanted");
        assertThat(out.closedInOrder()).isTrue();
    }

    @Test
    void a_link_that_is_not_made_is_not_kept_at_either_end() throws Exception {
        var wire = Stack.parse("tcp", alice.catalog());
        intruder.answer(question -> Intruder.yes(ChannelMessages.Open.decode(question).key()));
        assertThatThrownBy(() -> alice.channels().open(evil.id(), "port", wire, new byte[0], LIMIT))
                .isInstanceOf(LinkBroken.class);
        assertThat(alice.channels().links()).isZero();
        var key = intruder.key();
        assertThat(intruder.ask(bob.id(), key, "shm", new byte[0])).isEmpty();
        intruder.dial(bob.id(), key, "shm").close();
        eventually("it has failed", () -> !failed.isEmpty());
        eventually("nothing is kept", () -> bob.channels().links() == 0);
    }

    /// Each is proved by a thread of its own, and on a busy machine the second may be done first.
    @Test
    void a_connection_that_is_added_to_a_link_is_not_its_first_though_it_comes_first()
            throws Exception {
        var several = Stack.parse("parallel(2) > tcp", alice.catalog()).toString();
        var key = intruder.key();
        assertThat(intruder.ask(bob.id(), key, several, new byte[0])).isEmpty();
        try (var added = intruder.dial(bob.id(), key + LinkMatcher.ADDED, several);
                var first = intruder.dial(bob.id(), key, several)) {
            write(added, frame(3, 1));
            came();
            added.shutdownOutput();
            assertThat(read(first, 12)).as("seat 1 is lost").isEqualTo(frame(4, 1));
        }
    }

    /// Of the filter `parallel`: docs/wire/filters.md.
    private static ByteBuffer frame(int kind, long word) {
        var frame = ByteBuffer.allocate(12).order(ByteOrder.LITTLE_ENDIAN);
        return frame.putInt(kind << 24).putLong(word).flip();
    }

    private static void write(SocketChannel to, ByteBuffer bytes) throws IOException {
        to.configureBlocking(true);
        to.write(bytes);
    }

    private static ByteBuffer read(SocketChannel from, int count) throws IOException {
        from.configureBlocking(true);
        var bytes = ByteBuffer.allocate(count);
        while (bytes.hasRemaining() && from.read(bytes) >= 0) {
            // until it is here
        }
        return bytes.flip();
    }

    /// It looks for links once, and this one is made after that.
    @Test
    void a_link_that_is_made_after_its_node_was_closed_ends() {
        alice.channels().close();
        assertThatThrownBy(() -> open(alice, bob)).isInstanceOf(LinkBroken.class);
        assertThat(alice.channels().links()).isZero();
        eventually("the other end knows", () -> bob.channels().links() == 0);
    }

    /// Whatever had changed there when it looked.
    @Test
    void nobody_waits_for_what_is_to_come_at_a_node_that_takes_no_more_channels() {
        bob.channels().close();
        for (long seen = 0; seen < 10; seen++) {
            var question = new Await(seen, (int) LIMIT.toMillis()).encode();
            alice.peers().request(bob.id(), Peers.AWAIT, question, Duration.ofSeconds(10));
        }
        assertThat(bob.channels().waiting()).isZero();
        assertThatThrownBy(() -> open(alice, bob))
                .isInstanceOfSatisfying(
                        ChannelRefused.class,
                        refused -> assertThat(refused.code()).isEqualTo(ChannelRefused.LEAVING));
    }

    @Test
    void that_one_is_dead_says_nothing_of_others() throws Exception {
        var out = open(alice, bob);
        var in = came();
        alice.gone(evil.id(), "it is dead for this test");
        bob.gone(evil.id(), "it is dead for this test");
        assertThat(bob.channels().links()).isEqualTo(1);
        open(bob, alice); // whoever had been told by the word before would know by now
        came();
        assertThat(out.closedBecause()).isNull();
        assertThat(in.goneBecause()).isNull();
    }
}
