package org.ibidem.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.eventually;

import java.time.Duration;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.ibidem.Background;
import org.ibidem.channel.ChannelMessages.Await;
import org.ibidem.channel.ChannelMessages.Cancel;
import org.ibidem.channel.ChannelMessages.Open;
import org.ibidem.channel.ChannelMessages.Refuse;
import org.ibidem.connect.Unreachable;
import org.ibidem.control.Peers;
import org.ibidem.control.ServiceFailed;
import org.ibidem.link.LinkBroken;
import org.ibidem.stack.Stack;
import org.ibidem.station.NodeRuntime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// How often a peer is asked for a channel, what it is told between, and what is said when that was
/// in vain. The peer is played.
@Timeout(60)
class ChannelOpenerTest {
    private static final Duration LONG = Duration.ofSeconds(50);
    private static final int CODE = 7;
    private static final long STATE = 5;

    private final TwoNodes nodes = new TwoNodes();
    private final NodeRuntime alice = nodes.alice;
    private final NodeRuntime bob = nodes.bob;
    private final Intruder player = new Intruder(bob, new Random(1));
    private final Stack stack = Stack.parse("tcp", alice.catalog());
    private final List<Open> asked = new CopyOnWriteArrayList<>();
    private final List<Await> awaited = new CopyOnWriteArrayList<>();
    private final List<String> cancelled = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        nodes.close();
    }

    /// Bob gives these answers, one after the other, and notes what it is told.
    private void answers(List<Function<Open, byte[]>> answers) {
        Iterator<Function<Open, byte[]>> next = answers.iterator();
        player.answer(question -> {
            var open = Open.decode(question);
            asked.add(open);
            return next.next().apply(open);
        });
        bob.peers()
                .serve(
                        Peers.AWAIT,
                        (_, question) -> {
                            awaited.add(Await.decode(question));
                            return Peers.NOTHING;
                        });
        bob.peers()
                .serve(
                        Peers.CANCEL,
                        (_, question) -> {
                            cancelled.add(Cancel.decode(question).key());
                            return Peers.NOTHING;
                        });
    }

    private static byte[] yes(Open open) {
        return Intruder.yes(open.key());
    }

    private static byte[] notYet() {
        return new Refuse(CODE, STATE, "not yet").encode();
    }

    private OutChannel open(Duration limit) {
        return alice.channels().open(bob.id(), "port", stack, new byte[] {1}, limit);
    }

    private List<String> keys() {
        return asked.stream().map(Open::key).toList();
    }

    @Test
    void what_a_peer_has_not_yet_is_asked_for_again_once_the_peer_has_changed() {
        player.promise();
        answers(List.of(_ -> notYet(), _ -> notYet(), ChannelOpenerTest::yes));
        assertThat(open(LONG).peer()).isEqualTo(bob.id());
        assertThat(awaited).hasSize(2).allMatch(await -> await.state() == STATE);
        int most = (int) LONG.toMillis() * 7 / 8; // an eighth is for the way back
        assertThat(awaited).allMatch(await -> await.patience() > 1000 && await.patience() <= most);
        assertThat(asked).hasSize(3).noneMatch(Open::fresh);
        assertThat(asked).allMatch(open -> open.kind().equals("port") && open.request()[0] == 1);
        assertThat(keys()).doesNotHaveDuplicates();
        assertThat(alice.channels().links()).as("the others are forgotten").isEqualTo(1);
        assertThat(cancelled).isEmpty();
    }

    @Test
    void a_peer_that_has_it_never_is_heard_with_its_own_words() {
        answers(Collections.nCopies(1_000_000, _ -> notYet()));
        assertThatThrownBy(() -> open(Duration.ofMillis(200)))
                .isInstanceOfSatisfying(
                        ChannelRefused.class, e -> assertThat(e.code()).isEqualTo(CODE))
                .hasMessage("not yet");
        assertThat(awaited).isNotEmpty();
        assertThat(alice.channels().links()).isZero();
    }

    @Test
    void a_peer_that_refuses_for_good_is_asked_once() {
        answers(List.of(_ -> Refuse.forGood(CODE, "never").encode()));
        assertThatThrownBy(() -> open(LONG))
                .isInstanceOfSatisfying(
                        ChannelRefused.class, e -> assertThat(e.code()).isEqualTo(CODE))
                .hasMessage("never");
        assertThat(cancelled).as("there is nothing to take back").isEmpty();
        assertThat(alice.channels().links()).isZero();
    }

    /// Its connections are refused: bob knows of no link.
    @Test
    void a_link_that_breaks_is_tried_three_times_anew_after_the_first_and_taken_back() {
        answers(Collections.nCopies(10, ChannelOpenerTest::yes));
        assertThatThrownBy(() -> open(LONG)).isInstanceOf(LinkBroken.class);
        assertThat(asked).extracting(Open::fresh).containsExactly(false, true, true);
        assertThat(cancelled).isEqualTo(keys());
        assertThat(alice.channels().links()).isZero();
    }

    @Test
    void one_that_was_made_at_the_second_try_serves() {
        player.promise();
        answers(List.of(_ -> Intruder.yes(player.key()), ChannelOpenerTest::yes));
        assertThat(open(LONG).peer()).isEqualTo(bob.id());
        assertThat(asked).extracting(Open::fresh).containsExactly(false, true);
        assertThat(cancelled).containsExactly(keys().getFirst());
    }

    @Test
    void garbage_is_no_answer_and_is_not_asked_for_again() {
        answers(List.of(_ -> new byte[] {9}));
        assertThatThrownBy(() -> open(LONG))
                .isInstanceOf(ServiceFailed.class)
                .hasMessageStartingWith("node " + bob.id().brief() + " answered with garbage: ");
        assertThat(cancelled).isEqualTo(keys());
    }

    @Test
    void one_that_cannot_be_reached_says_so_itself() {
        nodes.hideBob();
        assertThatThrownBy(() -> open(LONG)).isInstanceOf(Unreachable.class);
        assertThat(alice.channels().links()).isZero();
    }

    @Test
    void one_that_has_gone_after_it_had_answered_is_said_to_have_gone() {
        answers(Collections.nCopies(1000, _ -> notYet()));
        bob.peers()
                .serve(
                        Peers.AWAIT,
                        (_, _) -> {
                            nodes.hideBob();
                            bob.tasks().start("leave", bob.peers()::close);
                            return Peers.NOTHING;
                        });
        assertThatThrownBy(() -> open(LONG))
                .isInstanceOf(ServiceFailed.class)
                .hasMessageContaining("node " + bob.id().brief() + " has gone");
    }

    /// As of a process that was stopped.
    @Test
    void one_without_time_left_does_not_wait_for_what_it_takes_back() {
        var stopped = new CompletableFuture<byte[]>();
        var heard = new CompletableFuture<Long>();
        answers(List.of(_ -> stopped.join()));
        bob.peers()
                .serve(
                        Peers.CANCEL,
                        (_, _) -> {
                            heard.complete(System.nanoTime());
                            return stopped.join();
                        });
        alice.ping(bob.id(), LONG);
        assertThatThrownBy(() -> open(Duration.ofMillis(200))).isInstanceOf(ServiceFailed.class);
        long end = System.nanoTime();
        assertThat(Duration.ofNanos(end - heard.join())).isLessThan(Duration.ofSeconds(1));
        stopped.complete(Peers.NOTHING);
    }

    /// As where the hub through which it goes has ended: the peer may be well.
    @Test
    void a_question_whose_connection_is_cut_off_is_asked_again() throws Exception {
        player.promise();
        answers(List.of(ChannelOpenerTest::yes));
        try (var link = player.control(alice)) {
            eventually("it is there", () -> alice.peers().mayBeThere(bob.id()));
            var opening = Background.call(() -> open(LONG));
            assertThat(link.receive()).isNotNull();
            link.giveUp(Duration.ZERO);
            assertThat(opening.join().peer()).isEqualTo(bob.id());
        }
        assertThat(asked).as("the second time").hasSize(1);
    }

    @Test
    void a_link_that_is_there_serves_the_other_direction_too() {
        for (var each : List.of(alice, bob)) {
            each.channels().serve("port", (_, _, _, _) -> new Acceptor.Yes(new TwoNodes.Taken()));
        }
        var there = open(LONG);
        var back = bob.channels().open(alice.id(), "port", stack, new byte[0], LONG);
        assertThat(back.link().key).isEqualTo(there.link().key);
        assertThat(alice.channels().links()).isEqualTo(1);
        assertThat(bob.channels().links()).isEqualTo(1);
    }

    @Test
    void a_node_waits_for_itself_too() {
        var opening =
                Background.call(
                        () -> alice.channels().open(alice.id(), "late", stack, new byte[0], LONG));
        eventually("it waits", () -> alice.channels().waiting() == 1);
        alice.channels().serve("late", (_, _, _, _) -> new Acceptor.Yes(new TwoNodes.Taken()));
        assertThat(opening.join().peer()).isEqualTo(alice.id());
    }
}
