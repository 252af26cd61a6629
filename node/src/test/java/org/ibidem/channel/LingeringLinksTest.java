package org.ibidem.channel;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.ibidem.arbitration.ManualClock;
import org.ibidem.arbitration.Threads;
import org.ibidem.link.Catalog;
import org.ibidem.link.FrameLink;
import org.ibidem.link.FrameSink;
import org.ibidem.link.FrameSource;
import org.ibidem.stack.Stack;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// For how long a node that is closed waits for links that were closed before it.
class LingeringLinksTest {
    private static final NodeId PEER = new NodeId(2, 2);
    private static final Duration SOME = Duration.ofSeconds(3);
    private static final Duration LONGEST = Duration.ofSeconds(10);
    private static final Duration LONG = Duration.ofMinutes(7);
    private static final Stack STACK = Stack.parse("tcp", Catalog.found());

    private final ManualClock clock = new ManualClock();
    private final Threads threads = new Threads("test", clock);
    private final LingeringLinks links = new LingeringLinks(threads);

    @AfterEach
    void close() {
        threads.close();
    }

    /// A link whose peer acknowledges when the test says so; until then time passes in each wait.
    private final class Made implements FrameLink {
        final DataLink link = new DataLink("k", PEER, STACK, true);

        /// How long it was waited for, each time.
        final List<Duration> waits = new ArrayList<>();

        boolean delivered;
        boolean broken;

        Made() {
            link.complete(this);
            link.close("it was closed");
        }

        @Override
        public boolean drain(Duration limit) {
            waits.add(limit);
            if (!delivered && !broken) {
                clock.advance(limit);
            }
            return delivered;
        }

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
            // it lingers
        }
    }

    private Made lingering() {
        var made = new Made();
        links.add(made.link);
        return made;
    }

    private List<DataLink> await(Duration limit) {
        return links.await(threads.deadline(limit));
    }

    @Test
    void one_that_has_delivered_all_when_it_is_closed_is_not_waited_for() {
        var made = new Made();
        made.delivered = true;
        links.add(made.link);
        assertThat(await(SOME)).isEmpty();
        assertThat(made.waits).as("it was looked at once").containsExactly(Duration.ZERO);
    }

    @Test
    void one_that_delivers_all_while_it_is_waited_for_is_not_late() {
        var made = lingering();
        made.delivered = true;
        assertThat(await(SOME)).isEmpty();
        assertThat(made.waits).containsExactly(Duration.ZERO, SOME);
        links.add(new Made().link);
        var last = lingering();
        clock.advance(LONGEST);
        last.delivered = true;
        assertThat(await(SOME)).as("it was delivered when all time was over").hasSize(1);
    }

    @Test
    void one_that_does_not_is_late_once() {
        var made = lingering();
        assertThat(await(SOME)).containsExactly(made.link);
        assertThat(made.waits).containsExactly(Duration.ZERO, SOME);
        assertThat(await(SOME)).isEmpty();
    }

    @Test
    void one_whose_peer_has_gone_is_not_late() {
        var made = lingering();
        made.broken = true;
        assertThat(await(SOME)).isEmpty();
    }

    @Test
    void one_lingers_for_ten_seconds_and_no_longer() {
        var made = lingering();
        clock.advance(Duration.ofSeconds(4));
        assertThat(await(LONG)).containsExactly(made.link);
        assertThat(made.waits).containsExactly(Duration.ZERO, Duration.ofSeconds(6));
    }

    @Test
    void there_is_no_wait_when_the_time_is_over_already() {
        var made = lingering();
        assertThat(await(Duration.ofSeconds(-1))).containsExactly(made.link);
        assertThat(made.waits).containsExactly(Duration.ZERO, Duration.ZERO);
    }

    @Test
    void those_that_are_over_are_forgotten_when_the_next_one_is_closed() {
        var old = lingering();
        clock.advance(Duration.ofSeconds(1));
        var done = lingering();
        var slow = lingering();
        done.delivered = true;
        clock.advance(LONGEST.minusSeconds(1));
        var last = lingering();
        assertThat(await(Duration.ZERO)).containsExactly(slow.link, last.link);
        assertThat(old.waits).as("its ten seconds are over").hasSize(3);
        assertThat(done.waits).as("it was looked at and found done").hasSize(3);
    }
}
