package org.ibidem.apps.ibis;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.ibidem.registry.Membership;
import org.ibidem.registry.Node;
import org.ibidem.registry.PoolEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A member follows what happens in its pool, by upcalls or by asking.
@Timeout(60)
class EventsTest {
    private static final Duration LONG = Duration.ofSeconds(40);
    private static final List<String> STORY =
            List.of("joined 0", "joined 1", "winner 1", "left 1", "winner gone", "closed");

    private static String told(PoolEvent event) {
        return switch (event) {
            case PoolEvent.Joined(var member) -> "joined " + member.rank();
            case PoolEvent.Left(var member) -> "left " + member.rank();
            case PoolEvent.Died(var member, var why) -> "died " + member.rank() + why;
            case PoolEvent.Elected(_, var winner, _) -> "winner " + winner.rank();
            case PoolEvent.Vacated _ -> "winner gone";
            case PoolEvent.Closed _ -> "closed";
            default -> "other: " + event;
        };
    }

    /// What another member does meanwhile; and then the one that follows.
    private static void happen(Pool pool, Node following) {
        try (var other = Node.join(pool.join())) {
            other.elections().elect("speaker");
        }
        following.closePool("all have come who will");
    }

    @Test
    void upcalls_tell_what_happens_in_its_order() throws Exception {
        try (var pool = new Pool();
                var node = Node.join(pool.join().membership(Membership.ORDERED))) {
            var heard = new LinkedBlockingQueue<String>();
            var subscription = node.events(event -> heard.add(told(event)));
            subscription.pause();
            happen(pool, node);
            assertThat(heard.stream().filter(told -> told.contains("1"))).isEmpty();
            subscription.resume();
            var story = new ArrayList<String>();
            while (story.size() < STORY.size()) {
                story.add(heard.poll(40, TimeUnit.SECONDS));
            }
            assertThat(story).isEqualTo(STORY);
        }
    }

    @Test
    void polled_events_wait_until_they_are_asked_for() {
        try (var pool = new Pool();
                var node = Node.join(pool.join().membership(Membership.ORDERED));
                var events = node.events()) {
            happen(pool, node);
            var story = new ArrayList<String>();
            events.pollAll().forEach(event -> story.add(told(event)));
            while (story.size() < STORY.size()) {
                story.add(told(events.next(LONG).orElseThrow()));
            }
            assertThat(story).isEqualTo(STORY);
            assertThat(events.poll()).isEmpty();
        }
    }
}
