package org.ibidem.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.Eventually.eventually;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.ibidem.Background;
import org.ibidem.IbidemException;
import org.ibidem.channel.ChannelMessages.Retired;
import org.ibidem.control.Peers;
import org.ibidem.stack.Stack;
import org.ibidem.station.NodeRuntime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/// A link that ends, ends at both ends, and takes no channel along that its peer may just be giving
/// a direction of it to.
@ParameterizedClass
@ValueSource(strings = {"loopback", "tcp"})
@Timeout(60)
class LinkEndsTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final TwoNodes nodes = new TwoNodes();
    private final NodeRuntime alice = nodes.alice;
    private final NodeRuntime bob = nodes.bob;
    private final Stack stack;
    private final LinkedBlockingQueue<InChannel> came = new LinkedBlockingQueue<>();

    /// What is done before a request is answered.
    private volatile Runnable answer = () -> {};

    LinkEndsTest(String name) {
        stack = Stack.parse(name, alice.catalog());
        for (var runtime : new NodeRuntime[] {alice, bob}) {
            runtime.channels()
                    .serve(
                            "port",
                            (_, _, _, _) -> {
                                answer.run();
                                return new Acceptor.Yes(new TwoNodes.Taken(came::add));
                            });
        }
    }

    @AfterEach
    void close() {
        nodes.close();
    }

    private OutChannel open(NodeRuntime from, NodeRuntime to) {
        return from.channels().open(to.id(), "port", stack, new byte[0], LIMIT);
    }

    private InChannel came() throws InterruptedException {
        var channel = came.poll(LIMIT.toSeconds(), TimeUnit.SECONDS);
        assertThat(channel).isNotNull();
        return channel;
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void a_channel_is_given_up_without_the_other_direction_of_its_link() throws Exception {
        var out = open(alice, bob);
        var in = came();
        var back = open(bob, alice);
        assertThat(back.link().key).isEqualTo(out.link().key);
        came();
        out.giveUp("for this test");
        out.detached();
        eventually("it is told", () -> in.goneBecause() != null);
        assertThat(in.goneBecause()).isEqualTo("its sender gave it up: for this test");
        in.broken("it was told");
        assertThat(back.closedBecause()).isNull();
        assertThat(open(alice, bob).link().key).as("another").isNotEqualTo(out.link().key);
        back.ended();
        back.detached();
        eventually("nothing goes over it", () -> bob.channels().links() == 1);
    }

    /// As one of an older version.
    @Test
    void nor_is_it_given_up_alone_where_the_receiver_does_not_know_that() throws Exception {
        bob.peers()
                .serve(
                        Peers.GIVEN_UP,
                        (_, _) -> {
                            throw new IbidemException("requests of kind 12 are not known here");
                        });
        var out = open(alice, bob);
        var in = came();
        open(bob, alice);
        out.giveUp("for this test");
        eventually("it is told with the link", () -> in.goneBecause() != null);
        eventually("the link is broken", () -> alice.channels().links() == 0);
        assertThat(bob.channels().links()).isZero();
    }

    @Test
    void nor_does_one_whose_receiver_gives_it_up_take_the_other_direction_along() throws Exception {
        var out = open(alice, bob);
        var in = came();
        var back = open(bob, alice);
        var answers = came();
        in.giveUp("for this test");
        eventually("its sender is told", () -> out.closedBecause() != null);
        assertThat(out.closedInOrder()).isTrue();
        out.broken("nobody reads it");
        out.detached();
        assertThat(back.closedBecause()).isNull();
        assertThat(answers.goneBecause()).isNull();
        assertThat(open(alice, bob).link().key).as("another").isNotEqualTo(out.link().key);
        back.ended();
        answers.ended();
        back.detached();
        eventually("both ends are closed", () -> alice.channels().links() == 1);
        eventually("both ends are closed", () -> bob.channels().links() == 1);
    }

    @Test
    void a_link_whose_one_user_gives_it_up_ends() throws Exception {
        open(alice, bob);
        came().giveUp("for this test");
        assertThat(bob.channels().links()).isZero();
        eventually("the other end knows", () -> alice.channels().links() == 0);
        var out = open(bob, alice);
        came();
        out.giveUp("for this test");
        assertThat(bob.channels().links()).isZero();
        eventually("the other end knows", () -> alice.channels().links() == 0);
    }

    /// Its receiver may have given the direction to another already.
    @Test
    void a_channel_that_has_ended_is_not_given_up() throws Exception {
        var out = open(alice, bob);
        var in = came();
        open(bob, alice);
        came();
        out.ended();
        out.giveUp("too late");
        out.detached();
        in.ended();
        assertThat(out.isGivenUp()).isFalse();
        assertThat(open(alice, bob).link().key).isEqualTo(out.link().key);
    }

    /// Bob gives the end of the channel to nobody else, but does not know that it was given up.
    @Test
    void of_a_link_that_ends_after_one_direction_no_direction_is_given_away() throws Exception {
        bob.peers().serve(Peers.GIVEN_UP, (_, _) -> Peers.NOTHING);
        var out = open(alice, bob);
        var in = came();
        var back = open(bob, alice);
        var answers = came();
        out.giveUp("for this test");
        out.detached();
        in.ended();
        back.ended();
        answers.ended();
        assertThat(alice.channels().links()).isZero();
        assertThat(open(alice, bob).link().key).isNotEqualTo(out.link().key);
        came();
        assertThat(came).as("on a link that is gone").isEmpty();
        back.detached();
        eventually("it is closed", () -> bob.channels().links() == 1);
    }

    /// The answer may name it: this direction of it is free.
    @Test
    void a_link_whose_one_user_gives_it_up_while_it_may_be_named_does_not_end_at_once()
            throws Exception {
        var out = open(alice, bob);
        var in = came();
        var asked = new CountDownLatch(1);
        var answered = new CountDownLatch(1);
        answer =
                () -> {
                    asked.countDown();
                    await(answered);
                };
        var other = Background.run(() -> open(bob, alice));
        await(asked);
        in.giveUp("for this test");
        assertThat(bob.channels().links()).as("it is there").isPositive();
        eventually("its sender is told", () -> out.closedBecause() != null);
        assertThat(out.closedBecause()).isEqualTo("for this test");
        answered.countDown();
        other.join();
        assertThat(came().link().isBroken()).as("it is cancelled, not lost").isFalse();
    }

    @Test
    void a_link_that_was_chosen_and_is_gone_is_not_chosen_again() throws Exception {
        var out = open(alice, bob);
        came().ended();
        out.ended();
        out.detached();
        alice.channels().broken(out.link(), "for this test, without a word");
        open(alice, bob);
        eventually("its peer does not have it either", () -> bob.channels().links() == 1);
    }

    /// As its sender is about to close it, and what is asked behind that would be lost with it.
    @Test
    void of_a_link_that_the_peer_has_retired_no_direction_is_given_away() throws Exception {
        var out = open(alice, bob);
        var in = came();
        var key = out.link().key;
        out.ended();
        out.detached();
        in.ended();
        assertThat(alice.peers().tell(bob.id(), Peers.RETIRED, new Retired(key).encode())).isTrue();
        assertThat(open(alice, bob).link().key).isNotEqualTo(key);
        came();
        eventually("it is closed", () -> bob.channels().links() == 1);
    }

    @Test
    void a_retired_link_that_is_still_in_use_is_closed_after_that() throws Exception {
        var out = open(alice, bob);
        var in = came();
        var key = out.link().key;
        alice.peers().request(bob.id(), Peers.RETIRED, new Retired(key).encode(), LIMIT);
        assertThat(bob.channels().links()).as("it is in use").isEqualTo(1);
        out.ended();
        assertThat(in.goneBecause()).isNull();
        in.ended();
        assertThat(bob.channels().links()).isZero();
    }

    @Test
    void a_link_that_breaks_at_one_end_is_broken_at_the_other_which_hears_why() throws Exception {
        var out = open(alice, bob);
        var in = came();
        out.broken("for this test");
        assertThat(alice.channels().links()).isZero();
        eventually("the other end knows", () -> bob.channels().links() == 0);
        assertThat(in.goneBecause()).isEqualTo("it broke at the other end: for this test");
    }

    @Test
    void the_links_of_one_that_is_dead_end_unless_somebody_reads_what_came() throws Exception {
        var out = open(alice, bob);
        var in = came();
        bob.gone(alice.id(), "it is dead for this test");
        eventually("the reader knows", () -> in.goneBecause() != null);
        assertThat(bob.channels().links()).isEqualTo(1);
        in.broken("it was read");
        assertThat(bob.channels().links()).isZero();
        alice.gone(bob.id(), "it is dead, too");
        eventually("nobody reads here", () -> alice.channels().links() == 0);
        assertThat(out.closedBecause()).isNotNull();
    }

    @Test
    void the_link_of_one_that_is_dead_ends_when_all_that_it_had_sent_was_read() throws Exception {
        open(alice, bob);
        var in = came();
        bob.gone(alice.id(), "it is dead for this test");
        eventually("the reader knows", () -> in.goneBecause() != null);
        assertThat(bob.channels().links()).isEqualTo(1);
        in.ended();
        assertThat(bob.channels().links()).isZero();
    }

    @Test
    void a_channel_of_a_node_to_itself_ends_as_any_other() throws Exception {
        var out = open(alice, alice);
        var in = came();
        out.ended();
        eventually("its receiver knows", in::isLeaving);
        var other = open(alice, alice);
        came().refuseRest("not wanted");
        eventually("its sender knows", () -> other.closedBecause() != null);
        assertThat(other.closedBecause()).isEqualTo("not wanted");
    }
}
