package org.ibidem.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.eventually;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.ibidem.Background;
import org.ibidem.arbitration.ManualClock;
import org.ibidem.arbitration.Threads;
import org.ibidem.link.Catalog;
import org.ibidem.link.FrameLink;
import org.ibidem.link.FrameSink;
import org.ibidem.link.FrameSource;
import org.ibidem.link.LinkBroken;
import org.ibidem.stack.Stack;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Who has which direction of a link, and who is told when it ends.
@Timeout(60)
class DataLinkTest {
    private static final NodeId PEER = new NodeId(2, 2);
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Duration SHORT = Duration.ofMillis(5);
    private static final Stack STACK = Stack.parse("tcp", Catalog.found());

    private final ManualClock clock = new ManualClock();
    private final Threads threads = new Threads("test", clock);
    private final List<String> rung = new ArrayList<>();
    private final DataLink link = new DataLink("k", PEER, STACK, true);
    private final Made made = new Made();

    @AfterEach
    void close() {
        threads.close();
    }

    /// What was made for it.
    private static final class Made implements FrameLink {
        int closed;

        @Override
        public FrameSink sink() {
            throw new AssertionError("nobody writes here");
        }

        @Override
        public FrameSource source() {
            throw new AssertionError("nobody reads here");
        }

        @Override
        public void close() {
            closed++;
        }
    }

    private OutChannel out() {
        var out = new OutChannel(null, link, null, 1);
        out.whenClosed(() -> rung.add("out"));
        return out;
    }

    private InChannel in() {
        var in = new InChannel(null, link, null, 1);
        in.whenClosed(() -> rung.add("in"));
        return in;
    }

    private OutChannel taken() {
        var out = out();
        link.take(out, SHORT);
        return out;
    }

    @Test
    void each_direction_is_given_to_one_at_a_time() {
        assertThat(link.idle()).isTrue();
        assertThat(link.promise()).isTrue();
        assertThat(link.idle()).isFalse();
        assertThat(link.promise()).isFalse();
        link.use(in());
        link.freeIncoming();
        assertThat(link.idle()).isTrue();
        assertThat(link.promise()).isTrue();
        var first = taken();
        assertThat(link.outgoingIsFree()).isFalse();
        assertThatThrownBy(this::taken)
                .isInstanceOf(LinkBroken.class)
                .hasMessageEndingWith("gave a direction away that is in use");
        link.letGo(out()); // another one
        assertThat(link.outgoingIsFree()).isFalse();
        link.letGo(first);
        assertThat(link.outgoingIsFree()).isTrue();
        link.letGo(first);
        taken();
        assertThatThrownBy(this::taken).as("it was let go of once").isInstanceOf(LinkBroken.class);
    }

    @Test
    void who_takes_a_direction_waits_for_who_is_about_to_let_go() {
        var first = taken();
        var second = out();
        var taking = Background.run(() -> link.take(second, LONG));
        link.letGo(first);
        taking.join();
        assertThat(link.outgoingIsFree()).isFalse();
    }

    @Test
    void who_is_interrupted_as_it_waits_for_a_direction_stays_interrupted() {
        taken();
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> link.take(out(), LONG))
                .isInstanceOf(LinkBroken.class)
                .hasMessageContaining("interrupted");
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void a_broken_link_is_nobodys_and_says_why_each_time() {
        link.close("it is broken");
        assertThat(link.promise()).isFalse();
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(this::taken).hasMessage("it is broken");
        }
        assertThat(link.isBroken()).isTrue();
    }

    @Test
    void one_that_was_idle_for_long_retires_unless_it_is_used() {
        link.usedAt(100);
        assertThat(link.retire(109, 10)).as("not long enough").isFalse();
        link.promise();
        assertThat(link.retire(110, 10)).as("promised").isFalse();
        link.freeIncoming();
        var out = taken();
        assertThat(link.retire(110, 10)).as("taken").isFalse();
        link.letGo(out);
        assertThat(link.retire(110, 10)).isTrue();
        assertThat(link.promise()).isFalse();
        assertThatThrownBy(this::taken).hasMessage("it was idle");
    }

    private CompletableFuture<Void> awaitingIdle(long deadline) {
        var thread = new CompletableFuture<Thread>();
        var awaiting =
                Background.run(() -> {
                    thread.complete(Thread.currentThread());
                    link.awaitIdle(threads, deadline);
                });
        var waits = thread.join();
        eventually(
                "it waits, or is done",
                () -> awaiting.isDone() || waits.getState() == Thread.State.TIMED_WAITING);
        return awaiting;
    }

    @Test
    void who_waits_until_it_is_idle_is_told_by_whoever_lets_go_last() throws Exception {
        long never = threads.nanoTime() + LONG.toNanos();
        assertThat(awaitingIdle(never)).isDone();
        link.promise();
        var out = taken();
        var waits = awaitingIdle(never);
        link.letGo(out);
        assertThat(waits).isNotDone();
        link.freeIncoming();
        waits.get(20, TimeUnit.SECONDS);
        var again = taken();
        var waitsAgain = awaitingIdle(never);
        link.letGo(again);
        waitsAgain.get(20, TimeUnit.SECONDS);
        taken();
        var last = awaitingIdle(never);
        link.close("it is broken");
        last.get(20, TimeUnit.SECONDS);
    }

    @Test
    void or_until_a_time() throws Exception {
        taken();
        awaitingIdle(threads.nanoTime()).get(20, TimeUnit.SECONDS);
        awaitingIdle(threads.nanoTime() + 1_000_000).isDone();
    }

    @Test
    void a_close_tells_both_users_once_and_closes_what_was_made() {
        var in = in();
        link.promise();
        link.use(in);
        var out = taken();
        link.complete(made);
        assertThat(link.isBuilt()).isTrue();
        link.close("first");
        link.close("second");
        assertThat(in.goneBecause()).isEqualTo("first");
        assertThat(out.closedBecause()).isEqualTo("first");
        assertThat(out.closedInOrder()).isFalse();
        assertThat(rung).containsExactly("in", "out");
        assertThat(made.closed).isEqualTo(1);
        assertThat(link.isBuilt()).isFalse();
    }

    @Test
    void what_is_made_for_one_that_was_given_up_is_closed() {
        link.close("given up");
        link.complete(made);
        assertThat(made.closed).isEqualTo(1);
        var other = new DataLink("k", PEER, STACK, true);
        other.failed(new LinkBroken("no"));
        other.complete(made);
        assertThat(made.closed).isEqualTo(2);
        assertThatThrownBy(() -> other.link(LONG))
                .isInstanceOf(LinkBroken.class)
                .hasMessage("the link could not be made: no");
    }

    @Test
    void that_the_peer_is_gone_is_told_both_users_and_what_came_can_still_be_read() {
        var in = in();
        link.promise();
        link.use(in);
        var out = taken();
        link.complete(made);
        assertThat(link.gone("it is dead")).as("somebody reads").isTrue();
        assertThat(in.goneBecause()).isEqualTo("it is dead");
        assertThat(out.closedBecause()).isEqualTo("it is dead");
        assertThat(rung).containsExactly("in", "out");
        assertThat(made.closed).isZero();
        assertThat(link.goneBecause()).isEqualTo("it is dead");
        link.freeIncoming();
        assertThat(link.promise()).isFalse();
        assertThat(link.gone("it is dead")).as("nobody reads").isFalse();
    }

    @Test
    void who_comes_late_is_told_too() {
        link.promise();
        link.gone("it is dead");
        var late = in();
        link.use(late);
        assertThat(late.goneBecause()).isEqualTo("it is dead");
        link.close("it is broken");
        var later = in();
        link.use(later);
        assertThat(later.goneBecause()).isEqualTo("it is broken");
    }

    @Test
    void whether_it_is_asked_for_made_or_agreed_ends_with_it() {
        var passive = new DataLink("k", PEER, STACK, false);
        assertThat(passive.awaits(PEER)).isTrue();
        assertThat(passive.awaits(new NodeId(3, 3))).isFalse();
        assertThat(passive.isAsked()).isFalse();
        passive.complete(made);
        assertThat(passive.awaits(PEER)).isFalse();
        assertThat(passive.made(LONG)).isTrue();
        assertThat(link.awaits(PEER)).as("it asks itself").isFalse();
        assertThat(link.isAsked()).isTrue();
        assertThat(link.isAgreed()).isFalse();
        link.agree();
        assertThat(link.isAgreed()).isTrue();
        assertThat(link.made(SHORT)).as("not yet").isFalse();
        link.failed(new LinkBroken("no"));
        assertThat(link.isAgreed()).isFalse();
        assertThat(link.isAsked()).isFalse();
        assertThat(link.made(LONG)).isFalse();
        passive.close("it is broken");
        assertThat(passive.made(LONG)).isFalse();
    }

    @Test
    void of_the_links_that_a_peer_asks_for_so_many_are_awaited_and_each_key_is_one() {
        var table = new LinkTable(new NodeId(1, 1));
        for (int i = 0; i < LinkTable.MOST_AWAITED; i++) {
            assertThat(promised(table, "k" + i, PEER)).isNotNull();
        }
        assertThat(promised(table, "one more", PEER)).isNull();
        assertThat(promised(table, "k0", new NodeId(3, 3))).as("a key in use").isNull();
        assertThat(promised(table, "k of another", new NodeId(3, 3))).isNotNull();
        table.get("k0").complete(made);
        assertThat(promised(table, "one more", PEER)).isNotNull();
    }

    private static DataLink promised(LinkTable table, String key, NodeId peer) {
        return table.promised(new DataLink(key, peer, STACK, false), true, () -> {});
    }
}
